/** Where motion is reduced, images are drawn at rest: their bytes need not be asked whether they move. */
import { element } from './elements.js';

/** How the editor tells views of its setting, which may leave it to the system. */
const reduced = 'vscode-reduce-motion';

/** Shows the first frame of every image of the view that is loaded, if motion is reduced. */
export function restImages(view: Element): void {
	if (!document.body.classList.contains(reduced)) {
		return;
	}
	for (const image of view.querySelectorAll('img')) {
		if (image.complete && image.naturalWidth > 0) {
			image.replaceWith(firstFrame(image));
		}
	}
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
