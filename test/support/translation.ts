/**
 * Compares a translation with the English it stands for: no text is left over, and what is no word (a place to fill in, an
 * icon, a link, code) is the same on both sides. A text may be missing until a release: the editor shows the English one.
 */

/** English text by key; for messages of the code both are the same. */
export type Texts = Readonly<Record<string, string>>;

export interface Translation {
	readonly english: Texts;
	readonly chinese: Texts;
}

/** What is rightly the same in every language, and why. */
export const sameEverywhere: Readonly<Record<string, string>> = {
	JSON: 'a name',
	URL: 'a name',
	WSL: 'a name',
	'MCP Workbench': 'our name',
	'{0} of {1}': 'a fraction',
};

/** The keys of the texts that have no translation, or are still English. */
export function findMissing({ english, chinese }: Translation): string[] {
	return Object.entries(english)
		.filter(([key, text]) => chinese[key] === undefined || isEnglish(text, chinese[key]))
		.map(([key]) => key);
}

/** One line for all translations, with the first few texts; `undefined` if nothing is missing. */
export function describeMissing(translations: readonly Translation[]): string | undefined {
	const texts = translations.flatMap(it => findMissing(it).map(key => JSON.stringify(it.english[key])));
	const more = texts.length > 3 ? ', …' : '';
	return texts.length === 0
		? undefined
		: `Without a translation: ${texts.length} (${texts.slice(0, 3).join(', ')}${more})`;
}

/** One line for each malformed text. */
export function checkTranslation({ english, chinese }: Translation): string[] {
	const stale = Object.keys(chinese).filter(it => !(it in english));
	const order = Object.keys(chinese).find((it, index, all) => index > 0 && compare(all[index - 1] ?? '', it) > 0);
	return [
		...stale.map(it => `not in the code any more: ${JSON.stringify(it)}`),
		...(order === undefined ? [] : [`not in order: ${JSON.stringify(order)}`]),
		...Object.entries(chinese).flatMap(([key, text]) =>
			checkText(english[key] ?? text, text).map(why => `${why}: ${JSON.stringify(key)}`),
		),
	];
}

/** The order of a bundle: of its code units, the same on every machine. */
export function compare(one: string, other: string): number {
	return one < other ? -1 : Number(one > other);
}

/** What a text has beside words, by its name. */
const parts: Readonly<Record<string, RegExp>> = {
	'places to fill in': /\{\w+\}/g,
	icons: /\$\([\w~-]+\)/g,
	'targets of links': /\]\([^)]+\)/g,
	code: /`[^`]+`/g,
	stars: /\*/g,
	'line breaks': /\n/g,
	// A key or a value of a file, an option of a program: told from a quoted sentence by being one word in lower case.
	'quoted names': /(?<=["“])[-a-z][\w.:@-]*(?=["”])/g,
};

function checkText(english: string, text: string): string[] {
	if (text === '') {
		return ['empty'];
	}
	const problems = Object.entries(parts)
		.filter(([, part]) => matches(english, part) !== matches(text, part))
		.map(([name]) => `other ${name}`);
	if (
		/\p{Script=Han} ?[,;:!?()]|[,;:!?()] ?\p{Script=Han}|\p{Script=Han}\.( |$)|\p{Script=Han} ?"|" ?\p{Script=Han}/u.test(
			bare(text),
		)
	) {
		problems.push('has punctuation of half width');
	}
	return problems;
}

function isEnglish(english: string, text: string): boolean {
	const hasWords = /[A-Za-z]{2}/.test(bare(english)) && !(english in sameEverywhere);
	return hasWords && text !== '' && !/\p{Script=Han}/u.test(text);
}

function matches(text: string, part: RegExp): string {
	return [...text.matchAll(part)]
		.map(it => it[0])
		.toSorted()
		.join(' ');
}

function bare(text: string): string {
	return text.replace(/\{\w+\}|\$\([\w~-]+\)|`[^`]+`/g, '').replace(/\[([^\]]*)\]\([^)]+\)/g, '$1');
}

/** What is one English text must be one in the other language, and a text that quotes a command must quote its title. */
export function checkNames(manifest: Translation, messages: Translation): string[] {
	const problems: string[] = [];
	const titles = Object.entries(manifest.english).filter(([key]) => key.startsWith('command.'));
	const manifestMissing = new Set(findMissing(manifest));
	const messagesMissing = new Set(findMissing(messages));
	for (const [key, title] of titles.filter(it => !manifestMissing.has(it[0]))) {
		const translated = manifest.chinese[key];
		const message = messagesMissing.has(title) ? undefined : messages.chinese[title];
		if (translated !== undefined && message !== undefined && message !== translated) {
			problems.push(`${title} is “${translated}” as a command and “${message}” elsewhere`);
		}
		for (const [{ english, chinese }, missing] of [
			[manifest, manifestMissing],
			[messages, messagesMissing],
		] as const) {
			for (const [other, text] of Object.entries(english).filter(it => !missing.has(it[0]))) {
				const isQuoted = [`"${title}"`, `*${title}*`, `[${title}](`].some(it => text.includes(it));
				if (isQuoted && !chinese[other]?.includes(translated ?? title)) {
					problems.push(`${title} is quoted in another way: ${JSON.stringify(other)}`);
				}
			}
		}
	}
	return problems;
}
