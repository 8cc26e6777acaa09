/**
 * A list of messages with the details of the selected one. The list has only the rows near the visible ones, and requests
 * others when it is scrolled. It follows new rows while it is scrolled to its end.
 */
import { button, drawn, element, type Icon, isolated, pre, toolbar } from '../elements.js';
import { columns, type FromView, type ListAction, type RowView, type Strings, type ToView } from './protocol.js';

/** The height of a row in pixels, as in `messages.css`. */
const rowHeight = 22;
/** Rows above the visible ones that are also requested. */
const rowsAbove = 40;
const icons: Readonly<Record<ListAction, Icon>> = {
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
	private readonly exporting: HTMLButtonElement | undefined;
	private shown: Rows | undefined;

	constructor(
		private readonly strings: Strings,
		actions: readonly ListAction[],
		private readonly tell: (message: FromView) => void,
	) {
		const filter = element('input', 'filter');
		filter.type = 'search';
		filter.placeholder = strings.filterHint;
		filter.setAttribute('aria-label', strings.filter);
		filter.addEventListener('input', () => tell({ type: 'filter', text: filter.value }));
		const press = (action: ListAction): void => {
			tell({ type: 'press', action });
			if (action === 'clear') {
				this.details.root.hidden = true;
			}
		};
		const buttons = actions.map(it => button(this.strings[it], icons[it], () => press(it)));
		this.exporting = buttons[actions.indexOf('exportFile')];
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
		this.exporting?.lastElementChild?.replaceChildren(shown.exportLabel);
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

/** The details of the selected message. */
class MessageDetails {
	readonly root = element('section', 'details');

	constructor(
		private readonly strings: Strings,
		private readonly tell: (message: FromView) => void,
		private readonly leave: () => void,
	) {
		this.root.hidden = true;
		this.root.setAttribute('aria-label', strings.details);
		this.root.addEventListener('keydown', ({ key }) => key === 'Escape' && this.close());
	}

	show({ title, parts, actions }: Extract<ToView, { type: 'detail' }>): void {
		const { strings } = this;
		const buttons = actions.map(it =>
			button(strings[it], messageIcons[it], () => this.tell({ type: 'press', action: it })),
		);
		const close = button(strings.close, 'cross', () => this.close());
		const heading = isolated('h2', '', title);
		const bar = element('div', 'tools', toolbar(strings.actions, [...buttons, close]));
		const sections = parts.flatMap(it => [
			element('h3', '', it.title),
			pre(it.text, it.title),
			...(it.note === '' ? [] : [element('p', 'note', it.note)]),
		]);
		this.root.replaceChildren(heading, bar, element('div', 'parts', ...sections));
		this.root.hidden = false;
	}

	focus(): void {
		this.root.querySelector('pre')?.focus();
	}

	close(): void {
		this.root.hidden = true;
		this.leave();
	}
}

const messageIcons = { copy: 'copy', resend: 'edit', history: 'history' } as const;
