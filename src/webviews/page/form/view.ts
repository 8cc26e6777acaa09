/**
 * The base of all parts of a form: fields, groups, lists and variants. Each part holds one part of the JSON value, and reports
 * changes of it to the part around.
 */
import { escapeStep } from '../../../base/jsonPointer.js';
import { drawn, element, isolated } from '../elements.js';
import type { ShownForm, ShownNode, Strings } from './protocol.js';
import { nodeAt } from './value.js';

/** What all parts of a form share. */
export interface FormContext {
	readonly form: ShownForm;
	readonly strings: Strings;
	/** Creates an id that no other element has. */
	readonly id: () => string;
	/** Creates a part, and the parts within it if it isn't collapsed. */
	readonly create: (slot: Slot) => View;
}

/** The place of a part in the form, and its initial value. */
export interface Slot {
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
	readonly onChange: (value: unknown) => void;
}

export abstract class View {
	readonly root: HTMLElement;
	/** `undefined` if the part isn't set. */
	value: unknown;
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
		this.value = slot.value;
		this.root = element('div', className);
		this.problem.id = context.id();
		this.problem.dir = 'auto';
		views.set(this.root, this);
	}

	/** The name of the part in a list of problems. */
	get label(): string {
		return this.slot.label;
	}

	/** A text that isn't a value yet, and the reason. */
	get unfinished(): { readonly text: string; readonly problem: string } | undefined {
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

	/** Chooses a variant, unless another one fits the value better. */
	prefer(_variant: number): void {}

	/** Shows a text that isn't a value yet. */
	type(_text: string): void {}

	/** This part and those within, by their JSON pointers. */
	*all(pointer = ''): Generator<readonly [pointer: string, part: View]> {
		yield [pointer, this];
		for (const [step, part] of this.parts()) {
			yield* part.all(`${pointer}/${escapeStep(step)}`);
		}
	}

	focus(): void {
		focusIn(this.root);
	}

	showProblem(text: string | undefined): void {
		if (text === this.problemText) {
			return;
		}
		this.problemText = text;
		this.problem.replaceChildren(...(text === undefined ? [] : [drawn('warning'), text]));
		if (text === undefined) {
			this.problem.remove();
		} else {
			this.placeProblem(this.problem);
		}
	}

	protected placeProblem(problem: HTMLElement): void {
		this.root.append(problem);
	}

	protected change(value: unknown): void {
		this.value = value;
		this.slot.onChange(value);
	}

	/** The description and the hint, and their ids. */
	protected texts(hint: string): readonly HTMLElement[] {
		const description = this.slot.isBare === true ? '' : this.node.description;
		const shown = [isolated('p', 'description', description), isolated('p', 'hint', hint)];
		return shown
			.filter(it => it.textContent !== '')
			.map(it => {
				it.id = this.context.id();
				return it;
			});
	}

	/** The elements of the label. Screen readers read only the first, the name. */
	protected labelParts(): readonly HTMLElement[] {
		const { label, note, isRequired, isItem } = this.slot;
		const name = isolated('span', 'name', label);
		name.id = this.context.id();
		const mark = element('span', 'mark', '*');
		mark.setAttribute('aria-hidden', 'true');
		return [
			name,
			...(isRequired && isItem !== true ? [mark] : []),
			...(note === undefined || note === '' ? [] : [isolated('code', 'note', note)]),
		];
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
		control.setAttribute('aria-labelledby', parts[0]?.id ?? '');
		this.root.append(label);
	}

	/** What an optional part shows while it is empty. */
	protected emptyText(): string {
		const { strings } = this.context;
		const { defaultText, isNullable } = this.node;
		if (this.value === null || (this.slot.isRequired && isNullable)) {
			return 'null';
		}
		if (this.slot.isRequired || defaultText === '') {
			return this.slot.isRequired && this.slot.isItem !== true ? '' : strings.notSet;
		}
		return strings.defaultValue.replace('{0}', () => defaultText);
	}
}

const views = new WeakMap<Element, View>();

/** The parts of a form that contain an element, the innermost first. */
export function viewsAround(inner: Element): View[] {
	const found: View[] = [];
	for (let at: Element | null = inner; at; at = at.parentElement) {
		const view = views.get(at);
		if (view) {
			found.push(view);
		}
	}
	return found;
}

/** Focuses the first field of an element, or its first button if it shows none. */
export function focusIn(outer: HTMLElement): void {
	const all = Array.from(outer.querySelectorAll<HTMLElement>('input,textarea,select,button'));
	const shown = all.filter(it => it.checkVisibility());
	(shown.find(it => it.tagName !== 'BUTTON') ?? shown[0])?.focus();
}
