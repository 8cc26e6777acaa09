/** Creates HTML elements. Texts come from servers, so they must become text nodes and never markup. */

/** Creates an element with a class and with texts and elements as children. */
export function element<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	className: string,
	...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
	const made = document.createElement(tag);
	if (className !== '') {
		made.className = className;
	}
	made.append(...children);
	return made;
}

/** Creates an element in which text of a server can't change the direction of the text around it. */
export function isolated<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	className: string,
	text: string,
): HTMLElementTagNameMap[K] {
	const made = element(tag, className, text);
	made.dir = 'auto';
	return made;
}

/** Creates a text in the editor's font. It can take the focus, so that long texts can be scrolled with the keyboard. */
export function pre(text: string, name: string): HTMLPreElement {
	const made = isolated('pre', '', text);
	made.tabIndex = 0;
	made.setAttribute('role', 'group');
	made.setAttribute('aria-label', name);
	return made;
}

/** Creates a section with a heading. */
export function section(title: string, ...children: readonly Node[]): HTMLElement {
	const made = element('section', '', isolated('h2', '', title), ...children);
	made.setAttribute('aria-label', title);
	return made;
}

/** Creates a button with an icon and a label. */
export function button(label: string, icon: Icon | undefined, press: () => void): HTMLButtonElement {
	const made = element('button', 'button', ...(icon ? [drawn(icon)] : []), element('span', '', label));
	made.type = 'button';
	made.addEventListener('click', press);
	return made;
}

/** SVG paths of icons, because webviews have no access to the icon font of the editor. */
const icons = {
	play: 'M4.5 3l8 5-8 5z',
	edit: 'M3 13l.7-3L11 2.7l2.3 2.3L6 12.3z',
	copy: 'M5.5 5.5h7v8h-7z M3.5 10.5v-8h7',
	save: 'M3 3h8l2 2v8H3z M5.5 3v3.5h4.5V3 M5 13V9h6v4',
	compare: 'M2.5 3h4v10h-4z M9.5 3h4v10h-4z',
	history: 'M3.2 5.2a5.5 5.5 0 1 1-.6 3.6 M2.5 2.5v3h3 M8 5v3.2l2.2 1.4',
	log: 'M3 4h10 M3 8h10 M3 12h6',
	check: 'M3 8.5l3.5 3.5L13 4.5',
	cross: 'M4 4l8 8 M12 4l-8 8',
	slash: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11 M4.1 4.1l7.8 7.8',
	warning: 'M8 2.5l6.5 11h-13z M8 6.5v3.5 M8 11.6v.6',
	chevron: 'M6 4l4 4-4 4',
	up: 'M8 13V3 M4 7l4-4 4 4',
	down: 'M8 3v10 M4 9l4 4 4-4',
	insert: 'M3 3h10 M3 13h10 M13.5 8H6 M8.5 5.5L6 8l2.5 2.5',
	'comment-discussion': 'M2.5 3h11v7.5H8l-3 3v-3H2.5z',
	file: 'M4 2.5h5l3 3v8H4z M9 2.5v3h3',
} as const;
export type Icon = keyof typeof icons;

/** Creates an icon that is hidden from screen readers, because a label beside it says the same. */
export function drawn(icon: Icon): SVGSVGElement {
	const namespace = 'http://www.w3.org/2000/svg';
	const svg = document.createElementNS(namespace, 'svg');
	svg.setAttribute('viewBox', '0 0 16 16');
	svg.setAttribute('class', `icon icon-${icon}`);
	svg.setAttribute('aria-hidden', 'true');
	const path = document.createElementNS(namespace, 'path');
	path.setAttribute('d', icons[icon]);
	svg.append(path);
	return svg;
}

/** Creates a toolbar. One button is in the tab order, and arrow keys move between the buttons. */
export function toolbar(label: string, buttons: readonly HTMLButtonElement[]): HTMLElement {
	const bar = element('div', 'toolbar', ...buttons);
	bar.setAttribute('role', 'toolbar');
	bar.setAttribute('aria-label', label);
	const focus = (index: number): void => {
		buttons.forEach((it, at) => it.setAttribute('tabindex', at === index ? '0' : '-1'));
	};
	focus(0);
	moveByArrows(bar, buttons, focus);
	return bar;
}

/** Lets arrow keys, Home and End move the focus between the buttons of a bar. @param didMove gets the index of the button */
export function moveByArrows(
	bar: HTMLElement,
	buttons: readonly HTMLButtonElement[],
	didMove: (index: number) => void,
): void {
	bar.addEventListener('keydown', event => {
		const shown = buttons.filter(it => !it.hidden);
		const at = shown.findIndex(it => it === document.activeElement);
		const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
		const next = step === undefined ? undefined : shown[(step + shown.length) % shown.length];
		if (at >= 0 && next) {
			event.preventDefault();
			didMove(buttons.indexOf(next));
			next.focus();
		}
	});
}
