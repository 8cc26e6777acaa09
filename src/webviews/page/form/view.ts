/**
 * The base of all parts of a form: fields, groups, lists and variants. A part is created for one part of the JSON value, and
 * reads the current value from its elements.
 */
import { escapeStep } from '../../../base/jsonPointer.js';
import { drawn, element, isolated } from '../elements.js';
import type { FormState, ShownForm, ShownNode, ShownOption, Strings } from './protocol.js';
import { nodeAt } from './value.js';

/** The data that all parts of a form share. */
export interface FormContext {
	readonly form: ShownForm;
	readonly strings: Strings;
	/** Unfinished texts and chosen variants to restore in the parts that are created now. */
	kept: Pick<FormState, 'unfinished' | 'variants'>;
	/** Creates an id that no other element has. */
	readonly id: () => string;
	/** Call this after parts were added, moved or removed. Controls fire `input` events instead. */
	readonly changed: () => void;
	/** Requests suggestions for the text at a JSON pointer. `View.suggest` receives them. */
	readonly complete: (pointer: string, text: string) => void;
}

/** The place of a part in the form, and its initial value. */
export interface Slot {
	/** The JSON pointer when the part is created. Rows can move later. */
	readonly pointer: string;
	readonly node: number;
	readonly label: string;
	/** The name of a member, if the label is its title. */
	readonly note?: string;
	readonly isRequired: boolean;
	readonly isSecret?: boolean;
	/** Whether the label is shown elsewhere, such as beside a row. */
	readonly isBare?: boolean;
	/** Whether the part is an element of a list or an entry of a map. Both always have a value. */
	readonly isItem?: boolean;
	/** The number of groups around the part. */
	readonly level: number;
	readonly value: unknown;
}

/** Characters of a text that is laid out like all others. */
const maxLaidOut = 50_000;

export abstract class View {
	readonly root: HTMLElement;
	/** Whether the part had the focus and lost it. */
	isLeft = false;
	protected readonly node: ShownNode;
	protected readonly problem = element('p', 'problem');
	private problemText: string | undefined;

	constructor(
		protected readonly context: FormContext,
		protected readonly slot: Slot,
		className: string,
	) {
		this.node = nodeAt(context.form, slot.node);
		this.root = element('div', className);
		this.problem.id = context.id();
		this.problem.dir = 'auto';
		views.set(this.root, this);
	}

	/** The current value. An unfinished text is a string; `undefined` means that the part isn't set. */
	abstract get value(): unknown;

	/** The name of the part in a list of problems. */
	get label(): string {
		return this.slot.label;
	}

	/** Why the text in the field is unfinished; `undefined` if it is a value. */
	get unfinished(): string | undefined {
		return undefined;
	}

	/** The index of the chosen variant. */
	get variant(): number | undefined {
		return undefined;
	}

	/** The created parts within, by their steps of a JSON pointer. */
	parts(): Iterable<readonly [step: string, part: View]> {
		return [];
	}

	/** Creates and shows the part within that has a step. */
	open(_step: string): View | undefined {
		return undefined;
	}

	/** This part and those within, by their JSON pointers. */
	*all(pointer = ''): Generator<readonly [pointer: string, part: View]> {
		yield [pointer, this];
		for (const [step, part] of this.parts()) {
			yield* part.all(`${pointer}/${escapeStep(step)}`);
		}
	}

	/** Shows values that the server suggests. */
	suggest(_options: readonly ShownOption[], _note: string): void {}

	showProblem(text: string | undefined): void {
		if (text !== this.problemText) {
			this.problemText = text;
			this.problem.replaceChildren(...(text === undefined ? [] : [drawn('warning'), text]));
		}
	}

	/** Whether the part can be left without a value, or with `null`. */
	protected get canBeEmpty(): boolean {
		return !this.slot.isRequired || this.node.isNullable;
	}

	/** The value of an empty part. Elements of a list, which can't be left out, and required nullable parts are `null`. */
	protected get noValue(): null | undefined {
		return this.slot.isItem === true || (this.slot.isRequired && this.node.isNullable) ? null : undefined;
	}

	/** The text that an empty part shows. */
	protected emptyText(value: unknown): string {
		const { context, node, slot } = this;
		if (value === null || (slot.isRequired && node.isNullable)) {
			return 'null';
		}
		if (slot.isRequired || node.defaultText === '') {
			return slot.isRequired && slot.isItem !== true ? '' : context.strings.notSet;
		}
		return context.strings.defaultValue.replace('{0}', () => node.defaultText);
	}

	/** The description and the hint, with ids. */
	protected texts(hint: string): readonly HTMLElement[] {
		const description = this.slot.isBare === true ? '' : this.node.description;
		const shown = [isolated('p', 'description', description), isolated('p', 'hint', hint)];
		return shown.filter(it => it.textContent !== '').map(it => Object.assign(it, { id: this.context.id() }));
	}

	/** The elements of the label. Screen readers read only the first, the name. */
	protected labelParts(): readonly [name: HTMLElement, ...others: HTMLElement[]] {
		const { label, note = '', isRequired, isItem } = this.slot;
		const name = isolated('span', 'name', label);
		name.id = this.context.id();
		const mark = element('span', 'mark', '*');
		mark.setAttribute('aria-hidden', 'true');
		const isMarked = isRequired && isItem !== true;
		return [name, ...(isMarked ? [mark] : []), ...(note === '' ? [] : [isolated('code', 'note', note)])];
	}

	/** Labels a control with the label of the part. @param bareName the name for screen readers if the label is shown elsewhere */
	protected addLabel(control: HTMLElement, bareName: string): void {
		control.id = this.context.id();
		if (this.slot.isBare === true) {
			control.setAttribute('aria-label', bareName);
			return;
		}
		const parts = this.labelParts();
		const label = element('label', 'label', ...parts);
		label.htmlFor = control.id;
		control.setAttribute('aria-labelledby', parts[0].id);
		this.root.append(label);
	}
}

const views = new WeakMap<Element, View>();

/** The parts of a form that contain an element, the innermost first. */
export function viewsAround(inner: Element): View[] {
	const view = views.get(inner);
	const outer = inner.parentElement ? viewsAround(inner.parentElement) : [];
	return view ? [view, ...outer] : outer;
}

/** Sets the text of a text area. Layout of a long text is slow, so it waits until the text is on the screen. */
export function setText(area: HTMLTextAreaElement, text: string): void {
	area.value = text;
	area.classList.toggle('long', text.length > maxLaidOut);
}

/** Focuses the first field of an element, or its first button if it shows none. */
export function focusIn(outer: HTMLElement): void {
	const all = Array.from(outer.querySelectorAll<HTMLElement>('input,textarea,select,button'));
	const shown = all.filter(it => it.checkVisibility());
	(shown.find(it => it.tagName !== 'BUTTON') ?? shown[0])?.focus();
}

/** Creates a native list of choices, whose values are their indexes. @param empty the line for no choice, if that is possible */
export function selectOf(titles: readonly string[], empty: string | undefined, chosen: number): HTMLSelectElement {
	const select = element('select', 'input');
	if (empty !== undefined) {
		select.append(new Option(empty, ''));
	}
	select.append(...titles.map((it, index) => new Option(it, String(index))));
	select.value = chosen < 0 ? '' : String(chosen);
	return select;
}
