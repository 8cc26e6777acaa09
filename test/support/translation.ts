/**
 * Compares a translation with the English it stands for: every text is there, none is left over, and what is no word (a
 * place to fill in, an icon, a link, code) is the same on both sides.
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

/** One line each; what is missing comes as lines of JSON that can be pasted and filled in. */
export function checkTranslation({ english, chinese }: Translation): string[] {
	const missing = Object.keys(english).filter(it => !(it in chinese));
	const stale = Object.keys(chinese).filter(it => !(it in english));
	const order = Object.keys(chinese).find((it, index, all) => index > 0 && compare(all[index - 1] ?? '', it) > 0);
	return [
		...missing.map(it => `missing: ${JSON.stringify(it)}: ${JSON.stringify(english[it])}`),
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
	const hasWords = /[A-Za-z]{2}/.test(bare(english)) && !(english in sameEverywhere);
	if (hasWords && !/\p{Script=Han}/u.test(text)) {
		problems.push('not translated');
	}
	if (
		/\p{Script=Han} ?[,;:!?()]|[,;:!?()] ?\p{Script=Han}|\p{Script=Han}\.( |$)|\p{Script=Han} ?"|" ?\p{Script=Han}/u.test(
			bare(text),
		)
	) {
		problems.push('has punctuation of half width');
	}
	return problems;
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
	for (const [key, title] of titles) {
		const translated = manifest.chinese[key];
		const message = messages.chinese[title];
		if (translated !== undefined && message !== undefined && message !== translated) {
			problems.push(`${title} is “${translated}” as a command and “${message}” elsewhere`);
		}
		for (const { english, chinese } of [manifest, messages]) {
			for (const [other, text] of Object.entries(english)) {
				const isQuoted = [`"${title}"`, `*${title}*`, `[${title}](`].some(it => text.includes(it));
				if (isQuoted && !chinese[other]?.includes(translated ?? title)) {
					problems.push(`${title} is quoted in another way: ${JSON.stringify(other)}`);
				}
			}
		}
	}
	return problems;
}
