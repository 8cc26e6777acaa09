/** Groups of a form: objects, lists and variants. The content of a collapsed group is created when the group is opened. */
import { isRecord } from '../checks.js';
import { button, drawn, element, type Icon } from '../elements.js';
import type { Strings } from './protocol.js';
import { emptyValue, type Members, newItem, variantFor, withMember, withName } from './value.js';
import { focusIn, type FormContext, type Slot, View } from './view.js';

/** Empty groups that are deeper, and groups with more members, are collapsed at first. */
const maxOpenLevel = 2;
const maxOpenMembers = 20;
/** Rows that are shown at first, and that each **Show More** adds. */
const rowsAtOnce = 100;

/** A group with a label that collapses it, and with buttons to set the value and to remove it. */
abstract class GroupView extends View {
	protected readonly content = element('div', 'content');
	/** Elements of a list, or entries of a map. */
	protected rows: Row[] = [];
	protected readonly list = element('div', 'rows');
	private readonly toggle: HTMLButtonElement | undefined;
	private readonly addButton: HTMLButtonElement;
	private readonly removeButton: HTMLButtonElement;
	/** Whether the content was created. */
	private isCreated = false;

	constructor(context: FormContext, slot: Slot) {
		super(context, slot, slot.isBare === true ? 'group bare' : 'group');
		const { strings } = context;
		this.addButton = button(strings.add, undefined, () => this.addValue());
		this.addButton.setAttribute('aria-label', named(strings, strings.add, slot.label));
		this.removeButton = iconButton('cross', strings.remove, named(strings, strings.remove, slot.label), () =>
			this.clear(),
		);
		this.root.setAttribute('role', 'group');
		if (slot.isBare === true) {
			this.root.setAttribute('aria-label', slot.label);
			this.root.append(...this.texts(this.node.hint), this.addButton);
		} else {
			const parts = this.labelParts();
			this.toggle = element('button', 'toggle', drawn('chevron'), element('span', 'label', ...parts));
			this.toggle.type = 'button';
			this.toggle.addEventListener('click', () => this.setOpen(this.content.hidden !== false));
			this.root.setAttribute('aria-labelledby', parts[0]?.id ?? '');
			const head = element('div', 'group-head', this.toggle, this.addButton, this.removeButton);
			this.root.append(head, ...this.texts(this.hint));
		}
		this.root.append(this.content);
	}

	/** Fills the content with the parts of the value. */
	protected abstract create(): void;
	/** Creates the first value. */
	protected abstract firstValue(): unknown;
	protected abstract get size(): number;

	/** Whether the group has a value. Such a group is open at first, so that everything that would be sent is shown. */
	private get isFilled(): boolean {
		return this.isSet && Object.keys(this.value as object).length > 0;
	}

	protected get isSet(): boolean {
		return this.value !== undefined && this.value !== null;
	}

	/** Call this at the end of the constructor of a subclass, when its members are initialized. */
	protected start(): void {
		const { level, isBare } = this.slot;
		const isSmall = level <= maxOpenLevel && this.size <= maxOpenMembers;
		this.setOpen(isBare === true || isSmall || this.isFilled);
	}

	/** Adds a row. @param name the name of an entry; empty in a list @param set sets the value of the row */
	protected addRow(name: string, label: string, node: number | undefined, value: unknown, set: SetRow): Row {
		const { context, slot } = this;
		const { strings } = context;
		const part = context.create({
			...rowSlot(slot),
			isItem: true,
			node: node ?? context.form.json,
			label,
			level: slot.level + 1,
			value,
			onChange: it => set(row, it),
		});
		const buttons = element('div', 'row-buttons');
		const root = element('div', 'row', element('div', 'row-body', part.root), buttons);
		const row: Row = { root, part, buttons, name };
		buttons.append(iconButton('cross', strings.remove, strings.remove, () => this.removeRow(row)));
		root.setAttribute('role', 'group');
		this.rows.push(row);
		this.list.append(root);
		return row;
	}

	/** Removes a row, and focuses the next. */
	protected removeRow(row: Row): void {
		const index = this.rows.indexOf(row);
		this.rows = this.rows.filter(it => it !== row);
		row.root.remove();
		this.removeValue(row, index);
		const next = this.rows[index] ?? this.rows.at(-1);
		const button = next?.buttons.lastElementChild ?? this.content.lastElementChild;
		if (button instanceof HTMLElement) {
			button.focus();
		}
	}

