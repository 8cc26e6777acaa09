import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { matchingRules, type PolicyRule } from '../../../../src/core/approvals/policy.js';
import { findPathScope } from '../../../../src/core/approvals/pathScope.js';

const roots = [
	{ uri: 'file:///home/me/project', name: 'project' },
	{ uri: 'file:///home/me/project/inner%20one', name: 'inner' },
	{ uri: 'file:///c%3A/work', name: 'work' },
	{ uri: 'https://a/b', name: 'no folder' },
];

type Row = readonly [text: string, roots: readonly string[], place?: 'outside' | 'unclear'];

const table: readonly Row[] = [
	['/home/me/project', ['project']],
	['/home/me/project/', ['project']],
	['/home/me/project/a.txt', ['project']],
	['/home/me//project/./x/../a.txt', ['project']],
	['/home/me/project/inner one/a', ['project', 'inner']],
	['file:///home/me/project/inner%20one/a', ['project', 'inner']],
	['file://localhost/home/me/project/a', ['project']],
	['FILE:/home/me/project/a?x#y', ['project']],
	['file:///c:/work/a', ['work']],
	['file:///c%3A/work/a', ['work']],
	['C:\\work\\a', ['work']],
	['c:/work/a', ['work']],
	['/home/me/project/a%20b', ['project']],
	['/home/me/project/été', ['project']],

	['/home/me/project-2/a', [], 'outside'],
	['/home/me/project/../other', [], 'outside'],
	['/home/me/project/./../other', [], 'outside'],
	['/home/me/project/.."', [], 'unclear'],
	['/Home/Me/Project/a', [], 'outside'],
	['/', [], 'outside'],
	['/etc/passwd', [], 'outside'],
	['file:///etc/passwd', [], 'outside'],
	['C:\\work\\..\\x', [], 'outside'],
	['D:\\work\\a', [], 'outside'],
	['../x', [], 'outside'],
	['a/../../x', [], 'outside'],
	['..', [], 'outside'],
	['https://example.com/a/../b', [], 'outside'],

	// What servers trim, unquote, or do not see.
	['/etc/passwd\n', [], 'unclear'],
	[' /etc/passwd', [], 'unclear'],
	['\u200b/etc/passwd', [], 'unclear'],
	['\ufeff/etc/passwd', [], 'unclear'],
	['/home/me/project/a\n', [], 'unclear'],
	['"/etc/passwd"', [], 'unclear'],
	["'/home/me/project/a'", [], 'unclear'],
	['</etc/passwd>', [], 'unclear'],
	['/home/me/project/a\u0000.txt', [], 'unclear'],
	['/home/me/project/.\u200b./x', [], 'unclear'],
	// Too long for a path until it is made shorter.
	[`/${'./'.repeat(2100)}etc/passwd`, [], 'unclear'],
	[`a${'/.'.repeat(2100)}/../../x`, [], 'unclear'],
	// Homes, variables, commands.
	['~', [], 'unclear'],
	['~/project', [], 'unclear'],
	['~root/.ssh/id_rsa', [], 'unclear'],
	['~+/x', [], 'unclear'],
	['$HOME/.ssh/id_rsa', [], 'unclear'],
	['$HOME', [], 'unclear'],
	['${HOME}/x', [], 'unclear'],
	['%USERPROFILE%\\x', [], 'unclear'],
	['`pwd`/x', [], 'unclear'],
	['/home/me/project/$X', [], 'unclear'],
	// Encodings.
	['/home/me/project/%2e%2e/x', [], 'unclear'],
	['file:///home/me/project/%2e%2e/x', [], 'unclear'],
	['file:///home/me/project/%252e%252e/%252e%252e/etc/passwd', [], 'unclear'],
	['file:///home/me/project/a?/../../../etc', [], 'unclear'],
	['file:///home/me/project/%', [], 'unclear'],
	['/home/me/project/%c0%ae%c0%ae/x', [], 'unclear'],
	['%2fetc%2fpasswd', [], 'unclear'],
	['%%32fetc', [], 'unclear'],
	[`%${'25'.repeat(20)}2fetc`, [], 'unclear'],
	['src/%2e%2e/%2e%2e/x', [], 'unclear'],
	// Characters that look or convert like others.
	['\uff0fetc\uff0fpasswd', [], 'unclear'],
	['\u2215etc', [], 'unclear'],
	['/home/me/project/\uff0e\uff0e/x', [], 'unclear'],
	['/home/me/project/\u2025/x', [], 'unclear'],
	['/home/me/pro\u017fect/x', [], 'unclear'],
	// Windows.
	['\\\\server\\share', [], 'unclear'],
	['//server/share', [], 'unclear'],
	['\\\\?\\C:\\work\\a', [], 'unclear'],
	['\\etc', [], 'unclear'],
	['C:..\\..\\secret', [], 'unclear'],
	['C:a', [], 'unclear'],
	['C:\\work/..\\x', [], 'unclear'],
	['C:\\work\\a:b', [], 'unclear'],
	['C:\\work\\..\\PROGRA~1', [], 'unclear'],
	['C:\\work\\.. \\x', [], 'unclear'],
	['C:\\work\\a.\\x', [], 'unclear'],
	['a\\b/../../x', [], 'unclear'],
	['/home/me/project/..\\..\\x', [], 'unclear'],
	['/c:/work/a', [], 'unclear'],
	// URIs of files in other words.
	['file://server/home/me/project/a', [], 'unclear'],
	['vscode-file:///etc/passwd', [], 'unclear'],
	['view-source:file:///etc/passwd', [], 'unclear'],
	// Paths within a text: lists, options, names of files, URIs of unknown schemes.
	['["/etc/passwd"]', [], 'unclear'],
	['["/home/me/project/a", "/etc/passwd"]', [], 'unclear'],
	['{"path":"/etc/passwd"}', [], 'unclear'],
	['{"path": "C:\\\\Windows"}', [], 'unclear'],
	['/home/me/project/a,/etc/passwd', [], 'unclear'],
	['/home/me/project/a%2C/etc/passwd', [], 'unclear'],
	['/home/me/project/a;/etc/passwd', [], 'unclear'],
	['/home/me/project/a|/etc/passwd', [], 'unclear'],
	['/home/me/project/a:/etc/passwd', [], 'unclear'],
	['/home/me/project/a /etc/passwd', [], 'unclear'],
	['a.txt ../x', [], 'unclear'],
	['a.txt,../x', [], 'unclear'],
	['["..","a"]', [], 'unclear'],
	['--file=~/x', [], 'unclear'],
	['--file=$HOME/x', [], 'unclear'],
	['@/etc/passwd', [], 'unclear'],
	['--file=/etc/passwd', [], 'unclear'],
	['-o/etc/passwd', [], 'unclear'],
	['(/etc/passwd)', [], 'unclear'],
	['|cat /etc/passwd', [], 'unclear'],
	['cat </etc/passwd', [], 'unclear'],
	["cat '/etc/passwd'", [], 'unclear'],
	['git@host:/etc', [], 'unclear'],
	['zip:///etc/passwd', [], 'unclear'],
	['npipe:////./pipe/docker', [], 'unclear'],
	['unix:/run/docker.sock', [], 'unclear'],
	['vscode-remote://x/etc/passwd', [], 'unclear'],
	['xhttps://x/etc/passwd', [], 'unclear'],
	['http:///etc/passwd', [], 'unclear'],
	['https://example.com/a,/etc/passwd', [], 'unclear'],
	['https://example.com/a /etc/passwd', [], 'unclear'],
	['[\n  "/etc/passwd"\n]', [], 'unclear'],
	['a.txt\n/etc/passwd', [], 'unclear'],
	['- a.txt\n- /etc/passwd', [], 'unclear'],
	['a.txt\n--file=/etc/passwd', [], 'unclear'],
	['a.txt,/etc/passwd\nb', [], 'unclear'],
	// Of several lines: as a path, each lies outside.
	['/home/me/project\nand more', [], 'unclear'],
	['a\n/../../etc/passwd', [], 'unclear'],
	['// a', [], 'unclear'],
	['/* a */', [], 'outside'],
	['// a\n/../../etc/passwd', [], 'unclear'],
	['/* a */\n/../../../../etc/passwd', [], 'unclear'],

	['a/b', []],
	['notes.md', []],
	['and/or', []],
	['50% off, see a/b.', []],
	['~5 minutes', []],
	['Wait … and see', []],
	['`foo` returns $x', []],
	['https://example.com/home/me/project', []],
	['https://example.com:8080/a?b=c:d', []],
	['https://example.com/?path=/a/b&c=@/d', []],
	['See https://example.com/a/b, or (https://example.com/c).', []],
	['git+https://example.com/a.git', []],
	['["a","b/c"]', []],
	['{"a": "b/c", "d": "https://example.com/e"}', []],
	['Drive 90 km/h on 2026/11/22, and/or w/o her: 24/7.', []],
	['application/json; charset=utf-8, text/*', []],
	['**/*.{js,ts}', []],
	['git@example.com:a/b.git', []],
	['<b>a</b> and <br/>', []],
	['a \\d+ b', []],
	['src/@types/[id]/(group)/a=b.ts', []],
	['', []],
	["import { a } from '../../b';\nexport * from '../c';\n", []],
	['// A comment\nlet a = 1 / 2;\n', []],
	['/* A license. */\nlet a;', []],
	['```js\na\n```', []],
	['get("/a/b");\nlet url = `/c`;\n', []],
	['<a\n  href="/b"\n/>\n</a>', []],
	['{\n  "a": "./b",\n  "c": "https://example.com/d"\n}', []],
];

