/**
 * The script of the page view. It shows the pages it receives and reports pressed buttons. Every text becomes a text
 * node; nothing here parses markup.
 */
import { clock } from '../../base/clock.js';
import {
	type FromView,
	type PageBlock,
	type PageRow,
	type PageSection,
	type PageView,
	readToView,
	type Strings,
} from './protocol.js';

/** Kept while the tab is hidden, to restore the scroll position. */
interface State {
	readonly id: number;
	readonly top: number;
}

declare function acquireVsCodeApi(): {
	readonly postMessage: (message: FromView) => void;
	readonly getState: () => State | undefined;
	readonly setState: (state: State) => void;
};

const { postMessage: tell, getState, setState } = acquireVsCodeApi();

const view = element('div', '');
/** Stays when the page is replaced: screen readers read only changes of an element that existed before. */
const announcer = element('p', 'announcer');
announcer.setAttribute('role', 'status');
let shownId: number | undefined;

/** The element that gets the focus when the view gets it, except by a click. */
let focused: HTMLElement | undefined;

function show(page: PageView, strings: Strings): void {
	const state = getState();
	shownId = page.id;
	const title = isolated('h1', '', page.title);
	title.tabIndex = -1;
	const copy = button(strings.copy, () => tell({ type: 'copy', id: page.id }));
	const actions = page.actions.map((label, action) =>
		button(label, () => tell({ type: 'press', id: page.id, action })),
	);
	const toolbar = element('div', 'toolbar', ...actions, copy);
	toolbar.setAttribute('role', 'toolbar');
	toolbar.setAttribute('aria-label', strings.actions);
	const facts = page.facts.length > 0 ? [rows(page.facts)] : [];
	const header = element('header', '', title, isolated('p', `summary ${page.tone}`, page.summary), ...facts, toolbar);
	view.replaceChildren(header, element('main', '', ...page.sections.map(it => section(it, strings))));
	scrollTo(0, state?.id === page.id ? state.top : 0);
	focused = title;
	focusSoon();
}

/** Waits, because the editor focuses the view a second time, which takes the focus from its elements. */
function focusSoon(): void {
	clock.setTimeout(() => {
		if (document.hasFocus() && document.activeElement === document.body) {
			focused?.focus({ preventScroll: true });
		}
	});
}

function section({ title, isServers, blocks }: PageSection, strings: Strings): HTMLElement {
	const heading = isolated('h2', '', title);
	const parts = blocks.map(it => block(it, title));
	const quoted = element('div', 'quoted', element('p', 'note', strings.fromServer), ...parts);
	const made = element('section', '', heading, ...(isServers === true ? [quoted] : parts));
	made.setAttribute('aria-label', title);
	return made;
}

function block(it: PageBlock, name: string): HTMLElement {
	switch (it.kind) {
		case 'text':
			return isolated('p', 'text', it.text);
		case 'code':
			return code(it.text, name);
		case 'rows':
			return rows(it.rows);
		case 'list':
			return element('ul', '', ...it.items.map(item => isolated('li', '', item)));
		case 'numbers':
			return element('ol', '', ...it.items.map(item => isolated('li', '', item)));
	}
}

function rows(all: readonly PageRow[]): HTMLElement {
	const parts = all.flatMap(({ label, value, note }) => [
		isolated('dt', '', label),
		element('dd', '', isolated('p', '', value), ...(note === undefined ? [] : [isolated('p', 'note', note)])),
	]);
	return element('dl', '', ...parts);
}

function code(text: string, name: string): HTMLElement {
	const made = isolated('pre', '', text);
	// Long texts can be scrolled by keyboard only if they can get the focus.
	made.tabIndex = 0;
	made.setAttribute('role', 'group');
	made.setAttribute('aria-label', name);
	return made;
}

function button(label: string, press: () => void): HTMLButtonElement {
	const made = element('button', 'button', label);
	made.type = 'button';
	made.addEventListener('click', press);
	return made;
}

/** An element that keeps characters for the reading direction from affecting other texts. */
function isolated(tag: keyof HTMLElementTagNameMap, className: string, text: string): HTMLElement {
	const made = element(tag, className, text);
	made.dir = 'auto';
	return made;
}

/** Creates an element with a class, texts and child elements. */
function element<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	className: string,
	...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
	const made = document.createElement(tag);
	made.className = className;
	made.append(...children);
	return made;
}

window.addEventListener('message', ({ data }) => {
	const message = readToView(data);
	if (message?.type === 'page') {
		show(message.page, message.strings);
	} else if (message?.id === shownId) {
		announcer.textContent = message?.text ?? '';
	}
});
window.addEventListener('focusin', ({ target }) => {
	focused = target instanceof HTMLElement && target !== document.body ? target : focused;
});
window.addEventListener('pointerdown', () => (focused = undefined), true);
window.addEventListener('focus', focusSoon);
window.addEventListener('focusout', focusSoon);
window.addEventListener('scroll', () => {
	if (shownId !== undefined) {
		setState({ id: shownId, top: scrollY });
	}
});

document.body.replaceChildren(view, announcer);
tell({ type: 'ready' });
