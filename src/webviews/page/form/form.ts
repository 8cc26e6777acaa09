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
import { createView, ObjectView } from './groups.js';
import type { FormFromView, FormProblem, FormState, FormToView } from './protocol.js';
import { emptyValue, hasSecrets, jsonOf, type Members, withoutSecrets } from './value.js';
import { focusIn, type FormContext, setText, type View, viewsAround } from './view.js';

/** Milliseconds after the last change until the value is checked. */
const checkMs = 200;
/** Problems that are listed above the fields. */
const maxListed = 20;

export class Form {
	readonly root = element('div', 'form');
	private readonly summary = element('div', 'problems');
	private readonly fields = element('div', 'fields');
	private readonly json = element('textarea', 'input code whole');
	private readonly jsonProblem = element('p', 'problem');
	private context: FormContext | undefined;
	private view: View | undefined;
	/** The last valid value of the JSON text. */
	private jsonValue: Members = {};
	/** The JSON text as it was when the person began to edit it. */
	private jsonBefore = '';
	private revision = 0;
	private problems: readonly FormProblem[] = [];
	/** Whether the person has tried to use the value, so that all problems are shown. */
	private showsAll = false;
	/** Whether the main button of the pointer is down. */
	private isPressed = false;
	/** The listed problems as JSON, to find out whether the list must be updated. */
	private listed = '[]';
	private timer: Timer | undefined;
	private lastId = 0;

	/**
	 * @param tell sends a message to the extension
	 * @param onChange called soon after a change, so that the page can save `state`
	 */
	constructor(
		private readonly tell: (message: FormFromView) => void,
		private readonly onChange: () => void = () => undefined,
	) {
		this.json.spellcheck = false;
		this.json.hidden = true;
		this.jsonProblem.id = 'form-json-problem';
		this.json.setAttribute('aria-describedby', this.jsonProblem.id);
		this.root.append(this.summary, this.fields, this.json, this.jsonProblem);
		this.root.addEventListener('input', () => this.changed());
		this.root.addEventListener('focusout', event => this.onLeave(event));
		window.addEventListener('pointerdown', ({ button }) => (this.isPressed = button === 0), true);
		for (const released of ['pointerup', 'pointercancel']) {
			window.addEventListener(released, () => clock.setTimeout(() => this.release(), 0));
		}
	}

	/** Whether the value is edited as JSON. */
	get isJson(): boolean {
		return !this.json.hidden;
	}

	/** The value, with unfinished texts as strings. */
	get value(): Members {
		const value = this.isJson ? this.jsonValue : this.view?.value;
		return isRecord(value) ? value : {};
	}

	/** The state to keep while the view is hidden, without secrets. */
	get state(): FormState | undefined {
		const { context, json, unfinished } = this;
		if (!context) {
			return undefined;
		}
		const { form } = context;
		// An unfinished text may be a secret.
		const mayKeep = (text: string): boolean => !hasSecrets(form) && !mayContainSecret(text);
		const hidden = new Set(unfinished.map(([, it]) => it.value).filter(it => typeof it === 'string' && !mayKeep(it)));
		const value: unknown = JSON.parse(
			JSON.stringify(this.value, (_, it: unknown) => (hidden.has(it) ? undefined : it)),
		);
		return {
			value: withoutSecrets(form, form.root, value),
			unfinished: unfinished.filter(([, it]) => !hidden.has(it.value)).map(([pointer]) => pointer),
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
			if (message.isAttempt && message.problems.length > 0) {
				this.focusFirst();
			}
		} else if (message.type === 'completions') {
			const { argument, options, note } = message;
			this.views.find(([pointer]) => stepsOf(pointer)[0] === argument)?.[1].suggest(options, note);
		}
	}

	/** Restores a kept state. Call this after the form was shown. */
	restore({ value, unfinished, variants, json }: FormState): void {
		if (this.context && isRecord(value)) {
			this.build(this.context, value, { unfinished, variants });
			if (json !== undefined) {
				this.toggleJson();
				setText(this.json, json);
				this.changed();
			}
		}
	}

