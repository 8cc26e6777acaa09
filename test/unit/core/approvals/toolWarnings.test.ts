import * as assert from 'node:assert/strict';
import type { Tool } from '../../../../src/mcp/index.js';
import { type WarningFacts, warningsOf } from '../../../../src/core/approvals/toolWarnings.js';

const plain: Tool = { name: 'write_file', description: 'Writes a file.', inputSchema: { type: 'object' } };

function warnings(changes: Partial<WarningFacts>): string[] {
	return warningsOf({
		tool: plain,
		instructions: undefined,
		arguments: {},
		others: [],
		hasSecret: text => text.includes('sesame'),
		...changes,
	}).map(({ kind, ...more }) => [kind, ...Object.values(more)].join(' '));
}

const described = (description: string): Partial<WarningFacts> => ({ tool: { ...plain, description } });

describe('warningsOf', () => {
	it('finds nothing in what is plain', () => {
		assert.deepEqual(warnings({}), []);
		for (const description of ['Reads a file.\n\tReturns its text.\r\n', '👩‍👩‍👧 می‌خواهم', 'PDF\u200C\u0647\u0627']) {
			assert.deepEqual(warnings(described(description)), [], description);
		}
	});

	it('finds invisible characters in every part of a definition', () => {
		const cases: readonly Partial<Tool>[] = [
			{ name: 'write\u200B_file' },
			{ name: 'wri\u200Dte' },
			{ description: 'a\u200C\u200Cb' },
			{ title: 'a\u202Eb' },
			{ description: 'x\u{E0041}\u{E0042}' },
			{ description: 'bell\u0007' },
			{ description: 'soft\u00ADhyphen' },
			{ description: '\u3164' },
			{ inputSchema: { properties: { path: { description: 'a\u2066b' } } } },
			{ inputSchema: { properties: { 'pa\uFEFFth': {} } } },
			{ outputSchema: { title: '\u2060' } },
			{ annotations: { title: '\u200F' } },
		];
		for (const change of cases) {
			assert.deepEqual(warnings({ tool: { ...plain, ...change } }), ['hiddenText'], JSON.stringify(change));
		}
		assert.deepEqual(warnings({ instructions: 'a\u202Eb' }), ['hiddenText']);
	});

	it('finds a tool of the same name on another server', () => {
		const others = [{ server: 'files', tools: [{ name: 'read_file' }, { name: 'write_file' }] }];
		const of = (name: string): string[] => warnings({ tool: { ...plain, name }, others });
		assert.deepEqual([of('write_file'), of('write_files')], [['sameName files'], []]);
	});

	it('finds stored secrets in arguments, in names and deep inside', () => {
		const args = { a: 'open sesame', b: 'no', c: { d: ['sesame'] }, sesame: 1 };
		assert.deepEqual(warnings({ arguments: args }), ['secret a', 'secret c', 'secret sesame']);
	});
});
