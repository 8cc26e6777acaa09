/**
 * A part of a form: a field, a group, a list, or variants. Each part has its part of the JSON value, and tells the part
 * around it when that changes.
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
	/** Creates a part, and what is within it unless it is collapsed. */
	readonly create: (slot: Slot) => View;
}

/** Where a part is. */
export interface Slot {
	readonly node: number;
	readonly label: string;
	/** The name of a member, if the label is its title. */
	readonly note?: string;
	readonly isRequired: boolean;
	readonly isSecret?: boolean;
	/** Whether the label is shown elsewhere, such as beside a row. */
	readonly isBare?: boolean;
	/** Whether it is an element of a list or an entry of a map, which always has a value. */
	readonly isItem?: boolean;
	/** Levels of groups around it. */
	readonly level: number;
	readonly value: unknown;
	readonly onChange: (value: unknown) => void;
}

export abstract class View {
	readonly root: HTMLElement;
	/** `undefined` if it isn't set. */
	value: unknown;
	/** Whether the focus was in it and has left it. */
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

	/** The name for a list of problems. */
	get label(): string {
		return this.slot.label;
	}

	/** A text that isn't a value yet, and why. */
	get unfinished(): { readonly text: string; readonly problem: string } | undefined {
		return undefined;
	}

	/** The index of the chosen variant. */
	get variant(): number | undefined {
		return undefined;
	}

	/** The parts within that were created, by their steps. */
	parts(): Iterable<readonly [step: string, part: View]> {
		return [];
	}

	/** Creates the part of a step, and shows it. */
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

	/** The label with the name and the mark of a required field. The first part alone is for screen readers. */
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

/** The parts around an element, the innermost first. */
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
