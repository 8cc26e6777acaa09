/**
 * Chooses and checks the icon of a server. Spec 2025-11-25, basic, icons: only `data:` URLs are shown, so no icon is ever
 * requested, and their bytes are checked. SVG is refused because it can contain scripts and references.
 */
import { encodeBase64, tryDecodeBase64 } from '../../base/base64.js';
import type { Icon } from '../../mcp/index.js';
import { type ImageType, readImage } from './imageBytes.js';

export const maxIconBytes = 64 * 1024;
/** Pixels of one side: a small file can decode to a very large image. */
const maxSide = 1024;
/** Number of icons that are considered; a server can send any number. */
const maxCandidates = 32;
/** Pixels. Icons of rows are 16 pixels high, which are 32 on most screens. */
const bestSide = 32;

const imageTypes: ReadonlyMap<string, ImageType> = new Map([
	['image/png', 'image/png'],
	['image/jpeg', 'image/jpeg'],
	['image/jpg', 'image/jpeg'],
	['image/webp', 'image/webp'],
]);

/** `data:` URLs for the two kinds of background. */
export interface ServerIcon {
	readonly light: string;
	readonly dark: string;
}

/** An icon is not shown. The message is for the log. */
export class IconRefusedError extends Error {
	override readonly name = 'IconRefusedError';
}

/**
 * The icon to show for a server; `undefined` if there are no icons.
 * @throws IconRefusedError if none of the icons is allowed
 */
export function chooseServerIcon(icons: readonly Icon[]): ServerIcon | undefined {
	return icons.length === 0 ? undefined : { light: chooseIcon(icons, 'light'), dark: chooseIcon(icons, 'dark') };
}

function chooseIcon(icons: readonly Icon[], theme: 'light' | 'dark'): string {
	const candidates = icons.slice(0, maxCandidates).toSorted((a, b) => distance(a, theme) - distance(b, theme));
	let refused: unknown;
	for (const icon of candidates) {
		try {
			return checkedUrl(icon);
		} catch (error) {
			refused ??= error;
		}
	}
	throw refused;
}

/** The icon's `data:` URL, written anew from its bytes. */
function checkedUrl({ src, mimeType }: Icon): string {
	if (!/^data:/i.test(src)) {
		throw new IconRefusedError('its address is no data: URL');
	}
	// Base64 has four characters for three bytes; 200 for the rest of the URL.
	if (src.length > (maxIconBytes / 3) * 4 + 200) {
		throw tooLarge();
	}
	// Spec: data URLs of icons are in base64.
	const [, type = '', text = ''] = /^data:([^,;]*);base64,(.*)$/is.exec(src) ?? [];
	const types = (mimeType === undefined ? [type] : [mimeType, type]).map(withoutParameters);
	if (types.some(it => !imageTypes.has(it))) {
		throw new IconRefusedError('it is said to be something else than a PNG, JPEG or WebP image in base64');
	}
	const bytes = tryDecodeBase64(text);
	if (!bytes) {
		throw new IconRefusedError('its data is no base64');
	}
	return `data:${checkImage(bytes, types)};base64,${encodeBase64(bytes)}`;
}

/** @param types the media types that the server declared. The bytes must have each of them. */
function checkImage(bytes: Uint8Array, types: readonly string[]): ImageType {
	if (bytes.length > maxIconBytes) {
		throw tooLarge();
	}
	const facts = readImage(bytes);
	if (!facts) {
		throw new IconRefusedError('it is no PNG, JPEG or WebP image');
	}
	if (types.some(it => imageTypes.get(it) !== facts.type)) {
		throw new IconRefusedError(`it is ${facts.type}, and said to be something else`);
	}
	if (facts.isAnimated) {
		throw new IconRefusedError('it is animated');
	}
	if (!(facts.width > 0 && facts.height > 0) || Math.max(facts.width, facts.height) > maxSide) {
		throw new IconRefusedError(`it has ${facts.width} × ${facts.height} pixels`);
	}
	return facts.type;
}

function tooLarge(): IconRefusedError {
	return new IconRefusedError(`it is larger than ${maxIconBytes} bytes`);
}

/** A media type without its parameters, in lower case. */
function withoutParameters(text: string): string {
	return (text.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** How unsuitable an icon is: the theme counts most, then the size. Too small is worse than too large. */
function distance({ sizes = [], theme }: Icon, wanted: 'light' | 'dark'): number {
	const sides = sizes.slice(0, maxCandidates).flatMap(it => {
		const side = /^(\d{1,5})x\d{1,5}$/i.exec(it)?.[1];
		return side === undefined ? [] : [Number(side)];
	});
	const far = sides.map(it => (it >= bestSide ? it - bestSide : it >= 16 ? 2 * (bestSide - it) : 10_000 - it));
	const size = far.length > 0 && !sizes.includes('any') ? Math.min(...far) : bestSide;
	return size + (theme === wanted ? 0 : theme === undefined ? 100_000 : 1_000_000);
}
