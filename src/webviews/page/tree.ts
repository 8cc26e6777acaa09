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
		const first = this.row(entry, []);
		first.tabIndex = 0;
		this.root.append(line(first));
		this.root.addEventListener('keydown', event => this.onKey(event));

		this.setExpanded(first, true);
	}

	/** Adds requested members. @param left number of members after these */
	add({ path, from }: TreePlace, entries: readonly TreeEntry[], left: number): void {
		const group = this.groups.get(path.join('.'));
		if (!group || group.childElementCount !== from) {
			return;
		}
		group.append(...entries.map((entry, index) => line(this.row(entry, [...path, from + index]))));
		if (left > 0) {
			group.append(line(this.moreRow(path, from + entries.length, left)));
		}
	}

	private row(entry: TreeEntry, path: readonly number[]): HTMLElement {
		const isFolded = entry.count > 0;
		const row = element('div', 'row', isFolded ? drawn('chevron') : element('span', 'icon'));
		if (entry.key !== '') {
			row.append(element('span', 'key', entry.key), element('span', 'colon', ':'));
		}
		row.append(element('span', `value ${entry.kind}`, entry.value));
		if (entry.problem !== undefined) {
			row.append(element('span', 'problem', drawn('warning'), entry.problem));
		}
		row.setAttribute('role', 'treeitem');
		row.setAttribute('aria-level', String(path.length + 1));
		row.tabIndex = -1;
		if (isFolded) {
			row.setAttribute('aria-expanded', 'false');
			row.dataset['path'] = path.join('.');
		}
		row.addEventListener('click', () => {
			this.focus(row);
			this.setExpanded(row, row.getAttribute('aria-expanded') === 'false');
		});
		return row;
	}

	private moreRow(path: readonly number[], from: number, left: number): HTMLElement {
		const label = this.strings.more.replace('{0}', String(left));
		const row = element('div', 'row', element('span', 'icon'), label);
		row.classList.add('more');
		row.setAttribute('role', 'treeitem');
		row.setAttribute('aria-level', String(path.length + 2));
		row.tabIndex = -1;
		row.addEventListener('click', () => {
			const before = row.parentElement?.previousElementSibling?.firstElementChild;
			row.parentElement?.remove();
			if (before instanceof HTMLElement) {
				this.focus(before);
			}
			this.expand({ tree: this.tree, path, from });
		});
		return row;
	}

	private setExpanded(row: HTMLElement, isExpanded: boolean): void {
		const way = row.dataset['path'];
		if (way === undefined) {
			return;
		}
		row.setAttribute('aria-expanded', String(isExpanded));
		if (isExpanded && !this.groups.has(way)) {
			const group = element('ul', 'group');
			group.setAttribute('role', 'none');
			row.after(group);
			this.groups.set(way, group);
			this.expand({ tree: this.tree, path: way === '' ? [] : way.split('.').map(Number), from: 0 });
		}
	}

	private focus(row: HTMLElement): void {
		for (const it of this.root.querySelectorAll<HTMLElement>('[tabindex="0"]')) {
			it.tabIndex = -1;
		}
		row.tabIndex = 0;
		row.focus();
	}

	/** Handles the keys of the editor's own trees. */
	private onKey(event: KeyboardEvent): void {
		const row = document.activeElement;
		if (!(row instanceof HTMLElement) || row.getAttribute('role') !== 'treeitem') {
			return;
		}
		// Rows in collapsed groups have no offsetParent.
		const visible = [...this.root.querySelectorAll<HTMLElement>('[role=treeitem]')].filter(it => it.offsetParent);
		const at = visible.indexOf(row);
		const isOpen = row.getAttribute('aria-expanded');
		const parent = row.closest('.group')?.previousElementSibling;
		const go = (to: Element | null | undefined): void => (to instanceof HTMLElement ? this.focus(to) : undefined);
		const toggle = (): void =>
			row.classList.contains('more') ? row.click() : this.setExpanded(row, isOpen === 'false');
		const actions = new Map<string, () => void>([
			['ArrowDown', () => go(visible[at + 1])],
			['ArrowUp', () => go(visible[at - 1])],
			['Home', () => go(visible[0])],
			['End', () => go(visible.at(-1))],
			['ArrowRight', () => (isOpen === 'true' ? go(visible[at + 1]) : this.setExpanded(row, true))],
			['ArrowLeft', () => (isOpen === 'true' ? this.setExpanded(row, false) : go(parent))],
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

/** Screen readers find the rows of all levels in one list, so that the name of a row is its own text, without its members. */
function line(row: HTMLElement): HTMLLIElement {
	const made = element('li', '', row);
	made.setAttribute('role', 'none');
	return made;
}
