/**
 * A form for a JSON value, with a field for each part, or one text field for the whole value as JSON. Used by several pages.
 * The extension checks the value. The form shows the problems of a field after the person has left the field or has tried
 * to use the value.
 */
import { clock, type Timer } from '../../../base/clock.js';
import { stepsOf } from '../../../base/jsonPointer.js';
import { parseJson } from '../../../base/parseJson.js';
import { mayContainSecret } from '../../../base/secretWords.js';
import { isRecord } from '../checks.js';
import { button, drawn, element, isolated } from '../elements.js';
import { FieldView } from './field.js';
import { ListView, ObjectView, VariantsView } from './groups.js';
import type { FormFromView, FormProblem, FormState, FormToView, ShownForm, Strings } from './protocol.js';
import { emptyValue, hasSecrets, holds, jsonOf, type Members, nodeAt, withoutSecrets, withTexts } from './value.js';
import { focusIn, type FormContext, type Slot, type View, viewsAround } from './view.js';

/** Milliseconds after the last change until the value is checked. */
const checkMs = 200;
/** Problems that are listed above the fields. */
const maxListed = 20;

/** The form shown for one schema. */
interface Shown {
	readonly form: ShownForm;
	readonly strings: Strings;
	readonly context: FormContext;
}

export class Form {
	readonly root = element('div', 'form');
	private readonly summary = element('div', 'problems');
	private readonly fields = element('div', 'fields');
	private readonly json = element('textarea', 'input code whole');
	private readonly jsonProblem = element('p', 'problem');
	private shown: Shown | undefined;
	private view: View | undefined;
	/** The value of the fields, without unfinished texts. */
	private current: unknown;
	/** The JSON text as it was when the person began to edit it. */
	private jsonBefore: string | undefined;
	private revision = 0;
	private problems: readonly FormProblem[] = [];
	/** Whether the person has tried to use the value, so that all problems are shown. */
	private showsAll = false;
	/** The listed problems as JSON, to find out whether the list must be updated. */
	private listed = '[]';
	private timer: Timer | undefined;
	private lastId = 0;

	/**
	 * @param tell sends a message to the extension
	 * @param onChange called after each change, so that the page can save `state`
	 */
	constructor(
		private readonly tell: (message: FormFromView) => void,
		private readonly onChange: () => void = () => undefined,
	) {
		this.json.spellcheck = false;
		this.json.hidden = true;
		this.jsonProblem.id = 'form-json-problem';
		this.json.setAttribute('aria-describedby', this.jsonProblem.id);
		this.json.addEventListener('input', () => this.readJson());
		this.root.append(this.summary, this.fields, this.json, this.jsonProblem);
		this.root.addEventListener('focusout', event => this.onLeave(event));
	}

	/** Whether the value is edited as JSON. */
	get isJson(): boolean {
		return !this.json.hidden;
	}

	/** The value, with unfinished texts as strings. */
	get value(): Members {
		const value = withTexts(this.current, this.texts);
		return isRecord(value) ? value : {};
	}

	/** The state to keep while the view is hidden, without secrets. */
	get state(): FormState | undefined {
		const { shown, json } = this;
		if (!shown) {
			return undefined;
		}
		const { form } = shown;
		// An unfinished text may be a secret.
		const mayKeep = (text: string): boolean => !hasSecrets(form) && !mayContainSecret(text);
		return {
			value: withoutSecrets(form, form.root, this.current),
			texts: Object.fromEntries(Object.entries(this.texts).filter(([, it]) => mayKeep(it))),
			variants: this.variants,
			json: this.isJson && mayKeep(json.value) ? json.value : undefined,
		};
	}

	take(message: FormToView): void {
		if (message.type === 'form') {
			this.show(message);
		} else if (message.type === 'formProblems' && message.revision === this.revision) {
			this.problems = message.problems;
			this.refresh();
			if (message.isAttempt) {
				this.focusFirst();
			}
		}
	}

	/** Restores a kept state. Call this after the form was shown. */
	restore({ value, texts, variants, json }: FormState): void {
		if (this.shown && isRecord(value)) {
			this.build(value, texts, variants);
			if (json !== undefined) {
				this.toggleJson();
				this.json.value = json;
				this.readJson();
			}
		}
	}