describe('the folders that arguments name', () => {
	for (const [text, reached, place] of table) {
		it(JSON.stringify(text.length > 100 ? `${text.slice(0, 20)}… (${text.length})` : text), () => {
			const expected = {
				roots: reached,
				outside: place ? [text] : [],
				unclear: place === 'unclear' ? [text] : [],
			};
			assert.deepEqual(findPathScope({ path: text }, roots, false), expected);
			assert.deepEqual(findPathScope({ deep: [{ list: [1, null, text] }] }, roots, false), expected);
			assert.deepEqual(findPathScope({ [text]: true }, roots, false), expected);
		});
	}

	it('are the same in other letters where the disk does not tell them apart', () => {
		const pathScope = findPathScope({ a: '/Home/ME/project/x' }, roots, true);
		assert.deepEqual(pathScope, { roots: ['project'], outside: [], unclear: [] });
		// Unicode folds the sign of kelvins to "k", and no disk does.
		assert.deepEqual(
			findPathScope({ a: '/home/me/pro\u212a' }, [{ uri: 'file:///home/me/prok', name: 'k' }], true).roots,
			[],
		);
		// Their capitals are the same, and Windows tells them apart.
		assert.deepEqual(
			findPathScope({ a: '/home/me/strasse' }, [{ uri: 'file:///home/me/stra%C3%9Fe', name: 's' }], true).roots,
			[],
		);
	});

	it('hold everything where the root is the disk', () => {
		const disk = [{ uri: 'file:///', name: 'disk' }];
		const pathScope = findPathScope({ a: '/etc', b: '..' }, disk, false);
		assert.deepEqual(pathScope, { roots: ['disk'], outside: ['..'], unclear: [] });
	});

	it('take no root that has no path of its own', () => {
		const odd = [{ uri: 'file://server/etc' }, { uri: 'file:///%' }, { uri: 'etc' }, { uri: 'x-file:///etc' }];
		assert.deepEqual(findPathScope({ a: '/etc', b: '/undefined' }, odd, false).roots, []);
	});
});