	/** Removes the value of a row. @param index the index that the row had */
	protected abstract removeValue(row: Row, index: number): void;

	/** Creates the content again after its value was set or removed. */
	private rebuild(): void {
		this.isCreated = false;
		this.rows = [];
		this.list.replaceChildren();
		this.content.replaceChildren();
		this.setOpen(true);
	}

	protected setOpen(isOpen: boolean): void {
		const { isRequired, isItem } = this.slot;
		if (isOpen && !this.isCreated) {
			this.isCreated = true;
			this.create();
		}
		this.content.hidden = !isOpen;
		this.toggle?.setAttribute('aria-expanded', String(isOpen));
		this.addButton.hidden = this.isSet || this.node.kind === 'list';
		this.removeButton.hidden = !this.isSet || isRequired || isItem === true;
	}

	private get hint(): string {
		const text = this.slot.isRequired ? '' : this.node.defaultText;
		const { defaultValue } = this.context.strings;
		return [this.node.hint, text && defaultValue.replace('{0}', () => text)].filter(Boolean).join(' ');
	}

	private addValue(): void {
		this.change(this.firstValue());
		this.rebuild();
		focusIn(this.content);
	}

	private clear(): void {
		this.change(undefined);
		this.rebuild();
		(this.toggle ?? this.addButton).focus();
	}
}

/** A row of a list or a map. */
interface Row {
	readonly root: HTMLElement;
	readonly part: View;
	readonly buttons: HTMLElement;
	/** The name of an entry of a map; empty in a list. */
	name: string;
}
type SetRow = (row: Row, value: unknown) => void;

/** An object: its members, and rows for additional members. */
export class ObjectView extends GroupView {
	private readonly members = new Map<string, View>();

	constructor(context: FormContext, slot: Slot) {
		super(context, slot);
		this.start();
	}

	/** Whether the object has no fields and can't get any. */
	get isEmpty(): boolean {
		return this.members.size + this.rows.length === 0 && this.node.additional === undefined;
	}

	protected override get size(): number {
		return this.node.members.length;
	}

	override *parts(): Iterable<readonly [step: string, part: View]> {
		yield* this.members;
		yield* this.rows.map(it => [it.name, it.part] as const);
	}

	override open(step: string): View | undefined {
		this.setOpen(true);
		return this.members.get(step) ?? this.rows.find(it => it.name === step)?.part;
	}

	protected override firstValue(): unknown {
		const value = emptyValue(this.context.form, this.slot.node);
		return isRecord(value) ? value : {};
	}

	protected override create(): void {
		const { slot, node, context } = this;
		this.members.clear();
		if (!this.isSet) {
			return;
		}
		for (const { name, isSecret, ...member } of node.members) {
			const part = context.create({
				...member,
				isSecret: isSecret || slot.isSecret === true,
				level: slot.level + 1,
				value: this.memberOf(name),
				onChange: value => this.change(withMember(this.current, name, value)),
			});
			this.members.set(name, part);
			this.content.append(part.root);
		}
		for (const name of Object.keys(this.current).filter(it => !this.members.has(it))) {
			this.addEntry(name);
		}
		this.content.append(this.list);
		if (node.additional !== undefined) {
			this.content.append(button(context.strings.addEntry, undefined, () => this.addNew()));
		}
	}

	protected override removeValue({ name }: Row): void {
		this.change(withMember(this.current, name, undefined));
	}

	private get current(): Members {
		return isRecord(this.value) ? this.value : {};
	}

	private memberOf(name: string): unknown {
		return Object.hasOwn(this.current, name) ? this.current[name] : undefined;
	}

	private addNew(): void {
		const before = this.rows.find(it => it.name === '');
		if (!before) {
			this.change(
				withMember(this.current, '', newItem(this.context.form, this.node.additional ?? this.context.form.json)),
			);
		}
		focusIn((before ?? this.addEntry('')).root);
	}

