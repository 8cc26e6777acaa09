/** A list of values that the server suggests, below a text field. The field keeps the focus (`aria-activedescendant`). */
import { element, isolated } from '../elements.js';
import type { ShownOption } from './protocol.js';

type Input = HTMLElement & Pick<HTMLInputElement, 'value'>;

export class Suggestions {
	readonly root = element('div', 'suggestions');
	private readonly list = element('ul', 'listbox');
	private readonly note = element('p', 'hint');
	private items: readonly HTMLElement[] = [];
	private active = -1;
	/** The option that is active when the list opens; -1 for none. */
	private first = -1;
	/** Whether suggestions may be shown: the person has requested them, and neither closed the list nor chosen a value since. */
	private isWanted = false;
	private isChoosing = false;

	/** @param ask requests suggestions, which are later passed to `show` */
	constructor(
		private readonly input: Input,
		label: string,
		private readonly id: () => string,
		private readonly ask: () => void,
	) {
		const { list } = this;
		list.id = id();
		list.setAttribute('role', 'listbox');
		list.setAttribute('aria-label', label);
		this.root.append(list, this.note);
		input.setAttribute('aria-autocomplete', 'list');
		input.setAttribute('aria-haspopup', 'listbox');
		input.setAttribute('aria-controls', list.id);
		input.addEventListener('input', () => this.isChoosing || this.request(-1));
		input.addEventListener('click', () => this.request(-1));
		// Released in the field that the key has entered.
		input.addEventListener('keyup', ({ key }) => key === 'Tab' && this.request(-1));
		input.addEventListener('blur', () => this.close());
		input.addEventListener('keydown', event => this.onKey(event));
		this.close();
	}

	/** @param note says that the server has more values, or why it suggests none; may be empty */
	show(options: readonly ShownOption[], note: string): void {
		const others = options.filter(it => it.value !== this.input.value);
		if (!this.isWanted || (others.length === 0 && note === '')) {
			this.root.hidden = true;
			return;
		}
		this.items = others.map(({ title, value }) => {
			const item = isolated('li', '', title);
			item.id = this.id();
			item.setAttribute('role', 'option');
			// Without this, the click would take the focus from the input.
			item.addEventListener('mousedown', event => {
				event.preventDefault();
				this.choose(String(value));
			});
			return item;
		});
		this.list.replaceChildren(...this.items);
		this.list.hidden = others.length === 0;
		this.note.textContent = note;
		this.activate(Math.min(this.first, others.length - 1));
		this.root.hidden = false;
	}

	private request(first: number): void {
		this.isWanted = true;
		this.first = first;
		this.ask();
	}

	private close(): void {
		this.isWanted = false;
		this.root.hidden = true;
		this.activate(-1);
	}

	private choose(value: string): void {
		this.input.value = value;
		this.isChoosing = true;
		this.input.dispatchEvent(new Event('input', { bubbles: true }));
		this.isChoosing = false;
		this.close();
	}

	private activate(index: number): void {
		this.active = index;
		this.items.forEach((it, at) => it.setAttribute('aria-selected', String(at === index)));
		this.items[index]?.scrollIntoView({ block: 'nearest' });
		this.input.setAttribute('aria-activedescendant', this.items[index]?.id ?? '');
	}

	private onKey(event: KeyboardEvent): void {
		const { active, items, root } = this;
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			this.close();
		} else if (root.hidden) {
			// In a text with several lines, the key moves the cursor.
			if (event.key === 'ArrowDown' && !this.input.value.includes('\n')) {
				this.request(0);
			}
		} else if (step !== undefined && items.length > 0) {
			const next = active < 0 && step < 0 ? -1 : active + step;
			this.activate((next + items.length) % items.length);
			event.preventDefault();
		} else if (event.key === 'Escape') {
			this.close();
			event.preventDefault();
			// The editor also acts on Escape.
			event.stopPropagation();
		} else if ((event.key === 'Enter' || event.key === 'Tab') && active >= 0) {
			items[active]?.dispatchEvent(new MouseEvent('mousedown', { cancelable: true }));
			if (event.key === 'Enter') {
				event.preventDefault();
			}
		}
	}
}
