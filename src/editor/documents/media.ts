/**
 * The types of images and audio that are shown. Content is shown only if its first bytes match its MIME type. Types
 * that can contain scripts, such as SVG, must not be added.
 */

export interface MediaType {
	readonly mimeType: string;
	readonly kind: 'image' | 'audio';
	/** File extension, without the dot. */
	readonly extension: string;
}

interface Known extends MediaType {
	/** Other names of the MIME type. */
	readonly aliases: readonly string[];
	readonly matches: Match;
}

const wavAliases = ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'];
const known: readonly Known[] = [
	mediaType('image/png', 'png', at(0, '\x89PNG\r\n\x1A\n')),
	mediaType('image/jpeg', 'jpg', at(0, '\xFF\xD8\xFF'), 'image/jpg'),
	mediaType('image/gif', 'gif', any(at(0, 'GIF87a'), at(0, 'GIF89a'))),
	mediaType('image/webp', 'webp', all(at(0, 'RIFF'), at(8, 'WEBP'))),
	mediaType('image/avif', 'avif', any(at(4, 'ftypavif'), at(4, 'ftypavis'))),
	mediaType('image/bmp', 'bmp', at(0, 'BM')),
	mediaType('audio/wav', 'wav', all(at(0, 'RIFF'), at(8, 'WAVE')), ...wavAliases),
	mediaType('audio/mpeg', 'mp3', any(at(0, 'ID3'), isMpegFrame), 'audio/mp3'),
	mediaType('audio/ogg', 'ogg', at(0, 'OggS'), 'audio/opus'),
	mediaType('audio/flac', 'flac', at(0, 'fLaC'), 'audio/x-flac'),
	mediaType('audio/mp4', 'm4a', at(4, 'ftyp'), 'audio/x-m4a', 'audio/m4a'),
	mediaType('audio/webm', 'webm', at(0, '\x1A\x45\xDF\xA3')),
];

export type MediaCheck =
	| { readonly kind: 'shown'; readonly type: MediaType }
	/** Content of this MIME type is never shown. */
	| { readonly kind: 'notShown' }
	/** The first bytes don't match the MIME type. `actual` is the type that they match. */
	| { readonly kind: 'mismatch'; readonly actual: MediaType | undefined };

/** Whether bytes can be shown with a MIME type, whose parameters are ignored. */
export function checkMedia(mimeType: string, bytes: Uint8Array): MediaCheck {
	const type = mediaTypeOf(mimeType);
	if (!type) {
		return { kind: 'notShown' };
	}
	return type.matches(bytes)
		? { kind: 'shown', type }
		: { kind: 'mismatch', actual: known.find(it => it.matches(bytes)) };
}

/** The type of a MIME type, if content of it can be shown. */
export function mediaTypeOf(mimeType: string): Known | undefined {
	const [name = ''] = mimeType.split(';', 1);
	const type = name.trim().toLowerCase();
	return known.find(it => it.mimeType === type || it.aliases.includes(type));
}

type Match = (bytes: Uint8Array) => boolean;

function mediaType(mimeType: string, extension: string, matches: Match, ...aliases: readonly string[]): Known {
	return { mimeType, kind: mimeType.startsWith('image/') ? 'image' : 'audio', extension, aliases, matches };
}

/** Whether the bytes begin with the header of an MPEG audio frame. */
function isMpegFrame(bytes: Uint8Array): boolean {
	return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2;
}

function at(offset: number, text: string): Match {
	return bytes => Array.from(text).every((it, index) => bytes[offset + index] === it.charCodeAt(0));
}

function any(...matches: readonly Match[]): Match {
	return bytes => matches.some(it => it(bytes));
}

function all(...matches: readonly Match[]): Match {
	return bytes => matches.every(it => it(bytes));
}