	/** Switches between the fields and the JSON text. Stays at the text, with a message, while the text isn't valid. */
	toggleJson(): void {
		const { context } = this;
		if (!this.isJson || !context) {
			this.jsonValue = this.value;
			this.setJsonText(jsonOf(this.value));
			this.setJson(true);
			this.json.focus();
		} else if (!this.readJson()) {
			this.json.focus();
		} else {
			this.setJson(false);
			if (this.json.value !== this.jsonBefore) {
				this.build(context, this.jsonValue);
			}
			this.changed();
			this.focusFirst();
		}
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
		if (this.isJson ? this.readJson() : this.unfinished.length === 0) {
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
		return this.views.filter(([, it]) => it.unfinished !== undefined);
	}

	private get variants(): Readonly<Record<string, number>> {
		const chosen = (this.isJson ? [] : this.views).map(([pointer, it]) => [pointer, it.variant ?? -1] as const);
		return Object.fromEntries(chosen.filter(([, variant]) => variant >= 0));
	}

	/** The problems that the extension and the form itself have found, one for each part, in the order of the parts. */
	private get allProblems(): readonly FormProblem[] {
		const unfinished = this.isJson ? [] : this.unfinished;
		const own = unfinished.map(([pointer, it]) => ({ pointer, text: it.unfinished ?? '' }));
		const others = this.problems.filter(it => !own.some(({ pointer }) => pointer === it.pointer));
		const all = new Map([...own, ...others].toReversed().map(it => [it.pointer, it] as const));
		const order = new Map(this.views.map(([pointer], index) => [pointer, index] as const));
		const placeOf = ({ pointer }: FormProblem): number => order.get(pointer) ?? Infinity;
		return [...all.values()].toSorted((a, b) => placeOf(a) - placeOf(b) || 0);
	}

	private show({ form, strings, value }: Extract<FormToView, { type: 'form' }>): void {
		const isFirst = this.context === undefined;
		const before = {
			value: this.value,
			unfinished: this.unfinished.map(([pointer]) => pointer),
			variants: this.variants,
		};
		const focused = this.focusedPointer();
		const context: FormContext = {
			form,
			strings,
			kept: nothingKept,
			id: () => `form-${++this.lastId}`,
			changed: () => this.changed(),
			complete: (pointer, text) => {
				const [argument = ''] = stepsOf(pointer);
				this.tell({ type: 'complete', argument, text, value: this.value });
			},
		};
		this.json.setAttribute('aria-label', strings.json);
		this.problems = [];
		if (value) {
			this.showsAll = false;
			this.summary.replaceChildren();
			this.listed = '[]';
			this.jsonValue = value;
			this.setJsonText(jsonOf(value));
			this.build(context, value);
			this.setJson(this.isJson);
		} else if (isFirst) {
			const first = emptyValue(form, form.root);
			this.build(context, isRecord(first) ? first : {});
		} else {
			this.build(context, before.value, before);
			// Without the focus in the page, this would take it from the editor.
			if (focused !== undefined && !this.isJson && document.hasFocus()) {
				this.reveal(focused);
			}
		}
	}

	/** Creates the fields. */
	private build(context: FormContext, value: Members, kept: FormContext['kept'] = nothingKept): void {
		const { strings, form } = context;
		this.context = context;
		const slot = { pointer: '', node: form.root, label: '', isRequired: true, isBare: true, level: 0, value };
		context.kept = kept;
		this.view = createView(context, slot);
		context.kept = nothingKept;
		const isEmpty = this.view instanceof ObjectView && this.view.isEmpty;
		this.fields.replaceChildren(isEmpty ? element('p', 'hint', strings.noFields) : this.view.root);
		this.changed();
	}

	/** Creates, shows and focuses the part with a pointer, or the last part on the path to it. */
	private reveal(pointer: string): void {
		let part = this.view;
		for (const step of stepsOf(pointer)) {
			const next = part?.open(step);
			if (!next) {
				break;
			}
			part = next;
		}
		this.refresh();
		if (part) {
			focusIn(part.root);
			part.root.scrollIntoView({ block: 'nearest' });
		}
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
		if (this.isJson) {
			this.readJson();
		}
		this.refresh();
	}

	/** Lets the extension check the value and the page save it. */
	private check(): void {
		clock.clearTimeout(this.timer);
		this.timer = undefined;
		this.onChange();
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

	/** The pointer was released, and the click has arrived. */
	private release(): void {
		this.isPressed = false;
		this.refresh();
	}

	/** Shows the problems of the fields that the person has left, or all problems. */
	private refresh(): void {
		const { allProblems, isPressed } = this;
		if (isPressed) {
			// A problem that appears now would move a button away from under the pointer, and the button would get no click.
			return;
		}
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
		const { context, summary, allProblems } = this;
		const key = JSON.stringify(allProblems);
		if (!context || key === this.listed) {
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
			const label = parts.get(pointer)?.label || stepsOf(pointer).at(-1) || context.strings.json;
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
			element('p', 'problem', drawn('warning'), context.strings.fixFields),
			element('ul', '', ...lines),
		);
	}

	private setJsonText(text: string): void {
		this.jsonBefore = text;
		setText(this.json, text);
	}

	private setJson(isJson: boolean): void {
		this.json.hidden = !isJson;
		this.fields.hidden = isJson;
		this.jsonProblem.textContent = '';
		this.json.removeAttribute('aria-invalid');
	}

	/** Reads the JSON text. Shows a problem and returns false if the text isn't an object. */
	private readJson(): boolean {
		const value = parseJson(this.json.value);
		const isValid = isRecord(value);
		this.jsonValue = isValid ? value : this.jsonValue;
		this.jsonProblem.textContent = isValid ? '' : (this.context?.strings.notJson ?? '');
		this.json.setAttribute('aria-invalid', String(!isValid));
		return isValid;
	}
}

const nothingKept: FormContext['kept'] = { unfinished: [], variants: {} };
