/** Quick picks of `vscodeDouble.ts`: a test reads their lines and accepts one. */

interface Item {
	readonly label: string;
	readonly description?: string;
	readonly detail?: string;
	readonly alwaysShow?: boolean;
	readonly kind?: QuickPickItemKind;
}
interface Button {
	readonly tooltip?: string;
}
type ButtonListener = (button: Button) => void;
type Listener = () => void;
type ValueListener = (value: string) => void;
interface Subscription {
	dispose(): void;
}

export enum QuickPickItemKind {
	Separator = -1,
	Default = 0,
}

export class QuickPickDouble {
	title = '';
	placeholder = '';
	ignoreFocusOut = false;
	value = '';
	items: readonly Item[] = [];
	activeItems: readonly Item[] = [];
	selectedItems: readonly Item[] = [];
	private isShown = false;
	private readonly changing = new Set<ValueListener>();
	private readonly selecting = new Set<Listener>();
	private readonly accepting = new Set<Listener>();
	private readonly hiding = new Set<Listener>();
	private readonly pressing = new Set<ButtonListener>();
	buttons: readonly Button[] = [];
	readonly onDidChangeValue = (listener: ValueListener): Subscription => listen(this.changing, listener);
	readonly onDidChangeSelection = (listener: Listener): Subscription => listen(this.selecting, listener);
	readonly onDidAccept = (listener: Listener): Subscription => listen(this.accepting, listener);
	readonly onDidHide = (listener: Listener): Subscription => listen(this.hiding, listener);
	readonly onDidTriggerButton = (listener: ButtonListener): Subscription => listen(this.pressing, listener);
	/** No test presses a button of a line. */
	readonly onDidTriggerItemButton = (): Subscription => ({ dispose: () => undefined });

	/** "label | description" of each line. */
	get lines(): string[] {
		return this.items.map(it => [it.label, ...(it.description === undefined ? [] : [it.description])].join(' | '));
	}

	show(): void {
		this.isShown = true;
		setImmediate(() => screen.onShow(this));
	}

	/** Types a text: as in the editor, lines whose label has it come first, others only if they are always shown. */
	type(text: string): void {
		this.value = text;
		[...this.changing].forEach(it => it(text));
		if (text !== '') {
			const lines = this.items.filter(it => it.kind !== QuickPickItemKind.Separator);
			const found = lines.filter(it => it.label.toLowerCase().includes(text.toLowerCase()));
			this.activeItems = [...found, ...lines.filter(it => it.alwaysShow === true)].slice(0, 1);
		}
	}

	/** Checks the lines with these labels and no others. */
	select(...labels: readonly string[]): void {
		this.selectedItems = this.items.filter(it => labels.includes(it.label));
		[...this.selecting].forEach(it => it());
	}

	/** Presses Enter with what is selected. */
	enter(): void {
		[...this.accepting].forEach(it => it());
	}

	/** Accepts the line with the label, or several; without any, presses Enter. */
	accept(label?: string, ...others: readonly string[]): void {
		const items = [label, ...others].map(text => this.items.find(it => it.label === text));
		// As the editor does where nothing matches what was typed.
		this.selectedItems = (label === undefined ? this.activeItems.slice(0, 1) : items).filter(it => it !== undefined);
		[...this.accepting].forEach(it => it());
	}

	press(tooltip: string): void {
		for (const button of this.buttons.filter(it => it.tooltip === tooltip)) {
			[...this.pressing].forEach(it => it(button));
		}
	}

	/** As the extension host does it, `onDidHide` comes once the editor has answered; only of what is shown. */
	hide(): void {
		if (this.isShown) {
			this.isShown = false;
			setImmediate(() => [...this.hiding].forEach(it => it()));
		}
	}

	dispose(): void {
		this.changing.clear();
		this.selecting.clear();
		this.accepting.clear();
		this.hiding.clear();
		this.pressing.clear();
	}
}

function listen<T>(listeners: Set<T>, listener: T): Subscription {
	listeners.add(listener);
	return { dispose: () => listeners.delete(listener) };
}

/** What a test does with each quick pick that is shown. */
export const screen = { onShow: (_pick: QuickPickDouble): void => undefined };
