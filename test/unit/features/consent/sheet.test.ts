// The consent sheet: no two servers look the same on it, and Start is locked until everything was really shown.
import * as assert from 'node:assert/strict';
import { questionData } from '../../../../src/features/consent/facts.js';
import { showConsentSheet, type SheetDeps } from '../../../../src/features/consent/sheet.js';
import type { ConsentQuestion } from '../../../../src/model/consents.js';
import { launchParts } from '../../../../src/model/launchParts.js';
import { emptySnapshot } from '../../../../src/model/launchSnapshot.js';
import { parseServerConfig } from '../../../../src/model/serverConfig.js';
import type { ReviewEnd } from '../../../../src/model/pendingRequests.js';
import type { ConfigSource, ServerDefinition } from '../../../../src/model/serverDefinition.js';
import { screen } from '../../../support/quickPickDouble.js';
import { window } from '../../../support/vscodeDouble.js';

const source: ConfigSource = {
	kind: 'vscodeFolder',
	uri: 'file:///w/.vscode/mcp.json',
	folderUri: 'file:///w',
	folderName: 'w',
};

function questionOf(server: object, name = 'srv', inputs: readonly object[] = []): ConsentQuestion {
	const { servers } = parseServerConfig(JSON.stringify({ servers: { [name]: server }, inputs }), source);
	const definition: ServerDefinition = servers[0] ?? assert.fail('no server is read');
	return { definition, changes: undefined, isOlder: false, parts: launchParts(definition, emptySnapshot) };
}

function depsOf(roots: readonly string[] = [], failure?: Error): SheetDeps {
	const deps = {
		roots: { list: () => roots.map(name => ({ uri: 'file:///w', name })) },
		documents: { show: () => (failure ? Promise.reject(failure) : Promise.resolve()) },
	};
	return deps as unknown as SheetDeps;
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
	afterEach(() => {
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
		assert.ok((await sheetOf(questionOf(http))).lines.includes('Headers | "A, B"'));
		const { lines } = await sheetOf(questionOf({ command: 'node' }), depsOf(['a, b', 'c']));
		assert.ok(lines.includes('Shared folders | "a, b", c'), lines.join('\n'));
	});

	it('keeps both of two values that are sent under one name', () => {
		const http = { type: 'http', url: 'https://a.dev/${env:T:-x}', headers: { A: '${env:T}' } };
		const { sent } = questionData(questionOf(http), depsOf()) as { sent: unknown };
		assert.deepEqual(sent, { 'env:T': [[{ kind: 'url' }], [{ kind: 'header', name: 'A' }]] });
	});

	it('is not locked where everything is shown exactly', async () => {
		const { title, lines } = await sheetOf(questionOf({ command: 'node', args: ['server.js'] }, 'my-server'));
		assert.equal(title, 'Start "my-server"?');
		assert.ok(lines.includes('Start'), lines.join('\n'));
	});

	it('is locked by a name that passes for more than a name', async () => {
		const { title, lines } = await sheetOf(questionOf({ command: 'node' }, 'a" of your settings? "'));
		assert.equal(title, 'Start "a\\" of your settings? \\""?');
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
});
