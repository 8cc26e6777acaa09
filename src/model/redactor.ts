/**
 * Takes the values of secrets out of what is shown or logged. PURE but for what it has been told to hide.
 */

/** Shorter values are found in every other word: hiding them would hide the log and protect nothing. */
const minLength = 4;
export const redacted = '<redacted>';

export class Redactor {
	private readonly forms = new Set<string>();
	private pattern: RegExp | undefined;

	/** From now on these values are replaced. What was hidden before stays so: it may turn up late. */
	hide(secrets: Iterable<string>): void {
		for (const secret of secrets) {
			// stderr comes line by line, and so does a key of many lines.
			for (const part of [secret, secret.trim(), ...secret.split(/\r\n|\r|\n/).map(it => it.trim())]) {
				if (part.length >= minLength) {
					formsOf(part).forEach(it => this.forms.add(it));
				}
			}
		}
		// The longest first: one secret may be the beginning of another.
		const sorted = [...this.forms].toSorted((a, b) => b.length - a.length);
		this.pattern = sorted.length === 0 ? undefined : new RegExp(sorted.map(escapePattern).join('|'), 'g');
	}

	text(text: string): string {
		return this.pattern ? text.replace(this.pattern, redacted) : text;
	}

	/** The same data with every text in it redacted. */
	data<T>(value: T): T {
		return this.pattern ? (this.copy(value) as T) : value;
	}

	private copy(value: unknown): unknown {
		if (typeof value === 'string') {
			return this.text(value);
		}
		if (Array.isArray(value)) {
			return value.map(it => this.copy(it));
		}
		return typeof value === 'object' && value !== null
			? Object.fromEntries(Object.entries(value).map(([key, it]) => [key, this.copy(it)]))
			: value;
	}
}

/** As it is, inside JSON (of us, of those who write ASCII only, and inside a text inside JSON), and in a URL. */
function formsOf(secret: string): string[] {
	const json = inJson(secret);
	const ascii = json.replace(/[\u0080-\uffff]/g, it => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
	return [secret, json, inJson(json), ascii, inJson(ascii), ...inUrl(secret)];
}

function inJson(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function inUrl(text: string): string[] {
	try {
		const component = encodeURIComponent(text);
		return [component, component.replaceAll('%20', '+'), encodeURI(text)];
	} catch {
		// Half a surrogate pair has no form in a URL.
		return [];
	}
}

function escapePattern(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
