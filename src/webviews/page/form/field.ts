/** A field of a form: one value with a native control. The control doesn't change when the value does. */
import { parseJson } from '../../../base/parseJson.js';
import { readNumber } from '../../../base/readNumber.js';
import { element, isolated } from '../elements.js';
import { fromLocalTime, holds, type InputType, inputTypeFor, optionOf, textOf, toLocalTime } from './value.js';
import type { ShownOption } from './protocol.js';
import { Suggestions } from './suggestions.js';
import { type FormContext, selectOf, setText, type Slot, View } from './view.js';

/** More choices than this can be filtered. */
const maxListed = 20;

/** Convert the text of an input to a value; `undefined` if the text is unfinished. */
const readers: Readonly<Record<InputType, (text: string) => unknown>> = {
	text: it => it,
	date: it => it,
	dateTime: fromLocalTime,
	number: readNumber,
	json: parseJson,
};

/** The content of a control: a value, or an unfinished text with its problem. */
interface Entered {
	readonly value: unknown;
	readonly problem?: string;
}

export class FieldView extends View {
	private readonly control: HTMLElement;
	/** The initial value until the person changes it, then the content of the control. */
	private entered: Entered;
	private suggestions: Suggestions | undefined;

	constructor(context: FormContext, slot: Slot) {
		super(context, slot, 'field');
		const { node, problem } = this;
		// A value that the control can't show is edited as JSON.
		const isOther = !holds(node, slot.value);
		const [control, read] = this.create(isOther ? 'json' : node.kind);
		this.entered = this.wasUnfinished ? read() : { value: slot.value };
		const texts = this.texts([isOther ? context.strings.otherJson : '', node.hint].filter(Boolean).join(' '));
		this.addLabel(control, slot.label);
		if (slot.isRequired && control.getAttribute('role') !== 'group') {
			control.setAttribute('aria-required', 'true');
		}
		control.setAttribute('aria-describedby', [...texts, problem].map(it => it.id).join(' '));
		control.addEventListener('input', () => {
			this.entered = read();
			this.showPlaceholder();
		});
		const [description, ...hints] = texts;
		const isFirst = description?.className === 'description';
		this.root.append(...(isFirst ? [description, control, ...hints] : [control, ...texts]), problem);
		if (this.suggestions) {
			control.after(this.suggestions.root);
		}
		this.control = control;
		this.showPlaceholder();
	}

	override suggest(options: readonly ShownOption[], note: string): void {
		this.suggestions?.show(options, note);
	}

	override get value(): unknown {
		return this.entered.value;
	}

	override get unfinished(): string | undefined {
		return this.entered.problem;
	}

	override showProblem(text: string | undefined): void {
		super.showProblem(text);
		this.control.setAttribute('aria-invalid', String(text !== undefined));
	}

	/** Creates the control for a kind of node, and the function that reads it. */
	private create(kind: string): readonly [control: HTMLElement, read: () => Entered] {
		switch (kind) {
			case 'choice':
				return this.createSelect();
			case 'choices':
				return this.createCheckBoxes();
			default:
				return this.createInput(inputTypeFor(kind, this.slot.value));
		}
	}

