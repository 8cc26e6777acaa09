/** Keeps the focus on an element when the editor focuses the whole view. */
import { clock } from '../../base/clock.js';

/** The element that had the focus last. A click resets it, because it chooses the place for the focus. */
let last: HTMLElement | undefined;

/** Whether a key or the pointer was used in the view since the person last left it. */
let isUsed = false;
/** Whether the person, and not the editor, has moved the focus. */
let isByPerson = false;

/** Registers the listeners. To be called once. */
export function keepFocus(): void {
	window.addEventListener('focusin', ({ target }) => {
		last = target instanceof HTMLElement && target !== document.body ? target : last;
		isByPerson = isUsed;
	});
	window.addEventListener(
		'pointerdown',
		() => {
			last = undefined;
			isUsed = true;
		},
		true,
	);
	window.addEventListener('keydown', blockStrayKey, true);
	window.addEventListener('blur', () => (isUsed = isByPerson = false));
	window.addEventListener('focus', restoreSoon);
	// The editor focuses the view a second time, a moment after the first, which takes the focus from its elements.
	window.addEventListener('focusout', restoreSoon);
}

/**
 * Keeps a stray Enter or Space from running a call again: when a quick input hides, the editor can return the focus to
 * a button of this view while the key is still pressed. A key that is held down runs only one call.
 */
function blockStrayKey(event: KeyboardEvent): void {
	if (event.key !== 'Enter' && event.key !== ' ') {
		isUsed = true;
	} else if (
		(event.repeat || !isByPerson) &&
		event.target instanceof HTMLElement &&
		event.target.dataset['repeats'] !== undefined
	) {
		event.preventDefault();
		event.stopImmediatePropagation();
	}
}

/** Waits a moment, because a key that enters the view gives its element the focus only then. */
function restoreSoon(): void {
	clock.setTimeout(() => {
		if (document.hasFocus() && document.activeElement === document.body && last?.isConnected === true) {
			const before = isByPerson;
			last.focus({ preventScroll: true });
			isByPerson = before;
		}
	});
}

/** Focuses an element as soon as the view has the focus, for example the title of a page that is read from the beginning. */
export function startFocus(first: HTMLElement): void {
	last = first;
	restoreSoon();
}