	/** Switches between the fields and the JSON text. Stays at the text, with a message, while the text isn't valid. */
	toggleJson(): void {
		if (!this.isJson) {
			this.json.value = this.jsonBefore = jsonOf(this.value);
			this.setJson(true);
			this.json.focus();
			return;
		}
		const value = this.readJson();
		if (value === undefined) {
			this.json.focus();
			return;
		}
		const isSame = this.json.value === this.jsonBefore;
		this.setJson(false);
		if (isSame) {
			this.current = this.view?.value;
			this.changed();
		} else {
			this.build(value);
		}
		this.focusFirst();
	}

	/** Focuses the first field, or the first that has a problem. */
	focusFirst(): void {
		if (this.isJson) {
			this.json.focus();
			return;
		}
		const [first] = this.allProblems;
		if (first && this.showsAll) {
			this.reveal(first.pointer);
		} else {
			focusIn(this.fields);
		}
	}

	/** Whether the value can be used. If a text isn't a value yet, shows all problems and focuses the first. */
	attempt(): boolean {
		this.showsAll = true;
		this.check();
		if (this.isJson ? this.readJson() !== undefined : this.unfinished.length === 0) {
			return true;
		}
		this.refresh();
		this.focusFirst();
		return false;
	}

	private get views(): readonly (readonly [pointer: string, part: View])[] {
		return [...(this.view?.all() ?? [])];
	}

	private get unfinished(): readonly (readonly [pointer: string, part: View])[] {
		return this.isJson ? [] : this.views.filter(([, it]) => it.unfinished);
	}

	/** Unfinished texts, by pointer. */
	private get texts(): Readonly<Record<string, string>> {
		return Object.fromEntries(this.unfinished.map(([pointer, it]) => [pointer, it.unfinished?.text ?? '']));
	}

	private get variants(): Readonly<Record<string, number>> {
		const chosen = (this.isJson ? [] : this.views).map(([pointer, it]) => [pointer, it.variant] as const);
		return Object.fromEntries(chosen.filter((it): it is readonly [string, number] => (it[1] ?? -1) >= 0));
	}

	/** The problems that the extension and the form itself have found, one for each part, in the order of the parts. */
	private get allProblems(): readonly FormProblem[] {
		const own = this.unfinished.map(([pointer, it]) => ({ pointer, text: it.unfinished?.problem ?? '' }));
		const others = this.problems.filter(it => !own.some(({ pointer }) => pointer === it.pointer));
		const all = new Map([...own, ...others].toReversed().map(it => [it.pointer, it] as const));
		const order = new Map(this.views.map(([pointer], index) => [pointer, index] as const));
		const placeOf = ({ pointer }: FormProblem): number => order.get(pointer) ?? Infinity;
		return [...all.values()].toSorted((a, b) => placeOf(a) - placeOf(b) || 0);
	}

	private show({ form, strings, value }: Extract<FormToView, { type: 'form' }>): void {
		const isFirst = this.shown === undefined;
		const before = { value: this.value, texts: this.texts, variants: this.variants };
		const focused = this.focusedPointer();
		const context: FormContext = {
			form,
			strings,
			id: () => `form-${++this.lastId}`,
			create: slot => this.create(slot),
		};
		this.shown = { form, strings, context };
		this.json.setAttribute('aria-label', strings.json);
		this.problems = [];
		if (value) {
			this.showsAll = false;
			this.summary.replaceChildren();
			this.listed = '[]';
			this.build(value);
			this.json.value = this.jsonBefore = jsonOf(value);
			this.setJson(this.isJson);
		} else if (isFirst) {
			const first = emptyValue(form, form.root);
			this.build(isRecord(first) ? first : {});
		} else {
			this.build(before.value, {}, before.variants);
			if (focused !== undefined && !this.isJson) {
				this.reveal(focused);
			}
		}
	}

	/** Creates the fields. */
	private build(
		value: Members,
		texts: Readonly<Record<string, string>> = {},
		variants: Readonly<Record<string, number>> = {},
	): void {
		const { shown } = this;
		if (!shown) {
			return;
		}
		this.current = value;
		this.view = this.create({
			node: shown.form.root,
			label: '',
			isRequired: true,
			isBare: true,
			level: 0,
			value,
			onChange: it => {
				this.current = it;
				this.changed();
			},
		});
		const isEmpty = this.view instanceof ObjectView && this.view.isEmpty;
		this.fields.replaceChildren(isEmpty ? element('p', 'hint', shown.strings.noFields) : this.view.root);
		for (const [pointer, variant] of Object.entries(variants)) {
			const part = this.open(pointer, true);
			if (part?.variant !== variant) {
				part?.prefer(variant);
			}
		}
		for (const [pointer, text] of Object.entries(texts)) {
			this.open(pointer, true)?.type(text);
		}
		this.changed();
	}

