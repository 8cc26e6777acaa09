/** A field of a form, with one control. */
import { createControl, jsonControl } from './controls.js';
import { holds } from './value.js';
import { type FormContext, type Slot, View } from './view.js';

/** A field with one control. A value that the control can't show is edited as JSON. */
export class FieldView extends View {
	private readonly main: HTMLElement;
	private typed: { readonly text: string; readonly problem: string } | undefined;
	private readonly typeText: ((text: string) => void) | undefined;
	private readonly described: readonly string[];

	constructor(context: FormContext, slot: Slot) {
		super(context, slot, 'field');
		const { node } = this;
		const isOther = !holds(node, slot.value);
		const host = {
			node,
			strings: context.strings,
			isSecret: node.isSecret || slot.isSecret === true,
			canBeEmpty: !slot.isRequired || node.isNullable,
			value: slot.value,
			id: context.id,
			change: (value: unknown) => this.set(value === undefined ? this.empty : value, undefined),
			unfinished: (text: string, problem: string) => this.set(this.noValue, { text, problem }),
			emptyText: () => this.emptyText(),
		};
		const { root, main, type } = isOther ? jsonControl(host) : createControl(host);
		const texts = this.texts([isOther ? context.strings.otherJson : '', node.hint].filter(Boolean).join(' '));
		this.described = texts.map(it => it.id);
		this.main = main;
		this.typeText = type;
		this.addLabel(main, slot.label);
		if (slot.isRequired && main.getAttribute('role') !== 'group') {
			main.setAttribute('aria-required', 'true');
		}
		const [description, ...hints] = texts;
		const isFirst = description?.className === 'description';
		this.root.append(...(isFirst ? [description, root, ...hints] : [root, ...texts]));
		this.update(undefined);
	}

	override get unfinished(): { readonly text: string; readonly problem: string } | undefined {
		return this.typed;
	}

	override type(text: string): void {
		this.typeText?.(text);
	}

	override focus(): void {
		const { main } = this;
		const isGroup = main.getAttribute('role')?.endsWith('group') === true;
		const checked = main.querySelector<HTMLElement>('input:checked');
		(isGroup ? (checked ?? main.querySelector<HTMLElement>('input')) : main)?.focus();
	}

	override showProblem(text: string | undefined): void {
		super.showProblem(text);
		this.update(text);
	}

	/** The value of the field after its text was deleted. */
	private get empty(): unknown {
		const { isRequired, isItem } = this.slot;
		const isText = this.node.kind === 'text' && !this.node.isNullable;
		return isText && (isRequired || isItem === true) ? '' : this.noValue;
	}

	private get noValue(): unknown {
		return this.slot.isItem === true || (this.slot.isRequired && this.node.isNullable) ? null : undefined;
	}

	private set(value: unknown, typed: { readonly text: string; readonly problem: string } | undefined): void {
		this.typed = typed;
		this.change(value);
		this.showPlaceholder();
	}

	private showPlaceholder(): void {
		const { main } = this;
		if (main instanceof HTMLInputElement || main instanceof HTMLTextAreaElement) {
			main.placeholder = this.value === '' ? this.context.strings.emptyText : this.emptyText();
		}
	}

	private update(problem: string | undefined): void {
		const { main } = this;
		this.showPlaceholder();
		const ids = [...this.described, ...(problem === undefined ? [] : [this.problem.id])];
		setAttribute(main, 'aria-describedby', ids.join(' '));
		setAttribute(main, 'aria-invalid', problem === undefined ? '' : 'true');
	}
}

function setAttribute(target: HTMLElement, name: string, value: string): void {
	if (value === '') {
		target.removeAttribute(name);
	} else {
		target.setAttribute(name, value);
	}
}
