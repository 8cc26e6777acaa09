// Server-provided text against the syntax of each sink. What the sinks make of a text is written down here as the
// editor does it (workbench of VS Code 1.139: renderLabelWithIcons, parseLinkedText).
import * as assert from 'node:assert/strict';
import { quickPickLines } from '../../../../src/editor/ui/exactText.js';
import {
	documentText,
	logText,
	markdownText,
	modelText,
	notificationText,
	oneLine,
	quickInputText,
	quickPickText,
	quickPickValue,
	sectionsText,
	tooltipText,
	visibleJson,
	webviewText,
} from '../../../../src/editor/ui/plainText.js';

/** What a person sees of a label that renders icons: `‹name›` for each icon. */
function renderIcons(label: string): string {
	return label.replaceAll(/(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g, (_, escaped, icon: string) =>
		escaped ? `$(${icon})` : `‹${icon}›`,
	);
}

/** What a person sees of a message that renders links: `‹text → target›` for each link. */
function renderLinks(message: string): string {
	return message.replaceAll(
		/\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi,
		(_, text: string, target: string) => `‹${text} → ${target}›`,
	);
}

/** Without the zero-width spaces that keep syntax from being read as such. */
function unbroken(text: string): string {
	return text.replaceAll(/(?<=[\]$])\u200B(?=\()/g, '');
}

const sinks = { oneLine, quickPickText, quickInputText, notificationText, tooltipText };

describe('plain text', () => {
	const icons = [
		'$(trash)',
		String.raw`\$(trash)`,
		String.raw`\\$(trash)`,
		String.raw`\\\$(trash)`,
		'$(sync~spin)',
		'$$(trash)',
		'$($(trash))',
		'$(a)$(b)',
		'x$(trash)y',
		'$(not an icon)',
		'$(trash',
		`${'x'.repeat(190)}$(trash)$(trash)`,
		'$(tr\u200Bash)',
		'$(tr\nash)',
	];
	const links = [
		'[x](command:workbench.action.quit)',
		'[x](COMMAND:workbench.action.quit)',
		'[x](https://example.com "title")',
		'[x](file:///etc/passwd)',
		'[a](b)[x](command:y)',
		'[[x](command:y)](command:z)',
		'[x]\u200B(command:y)',
		'[x]\n(command:y)',
		`${'x'.repeat(280)}[x](command:y)[x](command:y)`,
	];

	it('the sinks are dangerous: the attacks work on the bare text', () => {
		assert.deepEqual(icons.slice(0, 3).map(renderIcons), ['‹trash›', '$(trash)', String.raw`\$(trash)`]);
		assert.equal(renderLinks('[x](command:y)'), '‹x → command:y›');
	});

	it('quick picks show icons as the text that they are', () => {
		for (const text of icons) {
			const seen = renderIcons(quickPickText(text));
			assert.doesNotMatch(seen, /[‹›]/, text);
			assert.equal(unbroken(seen), oneLine(text), text);
		}
	});

	it('quick inputs show neither icons nor links', () => {
		for (const text of [...icons, ...links, '[$(trash)](command:y)']) {
			const seen = renderIcons(renderLinks(quickInputText(text)));
			assert.doesNotMatch(seen, /[‹›]/, text);
			assert.equal(unbroken(seen), oneLine(text, 300));
			assert.doesNotMatch(renderLinks(renderIcons(quickInputText(text))), /[‹›]/, text);
		}
	});

	it('a long text is shown to its end, on lines that none of its characters can break out of', () => {
		for (const [text, ...lines] of [
			['', ''],
			['12345678', '12345678'],
			['1234 678 0', '1234', '678 0'],
			['1234567890123456789', '12345678', '90123456', '789'],
			['1234567 90123456 89', '1234567', '90123456', '89'],
			['12345678 0', '12345678', '0'],
			['12/4567890', '12/45678', '90'],
			['123/567890', '123/', '567890'],
			['1 3/567890', '1 3/', '567890'],
			['1 /4567890', '1 /45678', '90'],
			['漢字漢字漢', '漢字漢字', '漢'],
			['WWWWi', 'WWWW', 'i'],
			['😀😀😀', '😀😀', '😀'],
			['a\nb    \u202Ec', 'a b', '\uFFFDc'],
			['$(trash)', '$\u200B(trash)'],
			['1234567$(trash)', '1234567$', '(trash)'],
		] as const) {
			assert.deepEqual(quickPickLines(text, 8), lines, text);
		}
		const long = 'x'.repeat(1_000_000);
		assert.equal(quickPickLines(long, 80).length, 12_500);
	});

	it('a value in a document is all there, and nothing in it is unseen', () => {
		const hidden = 'safe\u202Egpj.exe \u3164\u200B\u{E0041}\u2028\uD83D😀\u0085é';
		const text = visibleJson({ hidden });
		assert.deepEqual(JSON.parse(text), { hidden });
		assert.equal(
			text,
			String.raw`{
  "hidden": "safe\u202egpj.exe \u3164\u200b\udb40\udc41\u2028\ud83d😀\u0085é"
}`,
		);
	});

	it('a text in a document keeps its lines, and hides nothing', () => {
		const text = documentText('a\tb\r\nc\u2028d\u202Egpj\u200B\u{E0041}\uD83D😀é\u0007');
		assert.equal(text, 'a\tb\nc\nd\\u{202e}gpj\\u{200b}\\u{e0041}\\u{d83d}😀é\\u{0007}');
	});

	it('notifications show no links', () => {
		for (const text of links) {
			const seen = renderLinks(notificationText(text));
			assert.doesNotMatch(seen, /[‹›]/, text);
			assert.equal(unbroken(seen), oneLine(text, 300));
		}
	});

	it('no link comes to be where two texts meet in a sentence', () => {
		for (const [a, b] of [
			['[x', '](command:y)'],
			['[x]', '(command:y)'],
			['[x](command:', 'y)'],
		] as const) {
			const sentence = `"${notificationText(a)}": ${notificationText(b)}.`;
			assert.equal(renderLinks(sentence), sentence);
		}
	});

	it('every sink shows one line without hidden characters; tooltips keep line breaks', () => {
		const table: readonly (readonly [text: string, line: string, tooltip: string])[] = [
			['plain text', 'plain text', 'plain text'],
			['', '', ''],
			['  a  b  ', 'a b', '  a  b  '],
			['a\nb\r\nc\td', 'a b c d', 'a\nb\uFFFD\nc\td'],
			['a\u2028b\u2029c\u0085d', 'a b c\uFFFDd', 'a\u2028b\u2029c\uFFFDd'],
			// Turns the reading direction around: gpj.exe
			['safe\u202Egpj.exe', 'safe\uFFFDgpj.exe', 'safe\uFFFDgpj.exe'],
			['\u2066a\u2069\u200E\u200F\u061C', '\uFFFDa\uFFFD\uFFFD\uFFFD\uFFFD', '\uFFFDa\uFFFD\uFFFD\uFFFD\uFFFD'],
			[
				'a\u200Bb\u200Cc\u200Dd\u2060e\u00ADf',
				'a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf',
				'a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf',
			],
			// U+FEFF counts as white space in JavaScript.
			['a\uFEFFb', 'a b', 'a\uFFFDb'],
			['a\u0000b\u0007c\u001B[31md\u007Fe', 'a\uFFFDb\uFFFDc\uFFFD[31md\uFFFDe', 'a\uFFFDb\uFFFDc\uFFFD[31md\uFFFDe'],
			// Tags that no screen shows but a model reads.
			['a\u{E0041}\u{E0042}b', 'a\uFFFD\uFFFDb', 'a\uFFFD\uFFFDb'],
			// Halves of surrogate pairs.
			['a\uD83Db\uDE00c', 'a\uFFFDb\uFFFDc', 'a\uFFFDb\uFFFDc'],
			['😀 漢字 ä é עברית', '😀 漢字 ä é עברית', '😀 漢字 ä é עברית'],
			['<b>&amp;</b> `code` *x*', '<b>&amp;</b> `code` *x*', '<b>&amp;</b> `code` *x*'],
		];
		const { tooltipText: _, ...lines } = sinks;
		for (const [text, line, tooltip] of table) {
			for (const [name, sink] of Object.entries(lines)) {
				assert.equal(sink(text), line, `${name} of ${JSON.stringify(text)}`);
			}
			assert.equal(tooltipText(text), tooltip);
		}
	});

	it('every sink cuts what is too long, never in the middle of a character', () => {
		const limits = {
			oneLine: 200,
			quickPickText: 200,
			quickInputText: 300,
			notificationText: 300,
			tooltipText: 2000,
		};
		for (const [name, sink] of Object.entries(sinks)) {
			const limit = limits[name as keyof typeof limits];
			assert.equal(sink('x'.repeat(10_000)), `${'x'.repeat(limit - 1)}…`, name);
			assert.equal(sink('x'.repeat(limit)), 'x'.repeat(limit), name);
			for (const offset of [0, 1]) {
				const cut = sink('x'.repeat(offset) + '😀'.repeat(5000));
				assert.ok(cut.length <= limit && !/\p{Cs}/u.test(cut) && cut.endsWith('😀…'), name);
			}
		}
	});

	it('values are shown as JSON', () => {
		const table: readonly (readonly [value: unknown, text: string])[] = [
			['5', '"5"'],
			[5, '5'],
			['', '""'],
			['left out', '"left out"'],
			['a\nb', '"a\\nb"'],
			['a  b', '"a b"'],
			['a\u202Eb', '"a\uFFFDb"'],
			['$(zap)', '"$\u200B(zap)"'],
			['x'.repeat(300), `"${'x'.repeat(198)}…`],
		];
		for (const [value, text] of table) {
			assert.equal(quickPickValue(value), text);
		}
	});

	it('a log line cannot pass for several, and shows what is hidden in it', () => {
		assert.equal(
			logText('name\n2026-11-21 03:00:00.000 [error] FORGED\r[info] x'),
			'name\n    2026-11-21 03:00:00.000 [error] FORGED\n    [info] x',
		);
		assert.equal(logText('a\u001B[31mb\u202Ec'), 'a\\u{001b}[31mb\\u{202e}c');
		assert.equal(logText('x'.repeat(100_000)).length, 20_000);
	});
});

describe('text in a webview', () => {
	it('keeps what people write, joiners of scripts and emoji among it', () => {
		for (const text of [
			'a\n\tb',
			'\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
			'\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
			'<b>&amp;</b>',
		]) {
			assert.equal(webviewText(text, 100), text);
		}
		assert.equal(webviewText('a\r\nb\rc', 100), 'a\nb\nc');
	});

	it('spells out what would hide or turn around', () => {
		assert.equal(
			webviewText('a\u200Cb', 100) + webviewText('\u202Eexe\u2066\u200B\uFEFF\u0007\u{E0041}\uD800', 100),
			'a\\u{200c}b\\u{202e}exe\\u{2066}\\u{200b}\\u{feff}\\u{0007}\\u{e0041}\\u{d800}',
		);
	});

	it('is cut, never inside a letter', () => {
		assert.equal(webviewText('abcdef', 4), 'abc\u2026');
		assert.equal(webviewText('ab\u{1F600}cd', 4), 'ab\u2026');
	});
});

describe('text in Markdown', () => {
	it('has no mark that is not escaped, and stays on its line', () => {
		const marks = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
		const text = markdownText(`a\n# ${marks} \u202Eb`).replaceAll('\u200B', '');
		assert.equal(text.replaceAll(/\\[!-/:-@[-`{-~]/g, ''), 'a   \uFFFDb');
		assert.equal(text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'), `a # ${marks} \uFFFDb`);
	});

	it('has no address that an editor would make a link of', () => {
		const shown = markdownText('https://a.example me@b.example, 1.5: x').replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
		assert.equal(shown, 'https:\u200B//a.\u200Bexample me@\u200Bb.\u200Bexample, 1.\u200B5: x');
	});
});

describe('sections of a document', () => {
	it('are indented below their titles, and say where there is no text', () => {
		assert.equal(
			sectionsText([
				['Two', 'a\nNone: None'],
				['None', undefined],
				['Empty', ''],
			]),
			'Two\n  a\n  None: None\n\nNone: None\n\nEmpty\n  \n',
		);
	});
});

describe('text for a model', () => {
	it('hides nothing from a person who reads along, and keeps what people write', () => {
		assert.equal(
			modelText('a\r\nb\tc \u{1F469}\u200D\u{1F52C} \u2600\uFE0F'),
			'a\nb\tc \u{1F469}\u200D\u{1F52C} \u2600\uFE0F',
		);
		assert.equal(
			modelText('x\u{E0041}\u200B\u202E\uFE01\u{E0101}\u0007\uD800'),
			'x\\u{e0041}\\u{200b}\\u{202e}\\u{fe01}\\u{e0101}\\u{0007}\\u{d800}',
		);
	});
});
