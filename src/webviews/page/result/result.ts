/** The result of a call: shows the results that it receives, and reports pressed buttons. */
import { assertNever } from '../../../base/errors.js';
import { announce } from '../connection.js';
import { button, drawn, element, type Icon, isolated, pre, section, toolbar } from '../elements.js';
import { freezeImages } from '../motion.js';
import { JsonTree } from '../tree.js';
import {
	type BlockAction,
	type BlockView,
	type Failure,
	type FromView,
	type PageAction,
	type ResultPage,
	type Strings,
	type ToView,
	type TreeEntry,
	type TreePlace,
} from './protocol.js';

/** One result. The owner adds `parts` to the page, and passes all further messages about the result to `take`. */
export class ResultView {
	readonly parts: readonly HTMLElement[];
	private readonly trees = new Map<TreePlace['tree'], JsonTree>();
	private readonly blocks: readonly HTMLElement[];
	/** Object URLs of images and audio, which `dispose` revokes. */
	private readonly urls: string[] = [];

	constructor(
		private readonly page: ResultPage,
		private readonly strings: Strings,
		private readonly tell: (message: FromView) => void,
	) {
		this.blocks = page.blocks.map((it, index) => this.block(it, index));
		this.parts = [this.header(), this.main()];
	}

	private main(): HTMLElement {
		const { page, strings } = this;
		const parts: HTMLElement[] = [];
		if (page.failure) {
			parts.push(this.failure(page.failure));
		}
		if (page.warnings.length > 0) {
			const lines = page.warnings.map(it => isolated('li', '', it));
			parts.push(element('section', 'warnings', element('ul', '', ...lines)));
		}
		if (page.description !== '') {
			const said = isolated('p', 'text', page.description);
			parts.push(element('div', 'quoted', element('p', 'note', strings.fromServer), said));
		}
		if (page.structured) {
			parts.push(this.structured(page.structured));
		}
		if (page.blocks.length > 0) {
			parts.push(section(strings.result, ...this.blocks));
		} else if (!page.failure && !page.structured && page.outcome !== 'cancelled') {
			parts.push(section(strings.result, element('p', 'note', strings.empty)));
		}
		const hasArguments = page.arguments.count > 0;
		parts.push(
			section(
				strings.arguments,
				hasArguments
					? this.tree('arguments', page.arguments, strings.arguments)
					: element('p', 'note', strings.noArguments),
			),
		);
		return element('div', '', ...parts);
	}

	take(message: Exclude<ToView, { type: 'page' }>): void {
		if (message.id !== this.page.id) {
			return;
		}
		if (message.type === 'announce') {
			announce(message.text);
		} else if (message.type === 'children') {
			this.trees.get(message.place.tree)?.add(message.place, message.entries, message.left);
		} else {
			this.showMedia(message);
		}
	}

	dispose(): void {
		for (const url of this.urls) {
			URL.revokeObjectURL(url);
		}
	}

	private header(): HTMLElement {
		const { page, strings } = this;
		const press = (action: PageAction): void => this.tell({ type: 'press', id: page.id, action });
		const status = element('p', `status ${page.outcome}`, drawn(icons[page.outcome]), element('span', '', page.facts));
		const uses = page.uses.map(({ label, icon }, index) =>
			button(label, icon, () => this.tell({ type: 'use', id: page.id, index })),
		);
		return element(
			'header',
			'',
			status,
			toolbar(
				strings.actions,
				uses.concat(
					page.actions.map(action => button(strings[buttons[action][0]], buttons[action][1], () => press(action))),
				),
			),
		);
	}

	private failure({ message, details, isOutput }: Failure): HTMLElement {
		const label = isOutput ? this.strings.output : this.strings.details;
		const disclosure = element('details', '', element('summary', '', label), pre(details, label));
		disclosure.open = isOutput;
		return element('section', 'failure', isolated('p', '', message), ...(details === '' ? [] : [disclosure]));
	}