	private addEntry(name: string): Row {
		const { strings, id } = this.context;
		const row = this.addRow(name, strings.entryValue, this.node.additional, this.memberOf(name), (it, value) =>
			this.change(withMember(this.current, it.name, value)),
		);
		const key = element('input', 'input key');
		const problem = element('p', 'problem');
		problem.id = id();
		key.value = name;
		key.placeholder = strings.entryName;
		key.spellcheck = false;
		key.setAttribute('aria-label', strings.entryName);
		key.setAttribute('aria-describedby', problem.id);
		const rename = (): void => {
			const isTaken = key.value !== row.name && Object.hasOwn(this.current, key.value);
			problem.replaceChildren(...(isTaken ? [drawn('warning'), strings.uniqueName] : []));
			key.setAttribute('aria-invalid', String(isTaken));
			if (!isTaken && key.value !== row.name) {
				this.change(withName(this.current, row.name, key.value));
				row.name = key.value;
			}
			row.root.setAttribute('aria-label', row.name === '' ? strings.entryName : row.name);
		};
		key.addEventListener('input', rename);
		// An entry with an invalid new name keeps its earlier name, so the field shows that name again.
		key.addEventListener('blur', () => {
			key.value = row.name;
			rename();
		});
		rename();
		row.root.firstElementChild?.classList.add('entry');
		row.root.firstElementChild?.prepend(key, problem);
		return row;
	}
}

/** A list: rows that can be added, moved and removed. */
export class ListView extends GroupView {
	private readonly more = button('', undefined, () => this.showMore(rowsAtOnce));
	private readonly note = element('p', 'hint');

	constructor(context: FormContext, slot: Slot) {
		super(context, slot);
		this.start();
	}

	protected override get size(): number {
		return 0;
	}

	override parts(): Iterable<readonly [step: string, part: View]> {
		return this.rows.map((it, index) => [String(index), it.part] as const);
	}

	override open(step: string): View | undefined {
		this.setOpen(true);
		if (Number(step) < this.current.length) {
			this.showMore(Number(step) + 1 - this.rows.length);
		}
		return this.rows[Number(step)]?.part;
	}

	protected override firstValue(): unknown {
		return [];
	}

	protected override create(): void {
		const { strings } = this.context;
		const add = button(strings.addItem, undefined, () => this.addItem());
		add.setAttribute('aria-label', named(strings, strings.addItem, this.slot.label));
		this.content.append(this.list, this.more, this.note, add);
		this.showMore(rowsAtOnce);
	}

	protected override removeValue(_: Row, index: number): void {
		this.change(this.current.toSpliced(index, 1));
		this.showMore(0);
	}

	private get current(): readonly unknown[] {
		return Array.isArray(this.value) ? this.value : [];
	}

	private addItem(): void {
		const { form } = this.context;
		this.change([...this.current, newItem(form, this.node.item ?? form.json)]);
		this.showMore(this.current.length);
		this.setOpen(true);
		this.rows.at(-1)?.part.focus();
	}

	/** Adds rows for further elements, and numbers all rows. */
	private showMore(count: number): void {
		const { strings } = this.context;
		const from = this.rows.length;
		for (const value of this.current.slice(from, from + count)) {
			this.addElement(value);
		}
		const left = this.current.length - this.rows.length;
		this.more.hidden = left === 0;
		this.more.textContent = strings.showMore.replace('{0}', String(left));
		this.note.textContent = this.isSet && this.current.length === 0 ? strings.emptyList : '';
		this.rows.forEach(({ root }, index) => {
			root.setAttribute('aria-label', named(strings, this.slot.label, String(index + 1)));
			root.firstElementChild?.replaceChildren(String(index + 1));
		});
	}

	private addElement(value: unknown): void {
		const { strings } = this.context;
		const row = this.addRow('', this.slot.label, this.node.item, value, (it, changed) =>
			this.change(this.current.with(this.rows.indexOf(it), changed)),
		);
		row.root.prepend(element('span', 'row-number'));
		row.buttons.prepend(
			iconButton('up', strings.moveUp, strings.moveUp, () => this.move(row, -1)),
			iconButton('down', strings.moveDown, strings.moveDown, () => this.move(row, 1)),
		);
		row.root.addEventListener('keydown', event => {
			const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
			if (step !== undefined) {
				event.preventDefault();
				event.stopPropagation();
				this.move(row, step);
			}
		});
	}

	private move(row: Row, step: number): void {
		const from = this.rows.indexOf(row);
		const other = this.rows[from + step];
		if (!other) {
			return;
		}
		const focused = document.activeElement;
		this.change(moved(this.current, from, from + step));
		this.rows = moved(this.rows, from, from + step);
		other.root[step < 0 ? 'before' : 'after'](row.root);
		this.showMore(0);
		if (focused instanceof HTMLElement) {
			focused.focus();
		}
	}
}

