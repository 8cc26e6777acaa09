/**
 * Keeps the focus where it was: a new page has other elements, and the editor gives the focus back to the view as a
 * whole, which leaves it on nothing.
 */

/** What had the focus last; a click forgets it, because a person who clicks says where they want to be. */
let last: HTMLElement | undefined;

/** Whether a key or the pointer was used in the view since the person last left it. */
let isUsed = false;
/** Whether the person, and not the editor, has moved the focus to where it is. */
let isByPerson = false;

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
 * Keeps a stray Enter or Space from running a call again: when a quick input hides, the editor can return the focus to a
 * button of this view while the key is still pressed.
 */
function blockStrayKey(event: KeyboardEvent): void {
	if (event.key !== 'Enter' && event.key !== ' ') {
		isUsed = true;
	} else if (!isByPerson && event.target instanceof HTMLElement && event.target.dataset['repeats'] !== undefined) {
		event.preventDefault();
		event.stopImmediatePropagation();
	}
}

/** Where a key leads into the view, its element has the focus a moment later. */
function restoreSoon(): void {
	setTimeout(() => {
		if (document.hasFocus() && document.activeElement === document.body && last?.isConnected === true) {
			const before = isByPerson;
			last.focus();
			isByPerson = before;
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
