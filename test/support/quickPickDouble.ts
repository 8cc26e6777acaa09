/** Quick picks of `vscodeDouble.ts`: a test reads their lines and accepts one. */

interface Item {
	readonly label: string;
	readonly description?: string;
}
type Listener = () => void;
interface Subscription {
	dispose(): void;
}

export enum QuickPickItemKind {
	Separator = -1,
	Default = 0,
}

export class ThemeIcon {
	static readonly Folder = new ThemeIcon('folder');

	constructor(readonly id: string) {}
}

export class QuickPickDouble {
	title = '';
	placeholder = '';
	ignoreFocusOut = false;
	items: readonly Item[] = [];
	activeItems: readonly Item[] = [];
	selectedItems: readonly (Item | undefined)[] = [];
	private readonly accepting = new Set<Listener>();
	private readonly hiding = new Set<Listener>();
	readonly onDidAccept = (listener: Listener): Subscription => listen(this.accepting, listener);
	readonly onDidHide = (listener: Listener): Subscription => listen(this.hiding, listener);
	/** No test presses a button. */
	readonly onDidTriggerButton = (): Subscription => ({ dispose: () => undefined });

	/** "label | description" of each line. */
	get lines(): string[] {
		return this.items.map(it => [it.label, ...(it.description === undefined ? [] : [it.description])].join(' | '));
	}

	show(): void {
		setImmediate(() => screen.onShow(this));
	}

	/** Accepts the line with the label; without one, presses Enter. */
	accept(label?: string): void {
		this.selectedItems = [label === undefined ? this.activeItems[0] : this.items.find(it => it.label === label)];
		[...this.accepting].forEach(it => it());
	}

	hide(): void {
		[...this.hiding].forEach(it => it());
	}

	dispose(): void {
		this.accepting.clear();
		this.hiding.clear();
	}
}

function listen(listeners: Set<Listener>, listener: Listener): Subscription {
	listeners.add(listener);
	return { dispose: () => listeners.delete(listener) };
}

/** What a test does with each quick pick that is shown. */
export const screen = { onShow: (_pick: QuickPickDouble): void => undefined };
