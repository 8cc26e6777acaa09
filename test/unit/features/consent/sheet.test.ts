// The consent sheet shows every difference between two servers, and Start is locked until everything was shown.
import * as assert from 'node:assert/strict';
import { isShownWhole, pageText } from '../../../../src/features/pages/pageView.js';
import { type ConsentSheetDeps, fullView, showConsentSheet } from '../../../../src/features/consent/sheet.js';
import type { ConsentChange } from '../../../../src/core/launch/consentFacts.js';
import type { ConsentQuestion } from '../../../../src/core/launch/consents.js';
import { launchParts } from '../../../../src/core/launch/launchParts.js';
import { emptySnapshot, type LaunchSnapshot } from '../../../../src/core/launch/launchSnapshot.js';
import { parseServerConfig } from '../../../../src/core/config/serverConfig.js';
import type { ReviewEnd } from '../../../../src/core/requests/pendingRequests.js';
import type { ConfigSource, ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { labelOfName } from '../../../../src/core/servers/serverLabels.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { QuickPickItemKind, screen } from '../../../support/quickPickDouble.js';
import { window } from '../../../support/vscodeDouble.js';
import { releaseTime, stopTime } from '../../../support/stoppedClock.js';

const source: ConfigSource = {
	kind: 'vscodeFolder',
	uri: 'file:///w/.vscode/mcp.json',
	folderUri: 'file:///w',
	folderName: 'w',
};

function questionOf(
	server: object,
	name = 'srv',
	inputs: readonly object[] = [],
	snapshot: LaunchSnapshot = emptySnapshot,
): ConsentQuestion {
	const { servers } = parseServerConfig(JSON.stringify({ servers: { [name]: server }, inputs }), source);
	const definition: ServerDefinition = servers[0] ?? assert.fail('no server is read');
	return { definition, changes: undefined, parts: launchParts(definition, snapshot) };
}

function depsOf(roots: readonly string[] = [], failure?: Error): ConsentSheetDeps {
	const deps = {
		roots: { list: () => roots.map(name => ({ uri: 'file:///w', name })) },
		label: ({ name }: ServerDefinition) => labelOfName(name),
		showPage: () => {
			if (failure) {
				throw failure;
			}
			return { onDidClose: () => ({ dispose: () => undefined }), close: () => undefined };
		},
	};
	return deps as unknown as ConsentSheetDeps;
}

interface Sheet {
	readonly end: boolean | ReviewEnd;
	readonly lines: readonly string[];
	readonly title: string;
	readonly isSeen: boolean;
}

async function sheetOf(question: ConsentQuestion, deps = depsOf(), ...labels: readonly string[]): Promise<Sheet> {
	const left = [...labels];
	const seen = { full: false };
	let lines: readonly string[] = [];
	let title = '';
	window.messages.length = 0;
	screen.onShow = pick => {
		({ lines, title } = pick);
		const label = left.shift();
		if (label === undefined) {
			pick.hide();
		} else {
			pick.accept(label);
		}
	};
	const back = { isWaiting: () => false, isCovered: () => false, review: () => undefined, own: () => undefined };
	const end = await showConsentSheet(question, seen, new AbortController().signal, back, deps);
	return { end, lines, title, isSeen: seen.full };
}

const locked = 'Start | Opens the full view first';

describe('consent sheet', () => {
	beforeEach(() => stopTime());
	afterEach(() => {
		closeHeldInput();
		releaseTime();
		screen.onShow = pick => pick.hide();
	});

	for (const [what, one, other] of [
		['variables', { env: { 'A, B': 'x' } }, { env: { A: 'x', B: 'y' } }],
		['removed variables', { env: { 'A, B': null } }, { env: { A: null, B: null } }],
		['a variable with its value', { env: { 'PATH = b': 'x' } }, { env: { PATH: 'b = x' } }],
		['watched files', { dev: { watch: ['a, b'] } }, { dev: { watch: ['a', 'b'] } }],
		['arguments', { args: ['a b'] }, { args: ['a', 'b'] }],
		['arguments in quotation marks', { args: ["'a b'"] }, { args: ["'a", "b'"] }],
		['our own marks', { args: ['x\u2423\u2423y'] }, { args: ['x  y'] }],
		['blanks', { cwd: 'a\u2423' }, { cwd: 'a\u00A0' }],
		['inputs', { args: ['${input:a, b}'] }, { args: ['${input:a}', '${input:b}'] }],
	] as const) {
		it(`tells apart: ${what}`, async () => {
			const lines = async (more: object): Promise<string> =>
				(await sheetOf(questionOf({ command: 'node', ...more }))).lines
					.filter(it => !/^Arguments \| .*\$\{input/.test(it))
					.join('\n');
			assert.notEqual(await lines(one), await lines(other));
		});
	}

	it('tells apart headers and folders with commas', async () => {
		const http = { type: 'http', url: 'https://a.dev/mcp', headers: { 'A, B': 'x' } };
		assert.ok((await sheetOf(questionOf(http))).lines.includes('Headers | "A, B" = x'));
		const { lines } = await sheetOf(questionOf({ command: 'node' }), depsOf(['a, b', 'c']));
		assert.ok(lines.includes('Exposed folders | "a, b", c'), lines.join('\n'));
	});

	/** The rows and their notes. */
	async function rowsOf(question: ConsentQuestion): Promise<string[]> {
		let rows: string[] = [];
		screen.onShow = pick => {
			rows = pick.items.map(({ label, description = '', detail = '' }) => [label, description, detail].join(' | '));
			pick.hide();
		};
		const back = { isWaiting: () => false, isCovered: () => false, review: () => undefined, own: () => undefined };
		await showConsentSheet(question, { full: false }, new AbortController().signal, back, depsOf());
		return rows;
	}

	it('marks a shown value that looks like a secret', async () => {
		const env = { API_KEY: 'sesame', NOTES: '${env:NOTES_TOKEN}', LOG: 'debug' };
		const rows = await rowsOf(questionOf({ command: 'node', env }));
		assert.deepEqual(
			rows.filter(it => it.startsWith('Environment')),
			[
				'Environment | API_KEY = sesame | This value looks like a secret and is readable in the file.',
				'Environment | NOTES = ${env:NOTES_TOKEN} | ',
				'Environment | LOG = debug | ',
			],
		);
		const http = { type: 'http', url: 'https://a', headers: { Authorization: 'Bearer sesame', B: '1' } };
		assert.deepEqual(
			(await rowsOf(questionOf(http))).filter(it => it.startsWith('Headers')),
			[
				'Headers | Authorization = "Bearer sesame" | This value looks like a secret and is readable in the file.',
				'Headers | B = 1 | ',
			],
		);
	});

	it('hides only the values of settings of the person, and says so', async () => {
		const { definition } = questionOf({ command: 'node', env: { API_KEY: 'sesame', X: '${config:a.b}' } });
		const ofSettings = { kind: 'userSettings', uri: 'x', folderUri: undefined, folderName: undefined } as const;
		const mine = { ...definition, source: ofSettings };
		const variables = new Map([['config:a.b', 'hidden']]);
		const snapshot = { ...emptySnapshot, variables, settings: new Map([['config:a.b', 'user' as const]]) };
		const question = { definition: mine, changes: undefined, parts: launchParts(mine, snapshot) };
		const rows = await rowsOf(question);
		assert.deepEqual(
			rows.filter(it => /^(Environment|Setting) /.test(it)),
			[
				'Environment | API_KEY = sesame | This value looks like a secret and is readable in the file.',
				'Environment | X = ${config:a.b} | ',
				"Setting | a.b | The value in your settings isn't shown.",
			],
		);
		const whole = pageText(fullView(question, depsOf()));
		assert.ok(whole.includes("a.b\n      The value in your settings isn't shown.") && !whole.includes('hidden'), whole);
	});

	it('shows each input with its place, default, and options, so that Show in Full is not needed', async () => {
		const inputs = [
			{ id: 'key', type: 'promptString', password: true, default: '--import=data:text/javascript,x' },
			{ id: 'stage', type: 'pickString', options: ['dev', { label: 'Production', value: 'prod' }], default: 'dev' },
		];
		const server = { command: 'node', args: ['${input:key}'], envFile: '${input:stage}.env' };
		const answered = { ...emptySnapshot, answered: new Set(['key']) };
		const { lines } = await sheetOf(questionOf(server, 'srv', inputs, answered));
		assert.deepEqual(
			lines.filter(it => /^(Masked i|I)nput/.test(it)),
			[
				'Masked input | key → Argument 1 (entered before)',
				'Input default | key = "--import=data:text/javascript,x"',
				'Input | stage → Path of "envFile"',
				'Input options | stage = dev, Production → prod',
				'Input default | stage = dev',
			],
		);
		assert.ok(lines.includes('Start'), lines.join('\n'));
	});

	it('is not locked if everything is shown exactly', async () => {
		const { title, lines } = await sheetOf(questionOf({ command: 'node', args: ['server.js'] }, 'my-server'));
		assert.equal(title, 'Allow "my-server" to start?');
		assert.ok(lines.includes('Start'), lines.join('\n'));
	});

	it('is locked by a name that looks like more than a name', async () => {
		const { title, lines } = await sheetOf(questionOf({ command: 'node' }, 'a" of your settings? "'));
		assert.equal(title, 'Allow "a\\u{0022} of your settings? \\u{0022}" to start?');
		assert.ok(lines.includes(locked));
	});

	it('stays locked, and says why, if the full view cannot be shown', async () => {
		const question = questionOf({ command: 'node', args: ['x'.repeat(5000)] });
		const deps = depsOf([], new Error('no room'));
		const { end, lines, isSeen } = await sheetOf(question, deps, 'Start', 'Show in Full', 'Start');
		assert.deepEqual([end, isSeen, lines.includes(locked)], ['aside', false, true]);
		assert.equal(window.messages.length, 3);
		const shown = await sheetOf(question, depsOf(), 'Start');
		assert.deepEqual([shown.end, shown.isSeen], ['done', true]);
	});

	describe('of a server that has changed', () => {
		it('shows the description of an input that has changed', async () => {
			const inputs = [{ id: 'key', type: 'promptString', description: 'Key of the service' }];
			const question = questionOf({ command: 'node', args: ['${input:key}'] }, 'srv', inputs);
			const { lines } = await sheetOf({ ...question, changes: [{ part: 'input', name: 'key', how: 'changed' }] });
			assert.ok(lines.includes('Input description | key = "Key of the service"'), lines.join('\n'));
		});

		const env = { TOKEN: 'sesame', MODE: 'x', PATH: 'bin' };
		const changes: readonly ConsentChange[] = [
			{ part: 'command', name: undefined, how: 'changed' },
			{ part: 'args', name: undefined, how: 'changed' },
			{ part: 'env', name: 'TOKEN', how: 'added' },
			{ part: 'cwd', name: undefined, how: 'removed' },
		];
		const changed = (args: readonly string[] = ['-x']): ConsentQuestion => ({
			...questionOf({ command: 'node', args, env }, 'srv', [], { ...emptySnapshot, folder: '/w' }),
			changes,
		});

		it('begins with what has changed, each row marked', async () => {
			let items: readonly { readonly label: string; readonly kind?: number; readonly iconPath?: { id: string } }[] = [];
			screen.onShow = pick => {
				({ items } = pick);
				pick.hide();
			};
			const back = { isWaiting: () => false, isCovered: () => false, review: () => undefined, own: () => undefined };
			const { signal } = new AbortController();
			assert.equal(await showConsentSheet(changed(), { full: false }, signal, back, depsOf()), 'aside');
			const rows = items.map(({ label, kind, iconPath }) =>
				kind === QuickPickItemKind.Separator ? `# ${label}` : iconPath ? `${label} (${iconPath.id})` : label,
			);
			assert.deepEqual(rows.slice(0, 11), [
				'# Changed',
				'Summary (warning)',
				'… (blank)',
				'… (blank)',
				'Program (warning)',
				'Arguments (warning)',
				'Working directory (warning)',
				'Environment (warning)',
				'# About this server',
				'Environment',
				'Environment',
			]);
		});

		it('lists the changes, with current values only', async () => {
			const { lines } = await sheetOf(changed());
			assert.deepEqual(lines.slice(1, 11), [
				'Summary | Command, Arguments, Environment ',
				'… | variable TOKEN (new), Working ',
				'… | directory (removed)',
				'Program | node (located when the server starts)',
				'Arguments | -x',
				'Working directory | /w',
				'Environment | TOKEN = sesame',
				'About this server',
				'Environment | MODE = x',
				'Environment | PATH = bin',
			]);
			assert.ok((await sheetOf(changed([]))).lines.includes('Arguments | No arguments'));
		});

		it('starts nothing by Enter alone', async () => {
			const ends: (boolean | ReviewEnd)[] = [];
			for (const question of [changed(), changed(['x'.repeat(5000)])]) {
				let left = 3;
				screen.onShow = pick => (left-- > 0 ? pick.accept() : pick.hide());
				const back = { isWaiting: () => false, isCovered: () => false, review: () => undefined, own: () => undefined };
				const { signal } = new AbortController();
				ends.push(await showConsentSheet(question, { full: false }, signal, back, depsOf()));
			}
			assert.deepEqual(ends, ['aside', 'done']);
		});

		it('has a full view that begins with the changes', () => {
			const [section] = fullView(changed(), depsOf()).sections;
			assert.deepEqual(section, {
				title: 'Changed since your consent',
				blocks: [
					{ kind: 'text', text: 'Summary' },
					{
						kind: 'code',
						text: 'Command, Arguments, Environment variable TOKEN (new), Working directory \n  … (removed)',
					},
					{ kind: 'text', text: 'Program' },
					{ kind: 'code', text: 'node (located when the server starts)' },
					{ kind: 'text', text: 'Arguments' },
					{ kind: 'code', text: '-x' },
					{ kind: 'text', text: 'Working directory' },
					{ kind: 'code', text: '/w' },
					{ kind: 'text', text: 'Environment' },
					{ kind: 'code', text: 'TOKEN = sesame\n  This value looks like a secret and is readable in the file.' },
					{ kind: 'text', text: "Earlier values aren't stored, so only the current ones are shown." },
				],
			});
		});
	});

	describe('full view', () => {
		const sectionsOf = (question: ConsentQuestion): string[] =>
			fullView(question, depsOf(['w'])).sections.map(({ title, blocks }) => {
				const texts = blocks.map(it => (it.kind === 'code' ? it.text : assert.fail(it.kind)));
				return [title, ...texts].join('\n');
			});

		it('has plain headings, and every part', () => {
			const snapshot: LaunchSnapshot = {
				...emptySnapshot,
				folder: '/w',
				program: { kind: 'found', path: '/run/7/node', lastingPath: '/usr/bin/node' },
			};
			const inputs = [{ id: 'run', type: 'command', command: 'some.command', args: { a: 1 } }];
			const env = { TOKEN: 'sesame', GONE: null, PATH: 'bin' };
			const question = questionOf({ command: 'node', args: ['${input:run}'], env }, 'srv', inputs, snapshot);
			assert.equal(fullView(question, depsOf()).summary, 'New server: not allowed before');
			assert.deepEqual(sectionsOf(question), [
				'Server\n"srv"',
				'Transport\nstdio',
				'Program\nnode → /run/7/node',
				'Arguments\n${input:run}',
				'Working directory\n/w',
				'Environment\nTOKEN = sesame\n  This value looks like a secret and is readable in the file.\nPATH = bin',
				'Removed variables\nGONE',
				'Editor command\nsome.command {"a":1} for input run',
				'Exposed folders\nw',
				'Configuration file\n"file:///w/.vscode/mcp.json"',
			]);
		});

		it('shows text of servers literally', () => {
			for (const text of [
				'safe\u202Eevil\u200Bhidden\u{E0041}',
				'a\r\nb\u2028c\u0000\u001b[2J',
				'\uD800',
				' '.repeat(5000),
			]) {
				const question = questionOf({ command: text, args: [text], env: { [text]: text }, cwd: text }, text);
				assert.ok(isShownWhole(fullView({ ...question, changes: [] }, depsOf([text]))), JSON.stringify(text));
			}
		});

		it('has no section or label that a server can fake', () => {
			const question = questionOf(
				{
					command: 'node',
					args: ['a\n\nReason\n  New server\u202E'],
					env: { 'A\nReason': 'x', Removed: 'y', 'Not shown': 'z' },
				},
				'b"\n\nProgram',
				[],
				{ ...emptySnapshot, folder: '/w' },
			);
			const text = sectionsOf(question).join('\n\n');
			assert.deepEqual(text.match(/^Reason$|^Program$/gm), ['Program']);
			assert.ok(!text.includes('\u202E') && text.includes('\\u{202e}'), text);
			assert.ok(!/^Removed$|^Not shown$/m.test(text), text);
		});
	});
});