	private structured(root: TreeEntry): HTMLElement {
		const { page, strings } = this;
		const made = section(strings.structured, this.tree('structured', root, strings.structured));
		if (page.check) {
			const icon = page.check.kind === 'valid' ? 'check' : 'warning';
			const mark = element('p', `check ${page.check.kind}`, drawn(icon), element('span', '', page.check.text));
			made.firstElementChild?.after(mark);
		}
		const open = (): void => this.tell({ type: 'press', id: page.id, action: 'openStructured' });
		made.append(element('div', 'actions', button(strings.openInEditor, 'file', open)));
		return made;
	}

	private tree(place: TreePlace['tree'], root: TreeEntry, label: string): HTMLElement {
		const expand = (it: TreePlace): void => this.tell({ type: 'expand', id: this.page.id, place: it });
		const tree = new JsonTree(place, root, label, this.strings, expand);
		this.trees.set(place, tree);
		return tree.root;
	}

	private block(block: BlockView, index: number): HTMLElement {
		const { page, strings } = this;
		const made = element('article', `block ${block.kind}`);
		const name = [block.role, block.title].filter(Boolean).join(', ') || strings.result;
		made.setAttribute('aria-label', name);
		if (block.role !== '') {
			made.append(element('p', 'role', block.role));
		}
		if (block.title !== '') {
			made.append(isolated('h3', '', block.title));
		}
		switch (block.kind) {
			case 'text':
				made.append(pre(block.text, name));
				break;
			case 'tree':
				made.append(block.root ? this.tree(index, block.root, block.title) : '');
				break;
			case 'media':
				made.append(element('div', 'frame'));
				break;
			case 'link':
			case 'note':
				made.append(isolated('p', block.kind, block.text));
				break;
			default:
				return assertNever(block.kind);
		}
		if (block.more !== '') {
			made.append(element('p', 'note', block.more));
		}
		const labels: Readonly<Record<BlockAction, readonly [string, Icon]>> = {
			open: [strings.openInEditor, 'file'],
			saveBlock: [strings.saveAs, 'save'],
			copyBlock: [strings.copyText, 'copy'],
		};
		const buttons = block.actions.map(action => {
			const [label, icon] = labels[action];
			return button(label, icon, () => this.tell({ type: 'pressBlock', id: page.id, action, block: index }));
		});
		if (buttons.length > 0) {
			made.append(element('div', 'actions', ...buttons));
		}
		return made;
	}

	/** Shows an image or audio. The extension has checked the bytes and the MIME type. */
	private showMedia({ block: index, mimeType, bytes }: Extract<ToView, { type: 'media' }>): void {
		const block = this.page.blocks[index];
		const frame = this.blocks[index]?.querySelector('.frame');
		if (!frame || !block?.media) {
			return;
		}
		const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: mimeType }));
		this.urls.push(url);
		const media = block.media === 'image' ? element('img', '') : element('audio', '');
		media.addEventListener('error', () => frame.replaceChildren(element('p', 'note', this.strings.unplayable)));
		media.src = url;
		if (media instanceof HTMLAudioElement) {
			media.controls = true;
			media.setAttribute('aria-label', block.title);
		} else {
			media.alt = block.title;
			media.addEventListener('load', () => freezeImages(frame));
		}
		frame.replaceChildren(media);
	}
}

const buttons: Readonly<Record<PageAction, readonly [keyof Strings, Icon]>> = {
	copy: ['copy', 'copy'],
	save: ['save', 'save'],
	compare: ['compare', 'compare'],
	history: ['history', 'history'],
	log: ['log', 'log'],
	openStructured: ['openInEditor', 'file'],
};

const icons: Readonly<Record<ResultPage['outcome'], Icon>> = {
	done: 'check',
	warned: 'warning',
	mismatch: 'warning',
	toolError: 'warning',
	failed: 'cross',
	cancelled: 'slash',
};
