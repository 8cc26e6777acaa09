/**
 * Finds the id of a JSON-RPC message that is too long to be kept. Each byte is read once, in a time that doesn't depend
 * on what the message contains: nothing is allocated, decoded or parsed before the result is asked for.
 */
import type { RequestId } from './messages.js';
import { isExactId } from './requestId.js';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** `u`, as in `\u0069`. */
const letterU = 0x75;
/** No character: an escape in a key that neither `id` nor `method` contains. */
const noCode = -1;

/** Bytes of an id, without white space around it. A longer one isn't an id of ours. */
const maxIdBytes = 1024;

type Phase =
	/** Before the object. */
	| 'start'
	/** In the object, before or after a key. */
	| 'key'
	/** In a key, in an escape of a key, in the four digits of an escape. */
	| 'keyText'
	| 'keyEscape'
	| 'keyDigits'
	/** Before the value of `method`. */
	| 'method'
	/** In the value of a key, at any depth; in a string of a value, in an escape of a string. */
	| 'value'
	| 'text'
	| 'textEscape'
	/** After the object. */
	| 'end'
	/** The input isn't a JSON object. */
	| 'invalid';

/**
 * Follows strings and brackets and reads the keys of the outermost object. Doesn't validate: invalid JSON may be read as
 * an object, but valid JSON is always read correctly.
 */
export class IdScanner {
	private phase: Phase = 'start';
	/** Brackets open within the value. */
	private depth = 0;
	private readonly key = new KeyMatcher();
	private isInId = false;
	/** The value of the last `id`; undefined before the first. */
	private id: IdBytes | undefined;
	private hasMethod = false;

	/**
	 * The id, if all that was pushed is one object that answers a request. The last of several counts, as
	 * for `JSON.parse`. With a `method` it is the peer's own id and says nothing about our requests.
	 */
	get responseId(): RequestId | undefined {
		return this.hasMethod ? undefined : this.ownId;
	}

	/** The id, if all that was pushed is one object that is a request. */
	get requestId(): RequestId | undefined {
		const id = this.hasMethod ? this.ownId : undefined;
		return id !== undefined && isExactId(id, `"id":${this.id?.text ?? ''}`) ? id : undefined;
	}

	/** Whether all that was pushed is one object that is a notification. */
	get isNotification(): boolean {
		return this.phase === 'end' && this.hasMethod && this.id?.parse() === undefined;
	}

	private get ownId(): RequestId | undefined {
		const id = this.phase === 'end' ? this.id?.parse() : undefined;
		return typeof id === 'string' || typeof id === 'number' ? id : undefined;
	}

	push(bytes: Uint8Array): void {
		// In variables, not in fields: several times as fast.
		let { phase, depth } = this;
		const { key } = this;
		for (let at = 0; at < bytes.length; at++) {
			const byte = bytes[at] as number;
			switch (phase) {
				case 'text':
					if (byte === quote) {
						phase = 'value';
					} else if (byte === backslash) {
						phase = 'textEscape';
					}
					break;
				case 'textEscape':
					phase = 'text';
					break;
				case 'value':
					if (byte === quote) {
						phase = 'text';
					} else if (byte === openBrace || byte === openBracket) {
						depth++;
					} else if (depth > 0) {
						depth -= byte === closeBrace || byte === closeBracket ? 1 : 0;
					} else if (byte === comma || byte === closeBrace) {
						this.isInId = false;
						phase = byte === comma ? 'key' : 'end';
						key.reset();
					} else if (byte === closeBracket) {
						phase = 'invalid';
					}
					break;
				case 'key':
					if (byte === quote) {
						phase = 'keyText';
						key.reset();
					} else if (byte === colon) {
						phase = key.matched === 'method' ? 'method' : 'value';
						this.beginValue();
						continue;
					} else if (byte === closeBrace) {
						phase = 'end';
					}
					break;
				case 'method':
					if (!isSpace(byte)) {
						// As in `classify`: a `method` of another type, such as null, doesn't make it a request.
						this.hasMethod = byte === quote;
						phase = 'value';
						at--;
					}
					continue;
				case 'keyText':
					if (byte === quote) {
						phase = 'key';
					} else if (byte === backslash) {
						phase = 'keyEscape';
					} else {
						key.add(byte);
					}
					break;
				case 'keyEscape':
					phase = byte === letterU ? 'keyDigits' : 'keyText';
					if (byte !== letterU) {
						key.add(noCode);
					}
					break;
				case 'keyDigits':
					if (byte === quote) {
						phase = 'key';
						key.add(noCode);
					} else if (key.addDigit(byte)) {
						phase = 'keyText';
					}
					break;
				case 'start':
					if (byte === openBrace) {
						phase = 'key';
					} else if (!isSpace(byte) && !isMark(byte)) {
						phase = 'invalid';
					}
					break;
				case 'end':
					if (!isSpace(byte)) {
						phase = 'invalid';
					}
					break;
				case 'invalid':
					break;
			}
			if (this.isInId && (phase !== 'value' || !isSpace(byte))) {
				this.id?.add(byte);
			}
		}
		this.phase = phase;
		this.depth = depth;
	}

