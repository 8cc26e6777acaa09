/** A page for reading: shows the content that it receives, and reports pressed buttons. */
import { announce, connect } from '../connection.js';
import { button, element, isolated, pre, section, toolbar } from '../elements.js';
import { keepFocus, startFocus } from '../focus.js';
import {
	type FromView,
	type PageBlock,
	type PageRow,
	type PageSection,
	type PageView,
	readToView,
	type Strings,
} from './protocol.js';

/** The state that is kept while the tab is hidden, to restore the scroll position. */
interface State {
	readonly id: number;
	readonly top: number;
}

/** Shows the page in `view`. */
export function showReading(view: HTMLElement): void {
	let shownId: number | undefined;
	const { tell, getState, setState } = connect<FromView, State>();
	window.addEventListener('message', ({ data }) => {
		const message = readToView(data);
		if (message?.type === 'page') {
			const { page, strings } = message;
			shownId = page.id;
			show(view, page, strings, tell);
			const state = getState();
			scrollTo(0, state?.id === page.id ? state.top : 0);
		} else if (message && message.id === shownId) {
			announce(message.text);
		}
	});
	window.addEventListener('scroll', () => {
		if (shownId !== undefined) {
			setState({ id: shownId, top: scrollY });
		}
	});
	keepFocus();
	tell({ type: 'ready' });
}

function show(view: HTMLElement, page: PageView, strings: Strings, tell: (message: FromView) => void): void {
	const { id, actions, facts, sections, summary, tone } = page;
	const title = isolated('h1', '', page.title);
	title.tabIndex = -1;
	const buttons = actions.map((label, action) => button(label, undefined, () => tell({ type: 'press', id, action })));
	const copy = button(strings.copy, undefined, () => tell({ type: 'copy', id }));
	const header = element(
		'header',
		'',
		title,
		isolated('p', `summary ${tone}`, summary),
		...(facts.length > 0 ? [rows(facts)] : []),
		toolbar(strings.actions, [...buttons, copy]),
	);
	view.replaceChildren(header, element('main', '', ...sections.map(it => sectionOf(it, strings))));
	startFocus(title);
}

function sectionOf({ title, isServers, blocks }: PageSection, strings: Strings): HTMLElement {
	const parts = blocks.map(it => block(it, title));
	const quoted = element('div', 'quoted', element('p', 'note', strings.fromServer), ...parts);
	return section(title, ...(isServers === true ? [quoted] : parts));
}

function block(it: PageBlock, name: string): HTMLElement {
	switch (it.kind) {
		case 'text':
			return isolated('p', 'text', it.text);
		case 'code':
			return pre(it.text, name);
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