describe('rules about folders', () => {
	const base = { posix: '/w/in', win32: 'C:\\w\\in' } as const;
	const folders = [
		{ uri: 'file:///w/in', name: 'in' },
		{ uri: 'file:///c%3A/w/in', name: 'in' },
	];

	/** What servers may do to an argument before they resolve it. */
	const treatments: readonly ((text: string) => string)[] = [
		it => it,
		it => it.trim(),
		it => it.replaceAll(/^["'\s]+|["'\s]+$/g, ''),
		it => it.normalize('NFKC'),
		it => it.replaceAll(/[\u200b\ufeff\0]/g, ''),
		it => it.replace(/^~(?=\/|$)/, '/home/me').replace(/^\$HOME\b|^%HOME%/, '/home/me'),
		it => it.replace(/^file:\/\//, ''),
		decode,
		it => decode(decode(it)),
		it => decode(it).trim(),
		// Texts of several lines are lists only where a line or brackets say so.
		it => (isOfLines(it) ? '' : (it.split(',').at(-1) ?? '')),
		it => (isOfLines(it) ? '' : (it.split('=').at(-1) ?? '')),
		it => (isOfLines(it) ? '' : it.replaceAll(/^\["|"\]$/g, '')),
		// A line with blanks may be prose.
		it =>
			(isOfLines(it)
				? (it.split('\n').find(line => !/\s/.test(line.trim()) && !/^\s*\/\*/.test(line)) ?? '')
				: it
			).trim(),
		it =>
			(isOfLines(it) && !/\s/.test(it.trim().split('\n').at(-1)?.trim() ?? '')
				? (it.trim().split('\n').at(-1) ?? '')
				: ''
			).replace(/^\s*\/\*.*/, ''),
	];

	function decode(text: string): string {
		return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	}

	function isOfLines(text: string): boolean {
		return text.trim().includes('\n');
	}

	function isOutside(text: string): boolean {
		return treatments.some(treat =>
			(['posix', 'win32'] as const).some(os => {
				const resolved = path[os].resolve(base[os], treat(text)).replace(/^[a-z]:/, it => it.toUpperCase());
				return resolved !== base[os] && !resolved.startsWith(`${base[os]}${path[os].sep}`);
			}),
		);
	}

	/** Which of the decisions a rule makes. */
	function matches(rule: PolicyRule, args: Record<string, string>): boolean {
		const facts = { server: 's', tool: 't', annotations: undefined, arguments: args };
		const pathScope = findPathScope(args, folders, false);
		return matchingRules({ rules: [rule], otherwise: 'ask' }, { ...facts, pathScope }).length > 0;
	}

	it('take a drive in an option or a list for a place outside', () => {
		for (const text of ['--dir=d:', '=a:', 'x,d:y', 'a=1,b=c:']) {
			assert.equal(findPathScope({ text }, folders, false).unclear[0], text);
		}
		for (const text of ['{a:1,b:2}', 'https://a/?b=c:d', 'if (a) b=c:d', 'a=b']) {
			assert.deepEqual(findPathScope({ text }, folders, false).outside, [], text);
		}
	});

	it('allow nothing that resolves to a place outside, and deny it', () => {
		const pieces = [
			'a',
			'in',
			'w',
			'.',
			'..',
			'...',
			'.. ',
			'/',
			'\\',
			'//',
			'~',
			'$HOME',
			'%HOME%',
			'C:',
			'c:\\w\\in\\',
		];
		const tricks = [
			' ',
			'\n',
			'\t',
			'\0',
			'\u200b',
			'\ufeff',
			'"',
			"'",
			'%2e',
			'%2E%2e',
			'%2f',
			'%5c',
			'%252e',
			'%252f',
		];
		const others = [
			'\uff0e',
			'\uff0f',
			'\u2215',
			'\u2025',
			'file:',
			'file://',
			'/w/in',
			'/w/in/',
			';',
			':',
			',',
			'=',
			'["',
			'"]',
			'%',
			'25',
			'\u212a',
		];
		// Equal chances for slashes and dots: most of what can go wrong is made of them.
		const unit = fc.oneof(
			fc.constantFrom(...pieces),
			fc.constantFrom('/', '..', '\\'),
			fc.constantFrom(...tricks, ...others),
		);
		let outside = 0;
		fc.assert(
			fc.property(fc.array(unit, { maxLength: 9 }), parts => {
				const text = parts.join('');
				if (!isOutside(text) || /^\s*\/(?:\/\s|\*)/.test(text)) {
					return;
				}
				outside++;
				// A path inside beside it, so that the rules have one to hold for.
				const args = { path: text, also: '/w/in/a' };
				assert.equal(matches({ decision: 'allow', outsideRoots: false }, args), false);
				assert.equal(matches({ decision: 'allow', roots: ['in'] }, args), false);
				assert.equal(matches({ decision: 'deny', outsideRoots: true }, args), true);
			}),
			{ numRuns: 1500 },
		);
		assert.ok(outside > 150, `${outside} led outside`);
	});

	it('allow what plainly lies inside', () => {
		for (const text of ['/w/in', '/w/in/a.txt', '/w/in/a b/.c', 'C:\\w\\in\\a', 'file:///w/in/a%20b', 'a/b', 'text']) {
			const args = { path: text, also: '/w/in/a' };
			assert.equal(matches({ decision: 'allow', outsideRoots: false }, args), true, text);
			assert.equal(matches({ decision: 'allow', roots: ['in'] }, args), true, text);
			assert.equal(matches({ decision: 'deny', outsideRoots: true }, args), false, text);
		}
	});
});
