/**
 * A list of messages with the details of the selected one. The list has only the rows near the visible ones, and requests
 * others when it is scrolled. It follows new rows while it is scrolled to its end.
 */
import { announce } from '../connection.js';
import { button, drawn, element, type Icon, isolated, pre, toolbar } from '../elements.js';
import { columns, type FromView, type ListAction, type RowView, type Strings, type ToView } from './protocol.js';

/** The height of a row in pixels, as in `messages.css`. */
const rowHeight = 22;
/** Rows above the visible ones that are also requested. */
const rowsAbove = 40;
const icons: Readonly<Record<ListAction, Icon>> = {
	pause: 'pause',
	clear: 'slash',
	exportFile: 'save',
	openFile: 'file',
	newRequest: 'play',
};

type Rows = Extract<ToView, { type: 'rows' }>;

export class MessageList {
	readonly root: HTMLElement;
	private readonly rows = element('div', 'rows');
	private readonly grid: HTMLElement;
	private readonly note = element('p', 'note');
	private readonly details: MessageDetails;
	private readonly pause: HTMLButtonElement | undefined;
	private shown: Rows | undefined;

	constructor(
		private readonly strings: Strings,
		actions: readonly ListAction[],
		private readonly tell: (message: FromView) => void,
	) {
		const filter = searchBox('filter', strings.filter, text => tell({ type: 'filter', text }));
		filter.placeholder = strings.filterHint;
		const buttons = actions.map(it => button(this.strings[it], icons[it], () => tell({ type: 'press', action: it })));
		this.pause = buttons[actions.indexOf('pause')];
		const heads = columns.map(it => this.cell('columnheader', it, strings[it]));
		const head = element('div', 'head', element('span', 'direction'), ...heads);
		head.classList.add('row');
		head.setAttribute('role', 'row');
		head.firstElementChild?.setAttribute('role', 'columnheader');
		head.firstElementChild?.setAttribute('aria-label', `${strings.sent}, ${strings.received}`);
		this.grid = element('div', 'grid', head, this.rows);
		this.grid.tabIndex = 0;
		this.grid.setAttribute('role', 'treegrid');
		this.grid.setAttribute('aria-label', strings.messages);
		this.rows.setAttribute('role', 'rowgroup');
		this.grid.addEventListener('scroll', () => this.didScroll());
		this.grid.addEventListener('keydown', event => this.didPress(event));
		this.grid.addEventListener('click', event => this.didClick(event));
		new ResizeObserver(() => this.didScroll()).observe(this.grid);
		this.details = new MessageDetails(strings, tell, () => this.focus());
		const bar = element('div', 'tools', filter, ...(buttons.length > 0 ? [toolbar(strings.actions, buttons)] : []));
		this.root = element('div', 'messages', bar, this.note, this.grid, this.details.root);
	}

	take(message: Extract<ToView, { type: 'rows' | 'detail' }>): void {
		if (message.type === 'detail') {
			this.details.show(message);
		} else {
			this.show(message);
		}
	}

	focus(): void {
		this.grid.focus();
	}

	private get visible(): { readonly from: number; readonly count: number } {
		const { scrollTop, clientHeight } = this.grid;
		return { from: Math.floor(scrollTop / rowHeight), count: Math.ceil(clientHeight / rowHeight) };
	}

	private show(shown: Rows): void {
		const { grid } = this;
		const isAtEnd = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - rowHeight;
		const before = this.shown;
		this.shown = shown;
		this.note.textContent = shown.note;
		this.pause?.lastElementChild?.replaceChildren(shown.isPaused ? this.strings.resume : this.strings.pause);
		this.rows.style.height = `${shown.total * rowHeight}px`;
		grid.setAttribute('aria-rowcount', String(shown.total + 1));
		this.rows.replaceChildren(...shown.rows.map((it, at) => this.row(it, shown.from + at)));
		const selected = this.rows.querySelector('[aria-selected=true]');
		grid.setAttribute('aria-activedescendant', selected?.id ?? '');
		if (selected && shown.selected !== before?.selected) {
			selected.scrollIntoView({ block: 'nearest' });
		} else if (!before || (isAtEnd && shown.total > before.total)) {
			grid.scrollTop = grid.scrollHeight;
		}
		this.didScroll();
	}

	/** Requests the visible rows if some of them are missing. */
	private didScroll(): void {
		const { shown, visible } = this;
		if (shown) {
			const end = Math.min(shown.total, visible.from + visible.count);
			if (visible.from < shown.from || end > shown.from + shown.rows.length) {
				this.tell({ type: 'window', from: Math.max(0, visible.from - rowsAbove) });
			}
		}
	}

	private row({ depth, isOpen, direction, tone, cells }: RowView, index: number): HTMLElement {
		const arrow = element('span', 'direction', direction === 'sent' ? '→' : '←');
		arrow.setAttribute('role', 'gridcell');
		arrow.setAttribute('aria-label', this.strings[direction]);
		const made = element('div', `row ${tone}`, arrow);
		columns.forEach((column, at) => made.append(this.cell('gridcell', column, cells[at] ?? '')));
		const method = made.children[1 + columns.indexOf('method')] as HTMLElement;
		method.style.paddingInlineStart = `${depth * 16}px`;
		method.prepend(element('span', 'fold', ...(isOpen === undefined ? [] : [drawn('chevron')])));
		made.id = `message-${index}`;
		made.style.top = `${index * rowHeight}px`;
		made.setAttribute('role', 'row');
		made.setAttribute('aria-rowindex', String(index + 2));
		made.setAttribute('aria-level', String(depth + 1));
		made.setAttribute('aria-selected', String(index === this.shown?.selected));
		if (isOpen !== undefined) {
			made.setAttribute('aria-expanded', String(isOpen));
		}
		return made;
	}

