/**
 * Chooses the icon of a server. Spec 2025-11-25, basic, icons: only `data:` URLs are shown, so no icon is ever requested,
 * and their bytes must be those of a PNG or JPEG. SVG is refused because it can contain scripts and references.
 */
import { encodeBase64, tryDecodeBase64 } from '../../base/base64.js';
import type { Icon } from '../../mcp/index.js';

export const maxIconBytes = 64 * 1024;
/** Pixels of one side: a small file can decode to a very large image. */
const maxSide = 1024;
/** Number of icons that are considered; a server can send any number. */
const maxCandidates = 32;
/** Pixels. Icons of rows are 16 pixels high, which are 32 on most screens. */
const bestSide = 32;

/** `data:` URLs for the two kinds of background. */
export interface ServerIcon {
	readonly light: string;
	readonly dark: string;
}

interface UsableIcon {
	/** Written anew from the bytes. */
	readonly url: string;
	readonly side: number;
	readonly theme: Icon['theme'];
}

/** The icon to show for a server; `undefined` if none can be shown. */
export function chooseServerIcon(icons: readonly Icon[]): ServerIcon | undefined {
	const usable = icons.slice(0, maxCandidates).flatMap(it => readIcon(it) ?? []);
	const [light, dark] = (['light', 'dark'] as const).map(
		theme => usable.toSorted((a, b) => distance(a, theme) - distance(b, theme))[0]?.url,
	);
	return light === undefined || dark === undefined ? undefined : { light, dark };
}

/** How unsuitable an icon is: the theme counts most, then the size. */
function distance({ side, theme }: UsableIcon, wanted: 'light' | 'dark'): number {
	return Math.abs(side - bestSide) + (theme === wanted ? 0 : theme === undefined ? maxSide : 2 * maxSide);
}

function readIcon({ src, theme }: Icon): UsableIcon | undefined {
	// Base64 has four characters for three bytes; 200 for the rest of the URL.
	const isSmall = src.length <= (maxIconBytes / 3) * 4 + 200;
	const bytes = isSmall ? tryDecodeBase64(/^data:[^,;]*;base64,(.*)$/is.exec(src)?.[1] ?? '') : undefined;
	const image = bytes && readImage(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	if (!image || !(image.width > 0 && image.height > 0) || Math.max(image.width, image.height) > maxSide) {
		return undefined;
	}
	return { url: `data:${image.type};base64,${encodeBase64(bytes)}`, side: image.width, theme };
}

interface ImageSize {
	readonly type: 'image/png' | 'image/jpeg';
	readonly width: number;
	readonly height: number;
}

/** The type and size of an image from its bytes; `undefined` for other formats, and for truncated images. */
function readImage(view: DataView): ImageSize | undefined {
	try {
		// PNG, 5.3 and 11.2.2: IHDR comes first.
		if (view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a) {
			return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
		}
		return view.getUint16(0) === 0xffd8 ? readJpeg(view) : undefined;
	} catch (error) {
		if (error instanceof RangeError) {
			return undefined;
		}
		throw error;
	}
}

/** ITU T.81, B.1: segments until the start of a frame, SOF0 to SOF15 without DHT, JPG and DAC. */
function readJpeg(view: DataView): ImageSize | undefined {
	for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
		const marker = view.getUint8(at + 1);
		if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
			return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
		}
	}
	return undefined;
}
