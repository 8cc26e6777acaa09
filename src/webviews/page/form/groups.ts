/** Groups of a form: objects, lists and variants. What is collapsed is created when it is opened. */
import { button, drawn, element, type Icon } from '../elements.js';
import type { Strings } from './protocol.js';
import { emptyValue, isMembers, type Members, newItem, variantFor, withMember, withName } from './value.js';
import { type FormContext, type Slot, View } from './view.js';

/** Empty groups deeper than this, and those with many members, are collapsed at first. */
const maxOpenLevel = 2;
const maxOpenMembers = 20;
/** Rows that are shown at first, and with each Show More. */
const rowsAtOnce = 100;

/** A group with a label that collapses it, and with buttons to set the value and to remove it. */
abstract class GroupView extends View {
	protected readonly content = element('div', 'content');
	private readonly toggle: HTMLButtonElement | undefined;
	private readonly addButton: HTMLButtonElement;
	private readonly removeButton: HTMLButtonElement;
	/** Whether the content was created. */
	private isCreated = false;

	constructor(context: FormContext, slot: Slot) {
		super(context, slot, slot.isBare === true ? 'group bare' : 'group');
		const { strings } = context;
		this.addButton = button(strings.add, undefined, () => this.setUp());
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

	/** Whether there is a value within. All that would be sent is shown. */
	private get isFilled(): boolean {
		return this.isSet && Object.keys(this.value as object).length > 0;
	}

	protected get isSet(): boolean {
		return this.value !== undefined && this.value !== null;
	}

	/** To be called at the end of the constructor, when all members are there. */
	protected start(): void {
		const { level, isBare } = this.slot;
		const isSmall = level <= maxOpenLevel && this.size <= maxOpenMembers;
		this.setOpen(isBare === true || isSmall || this.isFilled);
	}

	/** Shows the content again, after its value was set or removed. */
	protected renew(): void {
		this.isCreated = false;
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

	private setUp(): void {
		this.change(this.firstValue());
		this.renew();
		this.content.querySelector<HTMLElement>('input,textarea,select,button')?.focus();
	}

	private clear(): void {
		this.change(undefined);
		this.renew();
		(this.toggle ?? this.addButton).focus();
	}
}

/** A row of a list or a map. */
interface Row {
	readonly root: HTMLElement;
	readonly part: View;
	/** The name of an entry in the value, and the text that is shown for it. */
	name: string;
}

/** An object: its members, and rows for those with other names. */
export class ObjectView extends GroupView {
	private readonly members = new Map<string, View>();
	private rows: Row[] = [];
	private readonly list = element('div', 'rows');

	constructor(context: FormContext, slot: Slot) {
		super(context, slot);
		this.start();
	}

	/** Whether there is nothing to enter. */
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
		return isMembers(value) ? value : {};
	}

	protected override create(): void {
		this.members.clear();
		this.rows = [];
		const { slot, node, context } = this;
		if (!this.isSet) {
			return;
		}
		for (const { name, label, note, node: index, isRequired, isSecret } of node.members) {
			const part = context.create({
				node: index,
				label,
				note,
				isRequired,
				isSecret: isSecret || slot.isSecret === true,
				level: slot.level + 1,
				value: Object.hasOwn(this.current, name) ? this.current[name] : undefined,
				onChange: value => this.change(withMember(this.current, name, value)),
			});
			this.members.set(name, part);
		}
		this.list.replaceChildren();
		for (const name of Object.keys(this.current).filter(it => !this.members.has(it))) {
			this.addRow(name);
		}
		const parts = [...this.members.values()].map(it => it.root);
		this.content.append(...parts, this.list);
		if (node.additional !== undefined) {
			this.content.append(button(context.strings.addEntry, undefined, () => this.addEntry()));
		}
	}

	private get current(): Members {
		return isMembers(this.value) ? this.value : {};
	}

	private addEntry(): void {
		const { form } = this.context;
		const before = this.rows.find(it => it.name === '');
		const index = this.node.additional;
		if (!before && index !== undefined) {
			this.change(withMember(this.current, '', newItem(form, index)));
		}
		(before ?? this.addRow('')).root.querySelector('input')?.focus();
	}

	private addRow(name: string): Row {
		const { context, node, slot } = this;
		const { strings } = context;
		const key = element('input', 'input key');
		const problem = element('p', 'problem');
		const part = context.create({
			node: node.additional ?? context.form.json,
			label: strings.entryValue,
			isRequired: true,
			isBare: true,
			isItem: true,
			isSecret: slot.isSecret === true,
			level: slot.level + 1,
			value: Object.hasOwn(this.current, name) ? this.current[name] : undefined,
			onChange: value => this.change(withMember(this.current, row.name, value)),
		});
		const remove = iconButton('cross', strings.remove, strings.remove, () => {
			this.rows = this.rows.filter(it => it !== row);
			row.root.remove();
			this.change(withMember(this.current, row.name, undefined));
			this.content.querySelector<HTMLElement>(':scope > .button')?.focus();
		});
		const body = element('div', 'row-body entry', key, problem, part.root);
		const row: Row = { root: element('div', 'row', body, element('div', 'row-buttons', remove)), part, name };
		key.value = name;
		key.placeholder = strings.entryName;
		key.spellcheck = false;
		key.setAttribute('aria-label', strings.entryName);
		problem.id = context.id();
		key.setAttribute('aria-describedby', problem.id);
		row.root.setAttribute('role', 'group');
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
		// What is shown is what is sent: an entry keeps its name until it has another one.
		key.addEventListener('blur', () => {
			key.value = row.name;
			rename();
		});
		rename();
		this.rows.push(row);
		this.list.append(row.root);
		return row;
	}
}

/** A list: rows that can be added, moved and removed. */
export class ListView extends GroupView {
	private rows: Row[] = [];
	private readonly list = element('div', 'rows');
	private readonly more: HTMLButtonElement;
	private readonly note = element('p', 'hint');