	private beginValue(): void {
		if (this.key.matched === 'id') {
			this.isInId = true;
			this.id ??= new IdBytes();
			this.id.clear();
		}
	}
}

/** Compares a key with the two that count, character by character. */
class KeyMatcher {
	private word: '' | 'id' | 'method' = '';
	/** Characters of `word` that were found; -1 if the key is another one. */
	private found = 0;
	private digits = 0;
	private code = 0;

	/** The whole key, if it is one of the two. */
	get matched(): '' | 'id' | 'method' {
		return this.found === this.word.length ? this.word : '';
	}

	reset(): void {
		this.word = '';
		this.found = 0;
		this.digits = 0;
		this.code = 0;
	}

	/** @param code a byte or a UTF-16 code unit: the keys are ASCII */
	add(code: number): void {
		if (this.found === 0) {
			this.word = code === 0x69 ? 'id' : 'method';
		}
		if (this.found >= 0) {
			this.found = this.word.charCodeAt(this.found) === code ? this.found + 1 : -1;
		}
	}

	/** @returns whether this was the last digit of an escape */
	addDigit(byte: number): boolean {
		this.code = this.code * 16 + hexDigit(byte);
		this.digits++;
		if (this.digits < 4) {
			return false;
		}
		this.add(this.code);
		this.digits = 0;
		this.code = 0;
		return true;
	}
}

/** The bytes of an id, decoded and parsed only when they are asked for. */
class IdBytes {
	private readonly bytes = new Uint8Array(maxIdBytes);
	/** More than `maxIdBytes` if the id is longer. */
	private length = 0;

	/** As it was written. */
	get text(): string {
		return new TextDecoder().decode(this.bytes.subarray(0, this.length));
	}

	clear(): void {
		this.length = 0;
	}

	add(byte: number): void {
		if (this.length < maxIdBytes) {
			this.bytes[this.length] = byte;
		}
		// Never far above the limit, so it stays a small integer.
		this.length = Math.min(this.length + 1, maxIdBytes + 1);
	}

	/** @returns undefined if the id is too long or not JSON */
	parse(): unknown {
		if (this.length > maxIdBytes) {
			return undefined;
		}
		try {
			return JSON.parse(this.text);
		} catch {
			return undefined;
		}
	}
}

function isSpace(byte: number): boolean {
	return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Whether the byte is part of a byte-order mark, which counts as white space before the message. */
function isMark(byte: number): boolean {
	return byte === 0xef || byte === 0xbb || byte === 0xbf;
}

/** @returns NaN for any other byte */
function hexDigit(byte: number): number {
	if (byte >= 0x30 && byte <= 0x39) {
		return byte - 0x30;
	}
	const lower = byte | 0x20;
	return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}
