/** Shows images without animation if the person prefers reduced motion. */
import { element } from './elements.js';

/** The class by which the editor tells views that motion is reduced. */
const reduced = 'vscode-reduce-motion';

/** If motion is reduced, replaces all loaded images by their first frame. */
export function freezeImages(view: Element): void {
	if (!document.body.classList.contains(reduced)) {
		return;
	}
	for (const image of view.querySelectorAll('img')) {
		if (image.complete && image.naturalWidth > 0) {
			image.replaceWith(firstFrame(image));
		}
	}
}

/** A canvas draws only the first frame of an animated image (HTML, 4.12.5.1.14). */
function firstFrame(image: HTMLImageElement): HTMLCanvasElement {
	const canvas = element('canvas', '');
	canvas.width = image.naturalWidth;
	canvas.height = image.naturalHeight;
	canvas.getContext('2d')?.drawImage(image, 0, 0);
	canvas.setAttribute('role', 'img');
	canvas.setAttribute('aria-label', image.alt);
	return canvas;
}
