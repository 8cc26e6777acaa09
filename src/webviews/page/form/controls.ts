/** The controls of fields: inputs, choices and JSON. Each edits one value, and doesn't change when the value does. */
import { element, isolated } from '../elements.js';
import type { ShownNode, ShownOption, Strings } from './protocol.js';
import { fromLocalTime, optionOf, textOf, toLocalTime, valueOf } from './value.js';

/** What a field gives to its control. */
export interface ControlHost {
	readonly node: ShownNode;
	readonly strings: Strings;
	readonly isSecret: boolean;
	/** Whether the field can be left without a value, or with `null`. */
	readonly canBeEmpty: boolean;
	/** The initial value. */
	readonly value: unknown;
	/** Creates an id that no other element has. */
	readonly id: () => string;
	/** Sets the value. `undefined`: the control is empty. */
	readonly change: (value: unknown) => void;
	/** Reports a text that isn't a value, and why. */
	readonly unfinished: (text: string, problem: string) => void;
	/** What an empty field shows: that it isn't set, its default, or `null`. */
	readonly emptyText: () => string;
}

export interface Control {
	readonly root: HTMLElement;
	/** The element with the role and the accessible name: the root, or an element inside. */
	readonly main: HTMLElement;
	/** Shows a text that isn't a value, as if it had been typed. */
	readonly type?: (text: string) => void;
}

/** Lists with more choices than this get a search. */
const maxListed = 20;
/** Matching choices that are shown. */
const maxMatches = 100;

export function createControl(host: ControlHost): Control {
	switch (host.node.kind) {
		case 'text':
			return textControl(host);
		case 'number':
			return typedControl(host, element('input', 'input'), host.strings.enterNumber);
		case 'boolean':
			return radios(host);
		case 'choice':
			return host.node.options.length > maxListed ? combobox(host) : select(host);
		case 'choices':
			return checkBoxes(host);
		default:
			return jsonControl(host);
	}
}

/** A field for any value, as JSON. */
export function jsonControl(host: ControlHost): Control {
	const input = element('textarea', host.isSecret ? 'input code masked' : 'input code');
	input.rows = 2;
	return typedControl({ ...host, node: { ...host.node, kind: 'json' } }, input, host.strings.notJson);
}

function textControl(host: ControlHost): Control {
	const { node, value, change } = host;
	const text = textOf(node, value);
	const local = node.input === 'dateTime' ? toLocalTime(text) : undefined;
	if (node.input === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(text)) {
		return dated(host, 'date', text, it => it);
	}
	if (node.input === 'dateTime' && (text === '' || local !== undefined)) {
		return dated(host, 'datetime-local', local ?? '', fromLocalTime);
	}
	const isLine = host.isSecret || node.input !== 'lines';
	const input = isLine && !text.includes('\n') ? element('input', 'input') : element('textarea', 'input');
	if (input instanceof HTMLInputElement) {
		input.type = host.isSecret ? 'password' : 'text';
		input.autocomplete = 'off';
	} else {
		input.rows = 1;
		input.classList.toggle('masked', host.isSecret);
	}
	input.spellcheck = false;
	input.value = text;
	input.addEventListener('input', () => change(input.value === '' ? undefined : input.value));
	return { root: input, main: input };
}

function dated(host: ControlHost, type: string, text: string, toValue: (text: string) => string): Control {
	const input = element('input', 'input date');
	input.type = type;
	// Without this step, the input has no seconds.
	input.step = type === 'date' ? '' : '1';
	input.value = text;
	const change = (): void => {
		if (input.validity.badInput) {
			host.unfinished('', host.strings.incomplete);
		} else {
			host.change(input.value === '' ? undefined : toValue(input.value));
		}
	};
	input.addEventListener('input', change);
	// An incomplete date fires no `input` event.
	input.addEventListener('blur', () => input.validity.badInput && change());
	return { root: input, main: input };
}

/** A control whose text is parsed: as a number or as JSON. */
function typedControl(host: ControlHost, input: HTMLInputElement | HTMLTextAreaElement, problem: string): Control {
	const { node, value, change, unfinished } = host;
	input.spellcheck = false;
	input.autocomplete = 'off';
	if (node.kind === 'number') {
		input.inputMode = 'decimal';
	}
	input.value = textOf(node, value);
	const read = (): void => {
		const read = valueOf(node, input.value);
		if (input.value.trim() === '') {
			change(undefined);
		} else if (read === undefined) {
			unfinished(input.value, problem);
		} else {
			change(read);
		}
	};
	input.addEventListener('input', read);
	return {
		root: input,
		main: input,
		type: text => {
			input.value = text;
			read();
		},
	};
}

function radios(host: ControlHost): Control {
	const { strings, value, change, canBeEmpty } = host;
	const name = host.id();
	const options: readonly (readonly [label: string, value: boolean | undefined])[] = [
		...(canBeEmpty ? [[host.emptyText(), undefined] as const] : []),
		[strings.yes, true],
		[strings.no, false],
	];
	const root = element('div', 'radios');
	root.setAttribute('role', 'radiogroup');
	for (const [label, it] of options) {
		const input = element('input', '');
		input.type = 'radio';
		input.name = name;
		input.checked = it === (typeof value === 'boolean' ? value : undefined);
		input.addEventListener('change', () => change(it));
		root.append(element('label', 'option', input, label));
	}
	return { root, main: root };
}

function select(host: ControlHost): Control {
	const { node, change, canBeEmpty } = host;
	const chosen = optionOf(node, host.value);
	const root = element('select', 'input');
	if (canBeEmpty || chosen < 0) {
		root.append(new Option(host.emptyText(), ''));
	}
	root.append(...node.options.map((it, index) => new Option(it.title, String(index))));
	root.value = chosen < 0 ? '' : String(chosen);
	root.addEventListener('change', () =>
		change(root.value === '' ? undefined : node.options[Number(root.value)]?.value),
	);
	return { root, main: root };
}