	private create(slot: Slot): View {
		const { form, context } = this.shown as Shown;
		const node = nodeAt(form, slot.node);
		if (node.kind === 'variants') {
			return new VariantsView(context, slot);
		}
		if (node.kind === 'object' && holds(node, slot.value)) {
			return new ObjectView(context, slot);
		}
		return node.kind === 'list' && holds(node, slot.value) ? new ListView(context, slot) : new FieldView(context, slot);
	}

	/** Creates and shows the parts on the path of a pointer. @param isExact returns nothing, instead of the last part found, if the part doesn't exist */
	private open(pointer: string, isExact: boolean): View | undefined {
		let part = this.view;
		for (const step of stepsOf(pointer)) {
			const next = part?.open(step);
			if (!next) {
				return isExact ? undefined : part;
			}
			part = next;
		}
		return part;
	}

	private reveal(pointer: string): void {
		const part = this.open(pointer, false);
		this.refresh();
		part?.focus();
		part?.root.scrollIntoView({ block: 'nearest' });
	}

	private focusedPointer(): string | undefined {
		const focused = document.activeElement;
		const [inner] = focused && this.root.contains(focused) ? viewsAround(focused) : [];
		return this.views.find(([, it]) => it === inner)?.[0];
	}

	private changed(): void {
		this.revision++;
		clock.clearTimeout(this.timer);
		this.timer = clock.setTimeout(() => this.check(), checkMs);
		this.refresh();
		this.onChange();
	}

	/** Has the extension check the value. */
	private check(): void {
		clock.clearTimeout(this.timer);
		this.timer = undefined;
		this.tell({ type: 'formChanged', revision: this.revision, value: this.value, variants: this.variants });
	}

	private onLeave({ target, relatedTarget }: FocusEvent): void {
		const parts = target instanceof Element ? viewsAround(target) : [];
		for (const part of parts) {
			part.isLeft ||= !(relatedTarget instanceof Node && part.root.contains(relatedTarget));
		}
		if (this.timer !== undefined) {
			this.check();
		}
		this.refresh();
	}

	/** Shows the problems of the fields that the person has left, or all problems. */
	private refresh(): void {
		const { allProblems } = this;
		for (const [pointer, part] of this.views) {
			// A JSON field also shows the problems within its value.
			const isHere = (it: FormProblem): boolean =>
				it.pointer === pointer || (part instanceof FieldView && it.pointer.startsWith(`${pointer}/`));
			part.showProblem(part.isLeft || this.showsAll ? allProblems.find(isHere)?.text : undefined);
		}
		if (this.showsAll) {
			this.list();
		}
	}

	/** Lists the problems above the fields. Each leads to its field. */
	private list(): void {
		const { shown, summary, allProblems } = this;
		const key = JSON.stringify(allProblems);
		if (!shown || key === this.listed) {
			// An unchanged list stays, because a line that is replaced during a click doesn't get it.
			return;
		}
		this.listed = key;
		if (allProblems.length === 0) {
			summary.replaceChildren();
			return;
		}
		const parts = new Map(this.views);
		const lines = allProblems.slice(0, maxListed).map(({ pointer, text }) => {
			const label = parts.get(pointer)?.label || stepsOf(pointer).at(-1) || shown.strings.json;
			const line = button('', undefined, () => {
				if (this.isJson) {
					this.toggleJson();
				}
				this.reveal(pointer);
			});
			line.className = 'link';
			line.replaceChildren(isolated('span', 'name', label), isolated('span', '', text));
			return element('li', '', line);
		});
		summary.replaceChildren(
			element('p', 'problem', drawn('warning'), shown.strings.fixFields),
			element('ul', '', ...lines),
		);
	}

	private setJson(isJson: boolean): void {
		this.json.hidden = !isJson;
		this.fields.hidden = isJson;
		this.jsonProblem.textContent = '';
		this.json.removeAttribute('aria-invalid');
	}

	/** Parses the JSON text and takes its value; `undefined` if it isn't an object. */
	private readJson(): Members | undefined {
		const value = parseJson(this.json.value);
		const isValid = isRecord(value);
		this.jsonProblem.textContent = isValid ? '' : (this.shown?.strings.notJson ?? '');
		this.json.setAttribute('aria-invalid', String(!isValid));
		if (isValid) {
			this.current = value;
			this.changed();
			return value;
		}
		this.onChange();
		return undefined;
	}
}
