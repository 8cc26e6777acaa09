/** Images that move: each can be stopped, and where motion is reduced it stands still until somebody plays it. */
import { drawn, element } from './elements.js';
import type { Strings } from './protocol.js';

/** How the editor tells views of its setting, which may leave it to the system. */
const reduced = 'vscode-reduce-motion';

export interface MovingImage {
	/** Plays and stops it. */
	readonly button: HTMLButtonElement;
	dispose(): void;
}

/**
 * Shows an image that moves, or its first frame.
 * @param frame holds the one or the other
 * @param image has been loaded, and has its words
 */
export function showMoving(frame: Element, image: HTMLImageElement, strings: Strings): MovingImage {
	const still = firstFrame(image);
	const button = element('button', 'button');
	button.type = 'button';
	let plays = false;
	const set = (to: boolean): void => {
		plays = to;
		frame.replaceChildren(to ? image : still);
		const label = to ? strings.stopImage : strings.playImage;
		button.replaceChildren(drawn(to ? 'stop' : 'play'), element('span', '', label));
	};
	button.addEventListener('click', () => set(!plays));
	let wasReduced = isReduced();
	set(!wasReduced);
	// Other colours touch the same attribute, and stop nothing.
	const observer = new MutationObserver(() => {
		if (isReduced() && !wasReduced) {
			set(false);
		}
		wasReduced = isReduced();
	});
	observer.observe(document.body, { attributeFilter: ['class'] });
	return { button, dispose: () => observer.disconnect() };
}

function isReduced(): boolean {
	return document.body.classList.contains(reduced);
}

/** HTML, 4.12.5.1.14: of an image that moves, a canvas gets the first frame. */
function firstFrame(image: HTMLImageElement): HTMLCanvasElement {
	const canvas = element('canvas', '');
	canvas.width = image.naturalWidth;
	canvas.height = image.naturalHeight;
	canvas.getContext('2d')?.drawImage(image, 0, 0);
	canvas.setAttribute('role', 'img');
	canvas.setAttribute('aria-label', image.alt);
	return canvas;
}
