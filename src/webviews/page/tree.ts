/** A JSON tree. Members of a collapsed value are only requested when it is expanded. */
import { drawn, element } from './elements.js';
import type { Strings, TreeEntry, TreePlace } from './result/protocol.js';

export class JsonTree {
	readonly root: HTMLElement;
	/** The groups of values that were expanded, by their paths. */
	private readonly groups = new Map<string, HTMLElement>();

	/** @param expand requests members, which must be passed to `add` */
	constructor(
		private readonly tree: TreePlace['tree'],
		entry: TreeEntry,
		private readonly label: string,
		private readonly strings: Strings,
		private readonly expand: (place: TreePlace) => void,
	) {
		this.root = element('ul', 'tree');
		this.root.setAttribute('role', 'tree');
		this.root.setAttribute('aria-label', this.label);
		const first = this.line(entry, []);
		first.tabIndex = 0;
		this.root.append(first);
		this.root.addEventListener('keydown', event => this.onKey(event));

		this.setExpanded(first, true);
	}

	/** Adds requested members. @param left number of members after these */
	add({ path, from }: TreePlace, entries: readonly TreeEntry[], left: number): void {
		const group = this.groups.get(path.join('.'));
		if (!group || group.childElementCount !== from) {
			return;
		}
		group.append(...entries.map((entry, index) => this.line(entry, [...path, from + index])));
		if (left > 0) {
			group.append(this.moreLine(path, from + entries.length, left));
		}
	}

	private line(entry: TreeEntry, path: readonly number[]): HTMLLIElement {
		const isFolded = entry.count > 0;
		const row = element('div', 'row', isFolded ? drawn('chevron') : element('span', 'icon'));
		if (entry.key !== '') {
			row.append(element('span', 'key', entry.key), element('span', 'colon', ':'));
		}
		row.append(element('span', `value ${entry.kind}`, entry.value));
		if (entry.problem !== undefined) {
			row.append(element('span', 'problem', drawn('warning'), entry.problem));
		}
		const item = element('li', '', row);
		item.setAttribute('role', 'treeitem');
		// Only the text of the item itself, without its children.
		item.setAttribute('aria-label', nameOf(entry));
		item.setAttribute('aria-level', String(path.length + 1));
		item.tabIndex = -1;
		if (isFolded) {
			item.setAttribute('aria-expanded', 'false');
			item.dataset['path'] = path.join('.');
		}
		row.addEventListener('click', () => {
			this.focus(item);
			this.setExpanded(item, item.getAttribute('aria-expanded') === 'false');
		});
		return item;
	}

	private moreLine(path: readonly number[], from: number, left: number): HTMLLIElement {
		const label = this.strings.more.replace('{0}', String(left));
		const item = element('li', 'more', element('div', 'row', element('span', 'icon'), label));
		item.setAttribute('role', 'treeitem');
		item.setAttribute('aria-level', String(path.length + 2));
		item.tabIndex = -1;
		item.addEventListener('click', event => {
			event.stopPropagation();
			const before = item.previousElementSibling;
			item.remove();
			if (before instanceof HTMLElement) {
				this.focus(before);
			}
			this.expand({ tree: this.tree, path, from });
		});
		return item;
	}

	private setExpanded(item: HTMLElement, isExpanded: boolean): void {
		const way = item.dataset['path'];
		if (way === undefined) {
			return;
		}
		item.setAttribute('aria-expanded', String(isExpanded));
		if (isExpanded && !this.groups.has(way)) {
			const group = element('ul', 'group');
			group.setAttribute('role', 'group');
			item.append(group);
			this.groups.set(way, group);
			this.expand({ tree: this.tree, path: way === '' ? [] : way.split('.').map(Number), from: 0 });
		}
	}

	private focus(item: HTMLElement): void {
		for (const it of this.root.querySelectorAll<HTMLElement>('[tabindex="0"]')) {
			it.tabIndex = -1;
		}
		item.tabIndex = 0;
		item.focus();
	}

	/** Handles the keys of the editor's own trees. */
	private onKey(event: KeyboardEvent): void {
		const item = document.activeElement;
		if (!(item instanceof HTMLElement) || item.getAttribute('role') !== 'treeitem') {
			return;
		}
		// Items in collapsed groups have no offsetParent.
		const visible = [...this.root.querySelectorAll<HTMLElement>('[role=treeitem]')].filter(it => it.offsetParent);
		const at = visible.indexOf(item);
		const isOpen = item.getAttribute('aria-expanded');
		const parent = item.parentElement?.closest<HTMLElement>('[role=treeitem]');
		const go = (to: HTMLElement | null | undefined): void => (to ? this.focus(to) : undefined);
		const toggle = (): void =>
			item.classList.contains('more') ? item.click() : this.setExpanded(item, isOpen === 'false');
		const actions = new Map<string, () => void>([
			['ArrowDown', () => go(visible[at + 1])],
			['ArrowUp', () => go(visible[at - 1])],
			['Home', () => go(visible[0])],
			['End', () => go(visible.at(-1))],
			['ArrowRight', () => (isOpen === 'true' ? go(visible[at + 1]) : this.setExpanded(item, true))],
			['ArrowLeft', () => (isOpen === 'true' ? this.setExpanded(item, false) : go(parent))],
			['Enter', toggle],
			[' ', toggle],
		]);
		const action = actions.get(event.key);
		if (action) {
			action();
			event.preventDefault();
		}
	}
}

function nameOf({ key, value, problem }: TreeEntry): string {
	const words = key === '' ? value : `${key}: ${value}`;
	return problem === undefined ? words : `${words}, ${problem}`;
}