	constructor(context: FormContext, slot: Slot) {
		super(context, slot);
		this.more = button('', undefined, () => this.showMore(rowsAtOnce));
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
		const index = Number(step);
		if (index < this.current.length) {
			this.showMore(index + 1 - this.rows.length);
		}
		return this.rows[index]?.part;
	}

	protected override firstValue(): unknown {
		return [];
	}

	protected override create(): void {
		const { strings } = this.context;
		this.rows = [];
		this.list.replaceChildren();
		const add = button(strings.addItem, undefined, () => this.addItem());
		add.setAttribute('aria-label', named(strings, strings.addItem, this.slot.label));
		this.content.append(this.list, this.more, this.note, add);
		this.showMore(rowsAtOnce);
	}

	private get current(): readonly unknown[] {
		return Array.isArray(this.value) ? this.value : [];
	}

	private addItem(): void {
		const { form } = this.context;
		this.showMore(this.current.length - this.rows.length);
		this.change([...this.current, newItem(form, this.node.item ?? form.json)]);
		this.showMore(1);
		this.setOpen(true);
		this.rows.at(-1)?.part.focus();
	}

	/** Shows more of the elements that have no row yet. */
	private showMore(count: number): void {
		const { current, rows, context } = this;
		const from = rows.length;
		for (const value of current.slice(from, from + count)) {
			this.addRow(value);
		}
		const left = current.length - this.rows.length;
		this.more.hidden = left === 0;
		this.more.textContent = context.strings.showMore.replace('{0}', String(left));
		this.number();
	}

	private addRow(value: unknown): void {
		const { context, node, slot } = this;
		const { strings } = context;
		const label = element('span', 'row-number');
		const part = context.create({
			node: node.item ?? context.form.json,
			label: slot.label,
			isRequired: true,
			isBare: true,
			isItem: true,
			isSecret: slot.isSecret === true,
			level: slot.level + 1,
			value,
			onChange: it => this.change(this.current.with(this.rows.indexOf(row), it)),
		});
		const move = (step: number): void => this.move(row, step);
		const buttons = [
			iconButton('up', strings.moveUp, strings.moveUp, () => move(-1)),
			iconButton('down', strings.moveDown, strings.moveDown, () => move(1)),
			iconButton('cross', strings.remove, strings.remove, () => this.remove(row)),
		];
		const root = element('div', 'row', label, element('div', 'row-body', part.root));
		root.append(element('div', 'row-buttons', ...buttons));
		root.setAttribute('role', 'group');
		root.addEventListener('keydown', event => {
			const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
			if (step !== undefined) {
				event.preventDefault();
				event.stopPropagation();
				move(step);
			}
		});
		const row: Row = { root, part, name: '' };
		this.rows.push(row);
		this.list.append(root);
	}

