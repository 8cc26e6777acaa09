/**
 * Finds the id of a JSON-RPC message that is too long to be kept: bytes go by in any chunking, each is
 * looked at once, and no more than one short token is remembered. PURE: bytes in, an id out.
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
/** A byte-order mark counts as white space before the message. */
const mark: readonly number[] = [0xef, 0xbb, 0xbf];

/** A longer id is none of ours; `method` written with escapes only has 38 bytes. */
const maxTokenBytes = 1024;

type Phase =
	/** Before the object. */
	| 'start'
	/** Directly in the object, before or in a key. */
	| 'key'
	/** In the value of a key, at any depth. */
	| 'value'
	/** After the object. */
	| 'end'
	/** This is no object. */
	| 'invalid';

/**
 * Follows strings and brackets and reads the keys of the outermost object. It is no validator: what is not
 * JSON may be taken for it, but what is JSON is always read right.
 */
export class IdScanner {
	private phase: Phase = 'start';
	/** Brackets open within the value. */
	private depth = 0;
	private isInString = false;
	private isEscaped = false;
	/** The bytes of the key or id being read; `undefined` while nothing is wanted. */
	private token: number[] | undefined;
	private key: unknown;
	private id: unknown;
	/** As it is written. */
	private idText = '';
	private hasMethod = false;

	/**
	 * The id, if all that was pushed is one object that answers a request. The last of several counts, as
	 * for `JSON.parse`. With a `method` it is the peer's own id and says nothing about our requests.
	 */
	get responseId(): RequestId | undefined {
		return this.hasMethod ? undefined : this.ownId;
	}

	/** The id, if all that was pushed is one object that asks for something. */
	get requestId(): RequestId | undefined {
		return this.hasMethod && isExactId(this.ownId ?? '', `"id":${this.idText}`) ? this.ownId : undefined;
	}

	/** True if all that was pushed is one object that wants no answer and gives none. */
	get isNotification(): boolean {
		return this.phase === 'end' && this.hasMethod && this.id === undefined;
	}

	private get ownId(): RequestId | undefined {
		const { id } = this;
		const isId = typeof id === 'string' || typeof id === 'number';
		return this.phase === 'end' && isId ? id : undefined;
	}

	push(bytes: Uint8Array): void {
		for (let at = 0; at < bytes.length && this.phase !== 'invalid'; at++) {
			if (this.phase === 'value' && !this.token) {
				// Nearly all of a huge message is one value that nobody wants.
				at = this.skipValue(bytes, at);
			}
			const byte = bytes[at];
			if (byte === undefined) {
				break;
			}
			if (this.isInString) {
				this.readInString(byte);
			} else {
				this.read(byte);
			}
		}
	}

	/** Where the value ends that begins before or at `from`, or the end of the bytes. */
	private skipValue(bytes: Uint8Array, from: number): number {
		// In variables, not in fields: several times as fast.
		let { depth, isInString, isEscaped } = this;
		let at = from;
		for (; at < bytes.length; at++) {
			const byte = bytes[at];
			if (isEscaped) {
				isEscaped = false;
			} else if (isInString) {
				isEscaped = byte === backslash;
				isInString = byte !== quote;
			} else if (byte === quote) {
				isInString = true;
			} else if (byte === openBrace || byte === openBracket) {
				depth++;
			} else if (depth === 0 && (byte === comma || byte === closeBrace)) {
				break;
			} else if (byte === closeBrace || byte === closeBracket) {
				depth--;
			}
		}
		this.depth = depth;
		this.isInString = isInString;
		this.isEscaped = isEscaped;
		return at;
	}

	private readInString(byte: number): void {
		this.keep(byte);
		if (this.isEscaped) {
			this.isEscaped = false;
		} else if (byte === backslash) {
			this.isEscaped = true;
		} else if (byte === quote) {
			this.isInString = false;
		}
	}

	private read(byte: number): void {
		switch (this.phase) {
			case 'start':
				if (byte === openBrace) {
					this.beginKey();
				} else if (!isSpace(byte) && !mark.includes(byte)) {
					this.phase = 'invalid';
				}
				return;
			case 'key':
				this.readKey(byte);
				return;
			case 'value':
				this.readValue(byte);
				return;
			case 'end':
				if (!isSpace(byte)) {
					this.phase = 'invalid';
				}
				return;
			case 'invalid':
				return;
		}
	}

	private readKey(byte: number): void {
		if (byte === colon) {
			this.key = this.parseToken();
			this.hasMethod ||= this.key === 'method';
			this.token = this.key === 'id' ? [] : undefined;
			this.phase = 'value';
		} else if (byte === closeBrace) {
			this.phase = 'end';
		} else {
			this.isInString = byte === quote;
			this.keep(byte);
		}
	}

	private readValue(byte: number): void {
		if (this.depth === 0 && (byte === comma || byte === closeBrace)) {
			if (this.key === 'id') {
				this.idText = this.tokenText();
				this.id = this.parseToken();
			}
			if (byte === comma) {
				this.beginKey();
			} else {
				this.phase = 'end';
			}
			return;
		}
		if (byte === openBrace || byte === openBracket) {
			this.depth++;
		} else if (byte === closeBrace || byte === closeBracket) {
			this.depth--;
		}
		this.isInString = byte === quote;
		this.keep(byte);
	}

	private beginKey(): void {
		this.phase = 'key';
		this.token = [];
	}

	private keep(byte: number): void {
		const { token } = this;
		if (!token || (!this.isInString && isSpace(byte))) {
			return;
		}
		if (token.length < maxTokenBytes) {
			token.push(byte);
		} else {
			this.token = undefined;
		}
	}

	private tokenText(): string {
		return new TextDecoder().decode(new Uint8Array(this.token ?? []));
	}

	/** What is too long, or not JSON, is no key and no id. */
	private parseToken(): unknown {
		const { token } = this;
		const text = this.tokenText();
		this.token = undefined;
		try {
			return token && JSON.parse(text);
		} catch {
			return undefined;
		}
	}
}

function isSpace(byte: number): boolean {
	return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
