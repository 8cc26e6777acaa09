/** Groups of a form: objects, lists and variants. The content of a collapsed group is created when the group is opened. */
import { escapeStep } from '../../../base/jsonPointer.js';
import { isArgumentSecret } from '../../../base/secretWords.js';
import { isRecord } from '../checks.js';
import { button, drawn, element, type Icon } from '../elements.js';
import { FieldView } from './field.js';
import type { Strings } from './protocol.js';
import { emptyValue, holds, type Members, newItem, nodeAt, variantFor } from './value.js';
import { focusIn, type FormContext, selectOf, type Slot, View } from './view.js';

/** Empty objects at deeper levels, or with more members, are collapsed at first. */
const maxOpenLevel = 2;
const maxOpenMembers = 20;
/** Rows that are shown at first, and that each **Show More** adds. */
const rowsAtOnce = 100;

/** A row of a list or a map. */
interface Row {
	readonly root: HTMLElement;
	readonly part: View;
	readonly buttons: HTMLElement;
	/** The name of an entry of a map; empty in a list. */
	name: string;
}

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
	/** The value until the content is created. */
	protected first: unknown;

	constructor(context: FormContext, slot: Slot) {
		super(context, slot, slot.isBare === true ? 'group bare' : 'group');
		const { strings } = context;
		this.first = slot.value;
		this.addButton = button(strings.add, undefined, () => this.set(this.firstValue()));
		this.addButton.setAttribute('aria-label', named(strings, strings.add, slot.label));
		this.removeButton = iconButton('cross', strings.remove, named(strings, strings.remove, slot.label), () =>
			this.set(undefined),
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
			this.root.setAttribute('aria-labelledby', parts[0].id);
			const head = element('div', 'group-head', this.toggle, this.addButton, this.removeButton);
			this.root.append(head, ...this.texts(this.hint));
		}
		this.root.append(this.content, this.problem);
	}

	override get value(): unknown {
		return this.isSet && this.isCreated ? this.created : this.first;
	}

	/** The value of the created content. */
	protected abstract get created(): unknown;
	/** Fills the content with the parts of the value. */
	protected abstract create(): void;
	/** Creates the first value. */
	protected abstract firstValue(): unknown;

	protected get isSet(): boolean {
		return this.first !== undefined && this.first !== null;
	}

	/** Call this at the end of the constructor of a subclass, when its members are initialized. */
	protected start(): void {
		const { level, isBare } = this.slot;
		const { kind, members } = this.node;
		const isSmall = kind === 'list' || (level <= maxOpenLevel && members.length <= maxOpenMembers);
		// A group with a value is open, so that everything that would be sent is shown.
		const isFilled = this.isSet && Object.keys(this.first as object).length > 0;
		this.setOpen(isBare === true || isSmall || isFilled);
	}

	/** Adds a row. @param name the name of an entry; empty in a list */
	protected addRow(name: string, label: string, node: number | undefined, value: unknown): Row {
		const { context, slot } = this;
		const { strings } = context;
		const step = this.node.kind === 'list' ? this.rows.length : escapeStep(name);
		const part = createView(context, {
			...rowSlot(slot),
			isSecret: slot.isSecret === true || isArgumentSecret(name),
			pointer: `${slot.pointer}/${step}`,
			isItem: true,
			node: node ?? context.form.json,
			label,
			level: slot.level + 1,
			value,
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
		const next = this.rows[index] ?? this.rows.at(-1);
		const button = next?.buttons.lastElementChild ?? this.content.lastElementChild;
		if (button instanceof HTMLButtonElement) {
			button.focus();
		} else {
			focusIn(this.root);
		}
		this.context.changed();
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

	/** Sets the value or removes it, and creates the content again. */
	private set(value: unknown): void {
		this.first = value;
		this.isCreated = false;
		this.rows = [];
		this.list.replaceChildren();
		this.content.replaceChildren();
		this.setOpen(true);
		if (this.isSet) {
			focusIn(this.content);
		} else {
			(this.toggle ?? this.addButton).focus();
		}
		this.context.changed();
	}
}

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

	override *parts(): Iterable<readonly [step: string, part: View]> {
		yield* this.members;
		yield* this.rows.map(it => [it.name, it.part] as const);
	}

	override open(step: string): View | undefined {
		this.setOpen(true);
		return this.members.get(step) ?? this.rows.find(it => it.name === step)?.part;
	}

	protected override get created(): Members {
		const members = Array.from(this.parts(), ([name, part]) => [name, part.value] as const);
		return Object.fromEntries(members.filter(([, value]) => value !== undefined));
	}

	protected override firstValue(): unknown {
		const value = emptyValue(this.context.form, this.slot.node);
		return isRecord(value) ? value : {};
	}

	protected override create(): void {
		const { first, slot, node, context, content } = this;
		this.members.clear();
		if (!isRecord(first)) {
			return;
		}
		for (const { isSecret, ...member } of node.members) {
			const { name } = member;
			const part = createView(context, {
				...member,
				pointer: `${slot.pointer}/${escapeStep(name)}`,
				isSecret: isSecret || slot.isSecret === true,
				level: slot.level + 1,
				value: Object.hasOwn(first, name) ? first[name] : undefined,
			});
			this.members.set(name, part);
			content.append(part.root);
		}
		for (const [name, value] of Object.entries(first)) {
			if (!this.members.has(name)) {
				this.addEntry(name, value);
			}
		}
		content.append(this.list);
		if (node.additional !== undefined) {
			content.append(button(context.strings.addEntry, undefined, () => this.addNew()));
		}
	}

	private addNew(): void {
		const { form, changed } = this.context;
		const row =
			this.rows.find(it => it.name === '') ?? this.addEntry('', newItem(form, this.node.additional ?? form.json));
		focusIn(row.root);
		changed();
	}

	private addEntry(name: string, value: unknown): Row {
		const { strings, id } = this.context;
		const row = this.addRow(name, strings.entryValue, this.node.additional, value);
		const key = element('input', 'input key');
		const problem = element('p', 'problem');
		problem.id = id();
		key.value = name;
		key.placeholder = strings.entryName;
		key.spellcheck = false;
		key.setAttribute('aria-label', strings.entryName);
		key.setAttribute('aria-describedby', problem.id);
		const rename = (): void => {
			const isTaken = Array.from(this.parts()).some(([it, part]) => it === key.value && part !== row.part);
			problem.replaceChildren(...(isTaken ? [drawn('warning'), strings.uniqueName] : []));
			key.setAttribute('aria-invalid', String(isTaken));
			row.name = isTaken ? row.name : key.value;
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
	/** The elements that have no row yet. */
	private others: readonly unknown[] = [];

	constructor(context: FormContext, slot: Slot) {
		super(context, slot);
		this.start();
	}

	override parts(): Iterable<readonly [step: string, part: View]> {
		return this.rows.map((it, index) => [String(index), it.part] as const);
	}

	override open(step: string): View | undefined {
		this.setOpen(true);
		this.showMore(Number(step) + 1 - this.rows.length);
		return this.rows[Number(step)]?.part;
	}

	protected override get created(): readonly unknown[] {
		return [...this.rows.map(it => it.part.value), ...this.others];
	}

	protected override firstValue(): unknown {
		return [];
	}

	protected override create(): void {
		const { strings } = this.context;
		const add = button(strings.addItem, undefined, () => this.addItem());
		add.setAttribute('aria-label', named(strings, strings.addItem, this.slot.label));
		this.others = Array.isArray(this.first) ? this.first : [];
		this.content.append(this.list, this.more, this.note, add);
		this.showMore(rowsAtOnce);
	}

	protected override removeRow(row: Row): void {
		super.removeRow(row);
		this.showMore(0);
	}

	private addItem(): void {
		const { form, changed } = this.context;
		this.first ??= this.firstValue();
		this.others = [...this.others, newItem(form, this.node.item ?? form.json)];
		this.showMore(this.others.length);
		this.setOpen(true);
		const row = this.rows.at(-1);
		if (row) {
			focusIn(row.part.root);
		}
		changed();
	}

	/** Adds rows for further elements, and numbers all rows. */
	private showMore(count: number): void {
		const { strings } = this.context;
		const shown = this.others.slice(0, Math.max(0, count));
		this.others = this.others.slice(shown.length);
		shown.forEach(it => this.addElement(it));
		this.more.hidden = this.others.length === 0;
		this.more.textContent = strings.showMore.replace('{0}', String(this.others.length));
		this.note.textContent = this.isSet && this.rows.length === 0 ? strings.emptyList : '';
		this.rows.forEach(({ root }, index) => {
			root.setAttribute('aria-label', named(strings, this.slot.label, String(index + 1)));
			root.firstElementChild?.replaceChildren(String(index + 1));
		});
	}

	private addElement(value: unknown): void {
		const { strings } = this.context;
		const row = this.addRow('', this.slot.label, this.node.item, value);
		row.root.prepend(element('span', 'row-number'));
		row.buttons.prepend(
			iconButton('up', strings.moveUp, strings.moveUp, () => this.move(row, -1)),
			iconButton('down', strings.moveDown, strings.moveDown, () => this.move(row, 1)),
		);
	}

	private move(row: Row, step: number): void {
		const from = this.rows.indexOf(row);
		const other = this.rows[from + step];
		if (!other) {
			return;
		}
		const focused = document.activeElement;
		this.rows = this.rows.with(from, other).with(from + step, row);
		other.root[step < 0 ? 'before' : 'after'](row.root);
		this.showMore(0);
		if (focused instanceof HTMLElement) {
			focused.focus();
		}
		this.context.changed();
	}
}

/** A choice among several forms for a value. The other forms keep their values while the page is open. */
export class VariantsView extends View {
	private readonly select: HTMLSelectElement;
	private readonly body = element('div', 'variant');
	/** The created forms by index of their variant; -1 is the form of a value that fits no variant. */
	private readonly forms = new Map<number, View>();
	private shown: number | undefined;

	constructor(context: FormContext, slot: Slot) {
		super(context, slot, 'field');
		const { node, canBeEmpty } = this;
		const { strings, kept } = context;
		const { value } = slot;
		const before = kept.variants[slot.pointer];
		const empty = node.variants[before ?? -1] ? before : canBeEmpty ? undefined : 0;
		const isSet = value !== undefined && value !== null;
		const fitting = isSet ? variantFor(context.form, node, value, before) : empty;
		const titles = node.variants.map(it => it.title);
		this.select = selectOf(titles, canBeEmpty ? this.emptyText(value) : undefined, -1);
		if (fitting === -1) {
			this.select.append(new Option(strings.json, '-1'));
		}
		this.select.addEventListener('input', () => this.choose());
		this.addLabel(this.select, named(strings, slot.label, strings.variant));
		this.root.append(...this.texts(node.hint), this.select, this.body, this.problem);
		this.show(fitting, value);
	}

	override get value(): unknown {
		return this.form?.value ?? this.noValue;
	}

	override get variant(): number | undefined {
		return this.shown;
	}

	override *parts(): Iterable<readonly [step: string, part: View]> {
		yield* this.form?.parts() ?? [];
	}

	override get unfinished(): string | undefined {
		return this.form?.unfinished;
	}

	override open(step: string): View | undefined {
		return this.form?.open(step);
	}

	override showProblem(text: string | undefined): void {
		this.form?.showProblem(text);
		super.showProblem(this.form ? undefined : text);
	}

	private get form(): View | undefined {
		return this.shown === undefined ? undefined : this.forms.get(this.shown);
	}

	private choose(): void {
		const { context, slot, node, select } = this;
		const variant = select.value === '' ? undefined : Number(select.value);
		const index = node.variants[variant ?? -1]?.node ?? context.form.json;
		this.show(variant, slot.isItem === true ? newItem(context.form, index) : emptyValue(context.form, index));
	}

	/** Shows the form of a variant. @param first the initial value of a form that is created now */
	private show(variant: number | undefined, first: unknown): void {
		const { context, node, slot, forms } = this;
		this.shown = variant;
		this.select.value = variant === undefined ? '' : String(variant);
		if (variant !== undefined && !forms.has(variant)) {
			const form = createView(context, {
				...rowSlot(slot),
				pointer: slot.pointer,
				node: node.variants[variant]?.node ?? context.form.json,
				isItem: slot.isItem === true,
				label: slot.label,
				level: slot.level,
				value: first,
			});
			forms.set(variant, form);
		}
		this.body.replaceChildren(...(this.form ? [this.form.root] : []));
	}
}

/** Creates a part of a form, and the parts within it if it isn't collapsed. */
export function createView(context: FormContext, slot: Slot): View {
	const node = nodeAt(context.form, slot.node);
	if (node.kind === 'variants') {
		return new VariantsView(context, slot);
	}
	if (node.kind === 'object' && holds(node, slot.value)) {
		return new ObjectView(context, slot);
	}
	return node.kind === 'list' && holds(node, slot.value) ? new ListView(context, slot) : new FieldView(context, slot);
}

/** The slot of a part whose label is that of its row or of the part around it. */
function rowSlot({ isSecret }: Slot): Pick<Slot, 'isRequired' | 'isBare' | 'isSecret'> {
	return { isRequired: true, isBare: true, isSecret: isSecret === true };
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