/** The first options whose titles contain the text, and the number of matches as text if not exactly these are shown. */
function matchesOf({ node, strings }: ControlHost, text: string): readonly [ShownOption[], note: string] {
	const wanted = text.trim().toLowerCase();
	const found = node.options.filter(it => it.title.toLowerCase().includes(wanted));
	const isAll = found.length > 0 && found.length <= maxMatches;
	return [found.slice(0, maxMatches), isAll ? '' : strings.matches.replace('{0}', String(found.length))];
}

/** An input that filters a list of many choices (ARIA APG, combobox with list autocomplete). */
function combobox(host: ControlHost): Control {
	const { node, strings } = host;
	const input = element('input', 'input');
	const list = element('ul', 'listbox');
	const note = element('p', 'hint');
	const popup = element('div', 'popup', list, note);
	const root = element('div', 'combobox', input, popup);
	list.setAttribute('role', 'listbox');
	list.setAttribute('aria-label', strings.filter);
	list.id = host.id();
	input.setAttribute('role', 'combobox');
	input.setAttribute('aria-autocomplete', 'list');
	input.setAttribute('aria-controls', list.id);
	input.autocomplete = 'off';
	input.spellcheck = false;
	input.value = node.options[optionOf(node, host.value)]?.title ?? '';
	let active = -1;
	let items: readonly HTMLElement[] = [];
	const setOpen = (isOpen: boolean): void => {
		popup.hidden = !isOpen;
		input.setAttribute('aria-expanded', String(isOpen));
		input.removeAttribute('aria-activedescendant');
		active = -1;
	};
	const choose = ({ title, value }: ShownOption): void => {
		input.value = title;
		host.change(value);
		setOpen(false);
	};
	const open = (filter: string): void => {
		const [found, text] = matchesOf(host, filter);
		items = found.map(it => {
			const item = isolated('li', '', it.title);
			item.id = host.id();
			item.setAttribute('role', 'option');
			// Prevents the default, so that the focus stays in the input.
			item.addEventListener('mousedown', event => {
				event.preventDefault();
				choose(it);
			});
			return item;
		});
		list.replaceChildren(...items);
		note.textContent = text;
		setOpen(true);
	};
	const activate = (index: number): void => {
		if (items.length > 0) {
			active = (index + items.length) % items.length;
			items.forEach((it, at) => it.setAttribute('aria-selected', String(at === active)));
			items[active]?.scrollIntoView({ block: 'nearest' });
			input.setAttribute('aria-activedescendant', items[active]?.id ?? '');
		}
	};
	const read = (): void => {
		const typed = input.value.trim().toLowerCase();
		const same = node.options.find(it => it.title.toLowerCase() === typed);
		if (typed === '') {
			host.change(undefined);
		} else if (same) {
			host.change(same.value);
		} else {
			host.unfinished(input.value, strings.notAnOption);
		}
	};
	setOpen(false);
	input.addEventListener('input', () => {
		read();
		open(input.value);
	});
	input.addEventListener('click', () => open(''));
	input.addEventListener('blur', () => setOpen(false));
	input.addEventListener('keydown', event => {
		const isOpen = !popup.hidden;
		if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
			const step = event.key === 'ArrowDown' ? 1 : -1;
			if (!isOpen) {
				open('');
			}
			activate(active < 0 && step < 0 ? -1 : active + step);
			event.preventDefault();
		} else if (event.key === 'Escape' && isOpen) {
			setOpen(false);
			event.preventDefault();
		} else if (event.key === 'Enter' && isOpen && active >= 0 && !event.ctrlKey && !event.metaKey) {
			items[active]?.dispatchEvent(new MouseEvent('mousedown', { cancelable: true }));
			event.preventDefault();
		}
	});
	return {
		root,
		main: input,
		type: text => {
			input.value = text;
			read();
		},
	};
}

/** Check boxes for any number of choices, with a filter for many. */
function checkBoxes(host: ControlHost): Control {
	const { node, strings } = host;
	const chosen: unknown[] = Array.isArray(host.value) ? [...(host.value as readonly unknown[])] : [];
	const chosenOptions = (): ReadonlySet<ShownOption | undefined> =>
		new Set(chosen.map(it => node.options[optionOf(node, it)]));
	const box = (it: ShownOption): HTMLElement => {
		const input = element('input', '');
		input.type = 'checkbox';
		input.checked = chosenOptions().has(it);
		input.addEventListener('change', () => {
			const others = chosen.filter(value => optionOf(node, value) !== optionOf(node, it.value));
			chosen.splice(0, chosen.length, ...others, ...(input.checked ? [it.value] : []));
			host.change(chosen.length === 0 ? undefined : [...chosen]);
		});
		return element('label', 'option', input, isolated('span', '', it.title));
	};
	const list = element('div', 'checks');
	const root = element('div', '', list);
	root.setAttribute('role', 'group');
	if (node.options.length <= maxListed) {
		list.append(...node.options.map(box));
		return { root, main: root };
	}
	const filter = element('input', 'input');
	const note = element('p', 'hint');
	filter.placeholder = strings.filter;
	filter.setAttribute('aria-label', strings.filter);
	note.setAttribute('role', 'status');
	const show = (): void => {
		const first = chosenOptions();
		const [found, text] = matchesOf(host, filter.value);
		const shown = [...node.options.filter(it => first.has(it)), ...found.filter(it => !first.has(it))];
		list.replaceChildren(...shown.map(box));
		note.textContent = text;
	};
	filter.addEventListener('input', show);
	root.prepend(filter);
	root.append(note);
	show();
	return { root, main: root };
}
