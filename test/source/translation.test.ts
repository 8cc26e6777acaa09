// Every word that a person reads goes through `vscode.l10n.t` or `package.nls.json`. The first half looks at the real ones,
// the second proves that each check can fail. A missing translation is printed, and a malformed one is an error.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { readSources } from '../support/sourceTrees.js';
import { checkNames, checkTranslation, describeMissing, findMissing } from '../support/translation.js';
import { readManifestWords, readMessageWords } from '../support/translationFiles.js';
import { type Messages, readMessages } from '../support/visibleWords.js';

describe('translation', () => {
	let messages: Messages;
	before(function () {
		// The parser is slow on a busy machine.
		this.timeout(20_000);
		messages = readMessages(readSources());
	});

	it('every message can be found by a translator', () => {
		none(messages.problems);
		assert.ok(messages.places.size > 1000, 'most were not found');
	});

	it('text that looks like words is a message, or is not for people', () => {
		none(messages.literals.filter(it => !notForPeople.some(([place]) => place.test(it))));
	});

	it('the translation of package.json is well-formed', () => {
		none(checkTranslation(readManifestWords()));
	});

	it('the translation of the messages is well-formed', () => {
		none(checkTranslation(readMessageWords(messages)));
	});

	after(() => {
		const missing = describeMissing([readManifestWords(), readMessageWords(messages)]);
		if (missing !== undefined) {
			console.log(missing);
		}
	});

	it('a command has one name', () => {
		none(checkNames(readManifestWords(), readMessageWords(messages)));
	});

	it('package.json names the folder of the translations', () => {
		const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { l10n?: string };
		assert.equal(manifest.l10n, './l10n');
	});
});

/** Shows them as they are, a line each: they are there to be copied. */
function none(problems: readonly string[]): void {
	assert.ok(problems.length === 0, `\n${problems.join('\n')}`);
}

