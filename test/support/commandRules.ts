/**
 * Rules for every command in package.json. Each check returns a list of violations; an empty list means none.
 * The checks parse the `when` clauses that package.json uses: `&&` between `key`, `!key`, `key == value`, `key != value` and `key =~ /…/`.
 */

export interface Command {
	readonly command: string;
	readonly title: string;
	readonly category?: string;
	readonly icon?: unknown;
	readonly enablement?: string;
}

export interface MenuItem {
	readonly command: string;
	readonly when?: string;
	readonly group?: string;
}

export interface CommandsAndMenus {
	readonly commands: readonly Command[];
	readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
}

/** Words by their keys, as in package.nls.json. */
type Words = Readonly<Record<string, string>>;

/** Words that begin small within a title. */
const small = new Set('a an and as at by for from in into of on or the to with'.split(' '));

/** @param contexts what lines of trees are called in `viewItem` */
export function checkCommandRules(
	{ commands, menus }: CommandsAndMenus,
	words: Words,
	contexts: readonly string[],
): string[] {
	return [
		...commands.flatMap(it => checkCommand(it, words)),
		...checkPalette(commands, menus, words),
		...checkLines(menus['view/item/context'] ?? [], contexts),
		...(menus['view/title'] ?? [])
			.filter(it => !/\bview == /.test(it.when ?? ''))
			.map(it => `${it.command} names no view`),
	];
}

function checkCommand({ command, title: key, category, icon }: Command, words: Words): string[] {
	const title = textOf(key, words);
	const problems: string[] = [];
	if (category !== '%category%') {
		problems.push(`${command} is in another category than all`);
	}
	const isSmall = (word: string, index: number): boolean => /^[a-z]/.test(word) && (index === 0 || !small.has(word));
	if (title.split(' ').some(isSmall)) {
		problems.push(`"${title}" is not in Title Case`);
	}
	if (/\.\.\.|[.:!]$|^\s|\s$| {2}/.test(title)) {
		problems.push(`"${title}" is not written as a title`);
	}
	if (title.includes(textOf('%category%', words))) {
		problems.push(`"${title}" says the category again`);
	}
	if (icon !== undefined && !(typeof icon === 'string' && /^\$\([a-z-]+\)$/.test(icon))) {
		problems.push(`the icon of ${command} has not the theme's colours`);
	}
	return problems;
}

function checkPalette(commands: readonly Command[], menus: CommandsAndMenus['menus'], words: Words): string[] {
	const problems: string[] = [];
	const entries = menus['commandPalette'] ?? [];
	const whens = new Map<string, string>();
	for (const { command, when = '' } of entries) {
		if (whens.has(command)) {
			problems.push(`${command} is in the palette twice`);
		}
		whens.set(command, when);
		if (when === '') {
			problems.push(`${command} is in the palette anyway: an entry says when`);
		}
		if (/\bview(Item)?\b/.test(when)) {
			problems.push(`${command} looks at a view, of which the palette knows nothing`);
		}
	}
	const elsewhere = Object.entries(menus).flatMap(([menu, items]) => (menu === 'commandPalette' ? [] : [items]));
	for (const { command, title } of commands) {
		const when = whens.get(command) ?? '';
		const places = elsewhere.flatMap(it => it.filter(item => item.command === command));
		if (when === '' && places.length > 0 && places.every(it => it.when?.includes('viewItem'))) {
			problems.push(`${command} stands on lines of a tree alone, and the palette offers it always`);
		}
		const twin = commands.find(it => it.command !== command && textOf(it.title, words) === textOf(title, words));
		if (
			twin &&
			when !== 'false' &&
			whens.get(twin.command) !== 'false' &&
			!excludes(when, whens.get(twin.command) ?? '')
		) {
			problems.push(`${command} and ${twin.command} may be in the palette at once, as "${textOf(title, words)}"`);
		}
	}
	return problems;
}

/** True if both compare one key with different values. */
function excludes(a: string, b: string): boolean {
	const values = (when: string): Map<string, string> =>
		new Map(Array.from(when.matchAll(/([\w.]+) == ([\w.-]+)/g), ([, key = '', value = '']) => [key, value]));
	const there = values(b);
	return [...values(a)].some(([key, value]) => there.has(key) && there.get(key) !== value);
}

/** A button is in the menu too, for the keyboard; and no two commands of a line have one place. */
function checkLines(items: readonly MenuItem[], contexts: readonly string[]): string[] {
	const problems: string[] = [];
	for (const { command, when = '' } of items) {
		if (!/\bview == /.test(when) || !/\bviewItem\b/.test(when)) {
			problems.push(`${command} names no view, or no lines of it`);
		}
	}
	for (const context of contexts) {
		const here = items.filter(it => fits(it.when ?? '', context));
		const menu = here.filter(it => it.group?.startsWith('inline') === false);
		for (const { command, group } of here) {
			if (group?.startsWith('inline') === true && !menu.some(it => it.command === command)) {
				problems.push(`${command} is a button of ${context} and not in its menu`);
			}
			const other = here.find(it => it.group === group && it.command !== command);
			if (other && command < other.command) {
				problems.push(`${command} and ${other.command} have one place in the menu of ${context}`);
			}
		}
	}
	return problems;
}

function fits(when: string, context: string): boolean {
	const [, exactly] = /viewItem == ([\w.]+)/.exec(when) ?? [];
	const [, pattern] = /viewItem =~ \/((?:[^/\\]|\\.)*)\//.exec(when) ?? [];
	return exactly === undefined ? pattern !== undefined && new RegExp(pattern).test(context) : exactly === context;
}

/** What the palette offers where these keys have these values, and all others none. */
export function offered(
	{ commands, menus }: CommandsAndMenus,
	keys: Readonly<Record<string, string | number | boolean>>,
): string[] {
	const whens = new Map((menus['commandPalette'] ?? []).map(it => [it.command, it.when ?? '']));
	return commands.map(it => it.command).filter(it => holds(whens.get(it) ?? '', keys));
}

/** @throws Error for what is not understood */
export function holds(when: string, keys: Readonly<Record<string, string | number | boolean>>): boolean {
	return when.split(' && ').every(part => {
		const [, key = '', operator, value = ''] = /^(!?[\w.]+)(?: (==|!=|=~) (.+))?$/.exec(part) ?? [];
		if (part === '' || part === 'false') {
			return part === '';
		}
		if (key === '') {
			throw new Error(`Not understood: ${part}`);
		}
		switch (operator) {
			case '==':
				return String(keys[key]) === value;
			case '!=':
				return String(keys[key]) !== value;
			case '=~':
				return keys[key] !== undefined && new RegExp(value.slice(1, -1)).test(String(keys[key]));
			default:
				return key.startsWith('!') ? !keys[key.slice(1)] : Boolean(keys[key]);
		}
	});
}

function textOf(key: string, words: Words): string {
	return words[key.replaceAll('%', '')] ?? key;
}
