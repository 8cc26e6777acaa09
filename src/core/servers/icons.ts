/**
 * Chooses and checks the icon of a server. Spec 2025-11-25, basic, icons: only `data:` URLs are shown, so no icon is ever
 * requested, and their first bytes must be those of the declared format. SVG is refused because it can contain scripts and
 * references.
 */
import type { Icon } from '../../mcp/index.js';

export const maxIconBytes = 64 * 1024;
/** Number of icons that are considered; a server can send any number. */
const maxCandidates = 32;

/** The beginning of each format in base64, by media type. */
const formats: ReadonlyMap<string, RegExp> = new Map([
	['image/png', /^iVBORw0KGg[o-r]/],
	['image/jpeg', /^\/9j\//],
	['image/webp', /^UklGR.{6}XRUJQ/],
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
	const rank = (icon: Icon): number => (icon.theme === theme ? 0 : icon.theme === undefined ? 1 : 2);
	const candidates = icons.slice(0, maxCandidates).toSorted((a, b) => rank(a) - rank(b));
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

/** The icon's `data:` URL. @throws IconRefusedError */
function checkedUrl({ src }: Icon): string {
	// Base64 has four characters for three bytes; 30 for the rest of the URL.
	if (src.length > (maxIconBytes / 3) * 4 + 30) {
		throw new IconRefusedError(`it is larger than ${maxIconBytes} bytes`);
	}
	const [, type = '', data = ''] = /^data:(image\/[a-z]+);base64,([\w+/]+=*)$/i.exec(src) ?? [];
	if (!formats.get(type.toLowerCase())?.test(data)) {
		throw new IconRefusedError('it is no data: URL of a PNG, JPEG or WebP image in base64');
	}
	return src;
}