/** Literals that look like words and stay English, by place and text, and why. */
const notForPeople: readonly (readonly [place: RegExp, why: string])[] = [
	[/^features\/languageModelTools\/(modelActions|untrustedContent)\.ts: /, 'read by models'],
	[
		/^editor\/languageModels\/modelImages\.ts: |^features\/sampling\/samplingModel\.ts: \[the tool failed/,
		'read by models',
	],
	[/^features\/api\/api\.ts: (an object|A listener|"\$\{\}" must be)/, 'read by those who write extensions'],
	[/^features\/(tools\/runTool|prompts\/register)\.ts: Expected \{/, 'read by those who write keybindings'],
	[/^features\/tools\/(copyCall|toolPages)\.ts: (application\/json, |curl$)/, 'a command line'],
	[/^features\/servers\/addServer\.ts: npx -y @scope\/package$/, 'a command line'],
	[/^editor\/workspace\/log\.ts: … and /, 'a line of the log'],
	[/^features\/documentation\/pages\.ts: /, 'words to search for in English pages'],
	[/^editor\/workspace\/debugging\.ts: (the debugger could|its command is|this editor has)/, 'lines of the log'],
	[
		/^editor\/l10n\/configWords\.ts: (array|object) of strings$|^editor\/l10n\/configWords\.ts: string or strings$/,
		'kinds of a union',
	],
	[/^editor\/contributions\.ts: /, 'names of kinds of lines'],
	[/: MCP Workbench(: \$\{\})?$/, 'our name'],
	[/^editor\/pages\/pagePanel\.ts: (<!DOCTYPE|img-src|media-src|<link)/, 'markup'],
	[/^features\/auth\/redirectHandler\.ts: <!doctype/, 'markup'],
	[/^webviews\/page\/form\/\w+\.ts: (input|group|row-body) \w+/, 'class names'],
	[/^webviews\/page\/elements\.ts: icon icon-/, 'markup'],
	[/^features\/history\/historyView\.ts: comment$/, 'an icon'],
];

describe('translation, broken on purpose', () => {
	const messages = (code: string): Messages => readMessages({ 'features/a/b.ts': code });

	it('finds a message in each of its forms', () => {
		const code = `
			const { t } = vscode.l10n;
			t('one');
			vscode.l10n.t('two {0}', t('three'));
			vscode.l10n.t({ message: 'four {name}', args: { name: 1 }, comment: ['why'] });
			t(\`five\`);`;
		assert.deepEqual([...messages(code).places.keys()], ['one', 'two {0}', 'three', 'four {name}/why', 'five']);
		assert.deepEqual(messages(code).problems, []);
	});

	it('finds messages that cannot be translated', () => {
		const code = `
			const { t } = vscode.l10n;
			t(isOne ? 'one' : 'two');
			t('a' + b);
			t('{0} of {1}', one);
			words.map(t);
			const say = vscode.l10n.t;`;
		assert.deepEqual(messages(code).problems, [
			"features/a/b.ts: is no literal, so that nobody can translate it: t(isOne ? 'one' : 'two')",
			"features/a/b.ts: is no literal, so that nobody can translate it: t('a' + b)",
			"features/a/b.ts: fills in 1 of 2 places: t('{0} of {1}', one)",
			'features/a/b.ts: hands the function on, which hides the messages: words.map(t)',
			'features/a/b.ts: hands the function on, which hides the messages: say = vscode.l10n.t',
		]);
		assert.deepEqual(readMessages({ 'core/config/a.ts': "vscode.l10n.t('one')" }).problems, [
			'core/config/a.ts: contains translated texts, which only "editor" and "features" may have',
		]);
	});

	it('finds words that are not messages', () => {
		const code = `
			import 'some thing';
			log.info('not for people');
			window.showWarningMessage(\`No more \${name} here\`);
			item.tooltip = 'Open';
			pick({ label: '$(add) Add', kind: 'add', title: name, detail: 'new' });
			const all = ['two words', 'word', 'mcp.json'];`;
		assert.deepEqual(messages(code).literals, [
			'features/a/b.ts: No more ${} here',
			'features/a/b.ts: Open',
			'features/a/b.ts: $(add) Add',
			'features/a/b.ts: new',
			'features/a/b.ts: two words',
		]);
	});

	const table: readonly (readonly [english: string, chinese: string | undefined, ...problems: string[]])[] = [
		['Start', undefined],
		['Start', '', 'empty: "k"'],
		['Stop {0}', 'Stop {1}', 'other places to fill in: "k"'],
		['{0} of {1}', '{0}/{1}'],
		['Stop {0}', '停止 {1}', 'other places to fill in: "k"'],
		['$(add) Add', '添加', 'other icons: "k"'],
		['See [this](command:a)', '见[此处](command:b)', 'other targets of links: "k"'],
		['Set `a`', '设置 `b`', 'other code: "k"'],
		['Add "args"', '添加“参数”', 'other quoted names: "k"'],
		['It failed.', '失败.', 'has punctuation of half width: "k"'],
	];
	for (const [english, chinese, ...problems] of table) {
		it(`${JSON.stringify(english)} as ${JSON.stringify(chinese)}`, () => {
			const translation = { english: { k: english }, chinese: chinese === undefined ? {} : { k: chinese } };
			assert.deepEqual(checkTranslation(translation), problems);
		});
	}

	it('finds missing or English texts, and names the first three', () => {
		const english = { a: 'Start', b: 'Stop', c: 'JSON', d: 'Run', e: 'Mute', f: 'Add' };
		const translation = { english, chinese: { b: '停止', c: 'JSON', d: 'Run', f: '' } };
		assert.deepEqual(findMissing(translation), ['a', 'd', 'e']);
		const three = 'Without a translation: 3 ("Start", "Run", "Mute")';
		assert.equal(describeMissing([translation]), three);
		const messages = { english: { More: 'More' }, chinese: {} };
		assert.equal(describeMissing([translation, messages]), three.replace('3', '4').replace(')', ', …)'));
		assert.equal(describeMissing([{ english: { a: 'Start' }, chinese: { a: '启动' } }]), undefined);
	});

	it('finds unused texts, and texts out of order', () => {
		const translation = { english: { b: 'B', a: 'A' }, chinese: { b: '乙', a: '甲', old: '旧' } };
		assert.deepEqual(checkTranslation(translation), ['not in the code any more: "old"', 'not in order: "a"']);
	});

	it('finds a command with two names', () => {
		const manifest = { english: { 'command.stop': 'Stop It' }, chinese: { 'command.stop': '停止' } };
		const texts = ['Stop It', 'See "Stop It".'];
		const chinese = { 'Stop It': '终止', 'See "Stop It".': '见“终止”。' };
		assert.deepEqual(checkNames(manifest, { english: Object.fromEntries(texts.map(it => [it, it])), chinese }), [
			'Stop It is “停止” as a command and “终止” elsewhere',
			'Stop It is quoted in another way: "See \\"Stop It\\"."',
		]);
	});
});
