/** Tree items and drag-and-drop data of `vscodeDouble.ts`. */

export class ThemeColor {
	constructor(readonly id: string) {}
}

export class ThemeIcon {
	static readonly File = new ThemeIcon('file');
	static readonly Folder = new ThemeIcon('folder');

	constructor(
		readonly id: string,
		readonly color?: ThemeColor,
	) {}
}

export enum TreeItemCollapsibleState {
	None,
	Collapsed,
	Expanded,
}

export enum TreeItemCheckboxState {
	Unchecked,
	Checked,
}

/** Of selections in texts, which decide where the focus of a tree may be. */
export enum TextEditorSelectionChangeKind {
	Keyboard = 1,
	Mouse,
	Command,
}

export class TreeItem {
	constructor(
		readonly label: string,
		readonly collapsibleState: TreeItemCollapsibleState,
	) {}
}

export class DataTransferItem {
	constructor(readonly value: unknown) {}

	asString(): Promise<string> {
		return Promise.resolve(typeof this.value === 'string' ? this.value : JSON.stringify(this.value));
	}
}

export class DataTransfer {
	private readonly items = new Map<string, DataTransferItem>();

	get(mimeType: string): DataTransferItem | undefined {
		return this.items.get(mimeType.toLowerCase());
	}

	set(mimeType: string, item: DataTransferItem): void {
		this.items.set(mimeType.toLowerCase(), item);
	}
}
