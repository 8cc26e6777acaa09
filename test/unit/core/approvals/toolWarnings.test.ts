import * as assert from 'node:assert/strict';
import { warningsOf } from '../../../../src/core/approvals/toolWarnings.js';

type Facts = Parameters<typeof warningsOf>;

function warnings(tool: string, args: Facts[1], others: Facts[2] = []): string[] {
	const found = warningsOf(tool, args, others, text => text.includes('sesame'));
	return found.map(({ kind, ...more }) => [kind, ...Object.values(more)].join(' '));
}

describe('warningsOf', () => {
	it('finds nothing in what is plain', () => {
		assert.deepEqual(warnings('write_file', { path: 'a' }), []);
	});

	it('finds a tool of the same name on another server', () => {
		const others = [{ server: 'files', tools: [{ name: 'read_file' }, { name: 'write_file' }] }];
		const of = (name: string): string[] => warnings(name, {}, others);
		assert.deepEqual([of('write_file'), of('write_files')], [['sameName files'], []]);
	});

	it('finds stored secrets in arguments, in names and deep inside', () => {
		const args = { a: 'open sesame', b: 'no', c: { d: ['sesame'] }, sesame: 1 };
		assert.deepEqual(warnings('write_file', args), ['secret a', 'secret c', 'secret sesame']);
	});
});