	private cell(role: string, column: string, text: string): HTMLElement {
		const made = element('span', column, isolated('span', 'text', text));
		made.setAttribute('role', role);
		made.title = text;
		return made;
	}

	private didClick({ target }: MouseEvent): void {
		const row = target instanceof Element ? target.closest<HTMLElement>('.rows > .row') : null;
		const { shown } = this;
		if (!row || !shown || !(target instanceof Element)) {
			return;
		}
		const at = [...this.rows.children].indexOf(row);
		const view = shown.rows[at];
		if (view?.isOpen !== undefined && target.closest('.fold')) {
			this.tell({ type: 'fold', number: view.number, isOpen: !view.isOpen });
		} else {
			this.tell({ type: 'select', index: shown.from + at });
		}
	}

	private didPress(event: KeyboardEvent): void {
		const { shown, visible } = this;
		const { key } = event;
		if (!shown || shown.total === 0 || event.target !== this.grid) {
			return;
		}
		const at = shown.selected;
		const row = at === undefined ? undefined : shown.rows[at - shown.from];
		const page = Math.max(1, visible.count - 2);
		const steps: Readonly<Record<string, number>> = {
			ArrowDown: at === undefined ? shown.total - 1 : at + 1,
			ArrowUp: at === undefined ? shown.total - 1 : at - 1,
			PageDown: (at ?? shown.total) + page,
			PageUp: (at ?? shown.total) - page,
			Home: 0,
			End: shown.total - 1,
		};
		const next = steps[key];
		if (next !== undefined) {
			this.tell({ type: 'select', index: Math.max(0, Math.min(shown.total - 1, next)) });
		} else if (row?.isOpen !== undefined && (key === 'ArrowRight' || key === 'ArrowLeft')) {
			this.tell({ type: 'fold', number: row.number, isOpen: key === 'ArrowRight' });
		} else if (key === 'Enter') {
			this.details.focus();
		} else if (key === 'Escape') {
			this.details.close();
		} else {
			return;
		}
		event.preventDefault();
	}
}

function searchBox(className: string, label: string, search: (text: string) => void): HTMLInputElement {
	const made = element('input', className);
	made.type = 'search';
	made.placeholder = label;
	made.setAttribute('aria-label', label);
	made.addEventListener('input', () => search(made.value));
	return made;
}

/** The details of one message: each part as a text that can be searched. */
class MessageDetails {
	readonly root = element('section', 'details');
	private readonly find: HTMLInputElement;
	private found: readonly Range[] = [];
	private current = -1;

	constructor(
		private readonly strings: Strings,
		private readonly tell: (message: FromView) => void,
		private readonly leave: () => void,
	) {
		this.root.hidden = true;
		this.root.setAttribute('aria-label', strings.details);
		this.root.addEventListener('keydown', ({ key }) => key === 'Escape' && this.close());
		this.find = searchBox('find', strings.find, () => this.search());
		this.find.addEventListener('keydown', event => event.key === 'Enter' && this.step(event.shiftKey ? -1 : 1));
	}

	show({ title, parts, actions }: Extract<ToView, { type: 'detail' }>): void {
		const { strings } = this;
		const buttons = actions.map(it =>
			button(strings[it], messageIcons[it], () => this.tell({ type: 'press', action: it })),
		);
		const close = button(strings.close, 'cross', () => this.close());
		const heading = isolated('h2', '', title);
		const bar = element('div', 'tools', this.find, toolbar(strings.actions, [...buttons, close]));
		const sections = parts.flatMap(it => [
			element('h3', '', it.title),
			pre(it.text, it.title),
			...(it.note === '' ? [] : [element('p', 'note', it.note)]),
		]);
		this.root.replaceChildren(heading, bar, element('div', 'parts', ...sections));
		this.root.hidden = false;
		this.search();
	}

	focus(): void {
		this.root.querySelector('pre')?.focus();
	}

	close(): void {
		this.root.hidden = true;
		this.leave();
	}

	/** Marks all places with the text of the search box. */
	private search(): void {
		const wanted = this.find.value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
		const texts = wanted === '' ? [] : [...this.root.querySelectorAll('pre')];
		this.found = texts.flatMap(it => placesOf(it, new RegExp(wanted, 'gi')));
		this.current = -1;
		CSS.highlights.set('found', highlightOf(this.found));
		this.step(1);
	}

	private step(by: number): void {
		const { length } = this.found;
		this.current = (this.current + by + length) % length;
		const range = this.found[this.current];
		CSS.highlights.set('current', highlightOf(range ? [range] : []));
		if (range) {
			announce(`${this.current + 1} / ${length}`);
			const parts = this.root.lastElementChild;
			const top = range.getBoundingClientRect().top - (parts?.getBoundingClientRect().top ?? 0);
			parts?.scrollBy(0, top - parts.clientHeight / 2);
		} else if (this.find.value !== '') {
			announce(this.strings.notFound);
		}
	}
}

const messageIcons = { copy: 'copy', resend: 'edit', history: 'history' } as const;

/** Not by arguments of the constructor, because there can be too many. */
function highlightOf(ranges: readonly Range[]): Highlight {
	const made = new Highlight();
	ranges.forEach(it => made.add(it));
	return made;
}

function placesOf({ firstChild }: Node, pattern: RegExp): Range[] {
	return Array.from(firstChild?.textContent?.matchAll(pattern) ?? [], ({ 0: found, index }) => {
		const range = document.createRange();
		range.setStart(firstChild as Node, index);
		range.setEnd(firstChild as Node, index + found.length);
		return range;
	});
}