/** A choice among several forms for a value. The other forms keep what was entered in them while the page is open. */
export class VariantsView extends View {
	private readonly select = element('select', 'input');
	private readonly body = element('div', 'variant');
	/** The created forms by index of their variant; -1 is the form of a value that fits no variant. */
	private readonly forms = new Map<number, View>();
	private shown: number | undefined;

	constructor(context: FormContext, slot: Slot) {
		super(context, slot, 'field');
		const { node, select, value } = this;
		const canBeEmpty = !slot.isRequired || node.isNullable;
		const isSet = value !== undefined && value !== null;
		const fitting = isSet ? variantFor(context.form, node, value) : canBeEmpty ? undefined : 0;
		if (canBeEmpty) {
			select.append(new Option(this.emptyText(), ''));
		}
		select.append(...node.variants.map((it, index) => new Option(it.title, String(index))));
		if (fitting === -1) {
			select.append(new Option(context.strings.json, '-1'));
		}
		select.addEventListener('change', () => this.choose(select.value === '' ? undefined : Number(select.value)));
		this.addLabel(select, named(context.strings, slot.label, context.strings.variant));
		this.root.append(...this.texts(node.hint), select, this.body);
		this.show(fitting, value);
	}

	private get form(): View | undefined {
		return this.shown === undefined ? undefined : this.forms.get(this.shown);
	}

	override get variant(): number | undefined {
		return this.shown;
	}

	override *parts(): Iterable<readonly [step: string, part: View]> {
		yield* this.form?.parts() ?? [];
	}

	override get unfinished(): { readonly text: string; readonly problem: string } | undefined {
		return this.form?.unfinished;
	}

	override type(text: string): void {
		this.form?.type(text);
	}

	override open(step: string): View | undefined {
		return this.form?.open(step);
	}

	override prefer(variant: number): void {
		const { context, node, value } = this;
		if (value === undefined || value === null) {
			this.choose(variant);
		} else {
			this.show(variantFor(context.form, node, value, variant), value);
		}
	}

	private choose(variant: number | undefined): void {
		const { context, slot, node } = this;
		const index = node.variants[variant ?? -1]?.node ?? context.form.json;
		const first = slot.isItem === true ? newItem(context.form, index) : emptyValue(context.form, index);
		const none = slot.isItem === true || (slot.isRequired && node.isNullable) ? null : undefined;
		this.change(this.show(variant, first)?.value ?? none);
	}

	override showProblem(text: string | undefined): void {
		this.form?.showProblem(text);
		super.showProblem(this.form ? undefined : text);
	}

	/** Shows the form of a variant. @param first the initial value of a form that is created now */
	private show(variant: number | undefined, first: unknown): View | undefined {
		this.shown = variant;
		this.select.value = variant === undefined ? '' : String(variant);
		const form = variant === undefined ? undefined : (this.forms.get(variant) ?? this.create(variant, first));
		this.body.replaceChildren(...(form ? [form.root] : []));
		return form;
	}

	private create(variant: number, value: unknown): View {
		const { context, node, slot } = this;
		const form = context.create({
			node: node.variants[variant]?.node ?? context.form.json,
			...rowSlot(slot),
			isItem: slot.isItem === true,
			label: slot.label,
			level: slot.level,
			value,
			onChange: it => this.change(it),
		});
		this.forms.set(variant, form);
		return form;
	}
}

/** The slot of a part whose label is that of its row or of the part around it. */
function rowSlot({ isSecret }: Slot): Pick<Slot, 'isRequired' | 'isBare' | 'isSecret'> {
	return { isRequired: true, isBare: true, isSecret: isSecret === true };
}

function moved<T>(list: readonly T[], from: number, to: number): T[] {
	const others = list.toSpliced(from, 1);
	return others.toSpliced(to, 0, list[from] as T);
}

function iconButton(icon: Icon, title: string, name: string, press: () => void): HTMLButtonElement {
	const made = element('button', 'icon-button', drawn(icon));
	made.type = 'button';
	made.title = title;
	made.setAttribute('aria-label', name);
	made.addEventListener('click', press);
	return made;
}

/** A name for screen readers, such as "Remove: Tags". */
function named({ named: pattern }: Strings, what: string, of: string): string {
	return pattern.replace('{0}', () => what).replace('{1}', () => of);
}
