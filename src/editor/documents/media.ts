/**
 * PURE: which images and sounds are shown. What a server calls an image is one only if it begins like one: a type
 * that can hold scripts (SVG) is never among them, and what lies about its type is not guessed at.
 */

export interface MediaType {
	readonly mimeType: string;
	readonly kind: 'image' | 'audio';
	/** For a file of it, without the dot. */
	readonly extension: string;
}

interface Known extends MediaType {
	/** Other names of the same. */
	readonly aliases?: readonly string[];
	readonly matches: (bytes: Uint8Array) => boolean;
}

const known: readonly Known[] = [
	{ mimeType: 'image/png', kind: 'image', extension: 'png', matches: at(0, '\x89PNG\r\n\x1A\n') },
	{
		mimeType: 'image/jpeg',
		kind: 'image',
		extension: 'jpg',
		aliases: ['image/jpg'],
		matches: at(0, '\xFF\xD8\xFF'),
	},
	{ mimeType: 'image/gif', kind: 'image', extension: 'gif', matches: any(at(0, 'GIF87a'), at(0, 'GIF89a')) },
	{ mimeType: 'image/webp', kind: 'image', extension: 'webp', matches: all(at(0, 'RIFF'), at(8, 'WEBP')) },
	{ mimeType: 'image/avif', kind: 'image', extension: 'avif', matches: any(at(4, 'ftypavif'), at(4, 'ftypavis')) },
	{ mimeType: 'image/bmp', kind: 'image', extension: 'bmp', matches: at(0, 'BM') },
	{
		mimeType: 'audio/wav',
		kind: 'audio',
		extension: 'wav',
		aliases: ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
		matches: all(at(0, 'RIFF'), at(8, 'WAVE')),
	},
	{
		mimeType: 'audio/mpeg',
		kind: 'audio',
		extension: 'mp3',
		aliases: ['audio/mp3'],
		matches: any(at(0, 'ID3'), bytes => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2),
	},
	{ mimeType: 'audio/ogg', kind: 'audio', extension: 'ogg', aliases: ['audio/opus'], matches: at(0, 'OggS') },
	{ mimeType: 'audio/flac', kind: 'audio', extension: 'flac', aliases: ['audio/x-flac'], matches: at(0, 'fLaC') },
	{
		mimeType: 'audio/mp4',
		kind: 'audio',
		extension: 'm4a',
		aliases: ['audio/x-m4a', 'audio/m4a'],
		matches: at(4, 'ftyp'),
	},
	{ mimeType: 'audio/webm', kind: 'audio', extension: 'webm', matches: at(0, '\x1A\x45\xDF\xA3') },
];

export type MediaCheck =
	| { readonly kind: 'shown'; readonly type: MediaType }
	/** Not among those that are shown at all. */
	| { readonly kind: 'notShown' }
	/** The bytes do not begin as this type does; they may be of another. */
	| { readonly kind: 'mismatch'; readonly actual: MediaType | undefined };

/** Whether these bytes are shown as what they are said to be. Parameters of the MIME type say nothing. */
export function checkMedia(mimeType: string, bytes: Uint8Array): MediaCheck {
	const type = mediaTypeOf(mimeType);
	if (!type) {
		return { kind: 'notShown' };
	}
	return type.matches(bytes)
		? { kind: 'shown', type }
		: { kind: 'mismatch', actual: known.find(it => it.matches(bytes)) };
}

/** The type of that name, if media of it are shown. */
export function mediaTypeOf(mimeType: string): Known | undefined {
	const [name = ''] = mimeType.split(';', 1);
	const type = name.trim().toLowerCase();
	return known.find(it => it.mimeType === type || it.aliases?.includes(type));
}

type Match = (bytes: Uint8Array) => boolean;

function at(offset: number, text: string): Match {
	return bytes => Array.from(text).every((it, index) => bytes[offset + index] === it.charCodeAt(0));
}

function any(...matches: readonly Match[]): Match {
	return bytes => matches.some(it => it(bytes));
}

function all(...matches: readonly Match[]): Match {
	return bytes => matches.every(it => it(bytes));
}