	private move(row: Row, step: number): void {
		const from = this.rows.indexOf(row);
		const to = from + step;
		if (to < 0 || to >= this.rows.length) {
			return;
		}
		const focused = document.activeElement;
		this.change(moved(this.current, from, to));
		this.rows = moved(this.rows, from, to);
		const other = this.rows[from]?.root;
		if (step < 0) {
			other?.before(row.root);
		} else {
			other?.after(row.root);
		}
		this.number();
		if (focused instanceof HTMLElement) {
			focused.focus();
		}
	}

	private remove(row: Row): void {
		const index = this.rows.indexOf(row);
		this.rows = this.rows.filter(it => it !== row);
		row.root.remove();
		this.change(this.current.toSpliced(index, 1));
		this.showMore(0);
		const next =
			this.rows[Math.min(index, this.rows.length - 1)]?.root.querySelector<HTMLElement>('.row-buttons > :last-child');
		(next ?? this.content.querySelector<HTMLElement>(':scope > .button:last-child'))?.focus();
	}

	/** Numbers the rows, also for screen readers. */
	private number(): void {
		const { strings } = this.context;
		this.note.textContent = this.isSet && this.current.length === 0 ? strings.emptyList : '';
		this.rows.forEach(({ root }, index) => {
			root.setAttribute('aria-label', named(strings, this.slot.label, String(index + 1)));
			const [number] = root.children;
			if (number) {
				number.textContent = String(index + 1);
			}
		});
	}
}

/** One of several forms for a value. What was entered in the others stays there while the page is open. */
export class VariantsView extends View {
	private readonly select = element('select', 'input');
	private readonly body = element('div', 'variant');
	/** The forms that were shown, by the indexes of their variants; that of a value that fits no variant is -1. */
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
		select.id = context.id();
		select.addEventListener('change', () => this.choose(select.value === '' ? undefined : Number(select.value)));
		if (slot.isBare === true) {
			select.setAttribute('aria-label', named(context.strings, slot.label, context.strings.variant));
		} else {
			const parts = this.labelParts();
			const label = element('label', 'label', ...parts);
			label.htmlFor = select.id;
			select.setAttribute('aria-labelledby', parts[0]?.id ?? '');
			this.root.append(label);
		}
		this.root.append(...this.texts(node.hint), select, this.body);
		this.show(fitting, value);
	}

	override get variant(): number | undefined {
		return this.shown;
	}

	override *parts(): Iterable<readonly [step: string, part: View]> {
		const form = this.forms.get(this.shown ?? NaN);
		yield* form?.parts() ?? [];
	}

	override get unfinished(): { readonly text: string; readonly problem: string } | undefined {
		return this.forms.get(this.shown ?? NaN)?.unfinished;
	}

	override type(text: string): void {
		this.forms.get(this.shown ?? NaN)?.type(text);
	}

	override open(step: string): View | undefined {
		return this.forms.get(this.shown ?? NaN)?.open(step);
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
		const form = this.forms.get(this.shown ?? NaN);
		if (form) {
			form.showProblem(text);
			super.showProblem(undefined);
		} else {
			super.showProblem(text);
		}
	}

	/** Shows the form of a variant. @param first its value, if it wasn't shown before */
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
			label: slot.label,
			isRequired: true,
			isBare: true,
			isItem: slot.isItem === true,
			isSecret: slot.isSecret === true,
			level: slot.level,
			value,
			onChange: it => this.change(it),
		});
		this.forms.set(variant, form);
		return form;
	}
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