	private createInput(type: InputType): readonly [HTMLElement, () => Entered] {
		const { context, slot, node } = this;
		const { strings } = context;
		const text = textOf(slot.value, type === 'json' && !this.wasUnfinished);
		const isSecret = node.isSecret || slot.isSecret === true;
		const isDate = type === 'date' || type === 'dateTime';
		const isLine =
			isDate || type === 'number' || (type === 'text' && (isSecret || node.isLine) && !text.includes('\n'));
		const input = isLine ? element('input', 'input') : element('textarea', 'input');
		if (input instanceof HTMLTextAreaElement) {
			input.rows = type === 'json' ? 2 : 1;
			input.classList.toggle('masked', isSecret);
			input.classList.toggle('code', type === 'json');
			setText(input, text);
		} else {
			input.type = type === 'dateTime' ? 'datetime-local' : isDate ? 'date' : isSecret ? 'password' : 'text';
			input.classList.toggle('date', isDate);
			// Without this step, the input for a date and time has no seconds.
			input.step = type === 'dateTime' ? '1' : '';
			input.value = type === 'dateTime' ? (toLocalTime(text) ?? '') : text;
		}
		input.inputMode = type === 'number' ? 'decimal' : '';
		input.autocomplete = 'off';
		input.spellcheck = false;
		if (context.form.isCompleted && type === 'text') {
			const ask = (): void => context.complete(slot.pointer, input.value);
			this.suggestions = new Suggestions(input, slot.label, context.id, ask);
		}
		const problem = isDate ? strings.incomplete : type === 'number' ? strings.enterNumber : strings.notJson;
		// An incomplete date fires no `input` event.
		input.addEventListener(
			'blur',
			() => input.validity.badInput && input.dispatchEvent(new Event('input', { bubbles: true })),
		);
		return [
			input,
			() => {
				const { value: typed, validity } = input;
				const isEmpty = typed === '' || (typed.trim() === '' && type !== 'text');
				const read = isEmpty ? undefined : readers[type](typed);
				const isRead = !validity.badInput && (isEmpty || read !== undefined);
				return isRead ? { value: isEmpty ? this.empty : read } : { value: typed || this.noValue, problem };
			},
		];
	}

	private createSelect(): readonly [HTMLElement, () => Entered] {
		const { node, slot } = this;
		const chosen = optionOf(node, slot.value);
		const titles = node.options.map(it => it.title);
		const empty = this.canBeEmpty || chosen < 0 ? this.emptyText(slot.value) : undefined;
		const select = selectOf(titles, empty, chosen);
		return [select, () => ({ value: select.value === '' ? this.empty : node.options[Number(select.value)]?.value })];
	}

	private createCheckBoxes(): readonly [HTMLElement, () => Entered] {
		const { node, slot, context } = this;
		const chosen: readonly unknown[] = Array.isArray(slot.value) ? slot.value : [];
		const checked = new Set(chosen.map(it => optionOf(node, it)));
		const boxes = node.options.map((_, index) => {
			const box = element('input', '');
			box.type = 'checkbox';
			box.checked = checked.has(index);
			return box;
		});
		const labels = boxes.map((it, index) =>
			element('label', 'option', it, isolated('span', '', node.options[index]?.title ?? '')),
		);
		const root = element('div', '', element('div', 'checks', ...labels));
		root.setAttribute('role', 'group');
		if (boxes.length > maxListed) {
			const filter = element('input', 'input');
			filter.placeholder = context.strings.filter;
			filter.setAttribute('aria-label', context.strings.filter);
			filter.addEventListener('input', event => {
				event.stopPropagation();
				const wanted = filter.value.trim().toLowerCase();
				labels.forEach(it => (it.hidden = !it.textContent.toLowerCase().includes(wanted)));
			});
			root.prepend(filter);
		}
		const read = (): Entered => {
			const values = node.options.filter((_, index) => boxes[index]?.checked === true).map(it => it.value);
			return { value: values.length === 0 && !slot.isRequired ? undefined : values };
		};
		return [root, read];
	}

	/** Whether the value is a text that was unfinished when the form was rebuilt. */
	private get wasUnfinished(): boolean {
		return this.context.kept.unfinished.includes(this.slot.pointer);
	}

	/** The value of the field while its control is empty. */
	private get empty(): '' | null | undefined {
		const { isRequired, isItem } = this.slot;
		const { kind, isNullable, isNonEmpty } = this.node;
		const isText = kind === 'text' && !isNullable;
		return isText && (isItem === true || (isRequired && !isNonEmpty)) ? '' : this.noValue;
	}

	private showPlaceholder(): void {
		const { control } = this;
		if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
			control.placeholder = this.value === '' ? this.context.strings.emptyText : this.emptyText(this.value);
		}
	}
}
