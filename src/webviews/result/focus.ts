/**
 * Keeps the focus where it was: a new page has other elements, and the editor gives the focus back to the view as a
 * whole, which leaves it on nothing.
 */

/** What had the focus last; a click forgets it, because a person who clicks says where they want to be. */
let last: HTMLElement | undefined;

export function keepFocus(): void {
	window.addEventListener('focusin', ({ target }) => {
		last = target instanceof HTMLElement && target !== document.body ? target : last;
	});
	window.addEventListener('pointerdown', () => (last = undefined), true);
	window.addEventListener('focus', restoreSoon);
	// The editor focuses the view a second time, a moment after the first, which takes the focus from its elements.
	window.addEventListener('focusout', restoreSoon);
}

/** Where a key leads into the view, its element has the focus a moment later. */
function restoreSoon(): void {
	setTimeout(() => {
		if (document.hasFocus() && document.activeElement === document.body && last?.isConnected === true) {
			last.focus();
		}
	});
}

/** To be called when a page has taken the place of another: what was focused is found again by its words, or is the title. */
export function moveFocus(): void {
	if (!last || last.isConnected) {
		return;
	}
	const { textContent } = last;
	const same = [...document.querySelectorAll<HTMLElement>('.button')].find(it => it.textContent === textContent);
	last = same ?? document.querySelector('h1') ?? undefined;
	// Of a view that has not got the focus, it would be taken from whoever has.
	if (document.hasFocus()) {
		last?.focus();
	}
}
