import * as assert from 'node:assert/strict';
import { matchingRules, type CallFacts } from '../../../../src/core/approvals/policy.js';
import { canNameArguments, type NewRule, withRule } from '../../../../src/core/approvals/policyEdit.js';
import { parsePolicy } from '../../../../src/core/approvals/policyFile.js';

const rule: NewRule = { decision: 'allow', server: 'files', tool: 'read' };

function numbers(text: string, facts: Partial<CallFacts>): number[] {
	const { policy } = parsePolicy(text);
	assert.ok(policy, text);
	const all = { server: 'files', tool: 'read', annotations: undefined, arguments: {}, ...facts };
	return matchingRules(policy, { pathScope: { roots: [], outside: [], unclear: [] }, ...all }).map(it => it.number);
}

describe('withRule', () => {
	it('begins a file', () => {
		for (const text of ['', ' ', '\t\n\n']) {
			assert.equal(
				withRule(text, rule),
				'{\n\t"rules": [\n\t\t{\n\t\t\t"decision": "allow",\n\t\t\t"server": "files",\n\t\t\t"tool": "read"\n\t\t}\n\t]\n}\n',
			);
		}
	});

	it('puts it first, and leaves everything else as it is', () => {
		const before = '{\n\t// ours\n\t"default": "deny",\n\t"rules": [\n\t\t{ "decision": "ask" }, // all\n\t]\n}';
		const after = withRule(before, { decision: 'deny', server: 'files' }) ?? '';
		assert.match(after, /\/\/ ours/);
		assert.match(after, /\{ "decision": "ask" \}, \/\/ all/);
		const { policy } = parsePolicy(after);
		assert.deepEqual(policy, {
			rules: [{ decision: 'deny', servers: ['files'] }, { decision: 'ask' }],
			otherwise: 'deny',
		});
	});

	it('writes as files of the editor are written, with the line breaks of the text', () => {
		for (const end of ['\n', '\r\n']) {
			const written = [
				'{',
				'\t"rules": [',
				'\t\t{',
				'\t\t\t"decision": "deny",',
				'\t\t\t"server": "f"',
				'\t\t}',
				'\t]',
				'}',
			];
			assert.equal(withRule(`{${end}}`, { decision: 'deny', server: 'f' }), written.join(end));
		}
	});

	it('adds a list where there is none', () => {
		assert.deepEqual(numbers(withRule('{}', rule) ?? '', {}), [1]);
	});

	it('touches no file that has a mistake', () => {
		for (const text of ['{', '[]', '{"rules": {}}', '{"rules": [{}]}']) {
			assert.equal(withRule(text, rule), undefined, text);
		}
	});

	it('names arguments that can be named, and holds for these', () => {
		const args = { path: 'a*b', deep: { count: 2, flag: null } };
		const text = withRule('', { ...rule, arguments: args }) ?? '';
		assert.deepEqual(numbers(text, { arguments: args }), [1]);
		assert.deepEqual(numbers(text, { arguments: { ...args, path: 'axxb' } }), []);
		assert.deepEqual(numbers(text, { arguments: { ...args, deep: { count: 3, flag: null } } }), []);
		assert.deepEqual(numbers(text, { arguments: args, tool: 'write' }), []);
	});

	it('names nothing but the tool and the values it was given', () => {
		const text =
			withRule('', { ...rule, tool: '????????????', arguments: { command: 'rm ????.log', path: '[*]' } }) ?? '';
		const args = { command: 'rm ????.log', path: '[*]' };
		assert.deepEqual(numbers(text, { tool: '????????????', arguments: args }), [1]);
		assert.deepEqual(numbers(text, { tool: 'delete_files', arguments: args }), []);
		assert.deepEqual(numbers(text, { tool: '????????????', arguments: { ...args, command: 'rm data.log' } }), []);
		assert.deepEqual(numbers(text, { tool: '????????????', arguments: { ...args, path: '*' } }), []);
		assert.deepEqual(numbers(withRule('', { decision: 'deny', server: 'f*' }) ?? '', {}), []);
	});

	it('knows which arguments cannot be named', () => {
		assert.equal(canNameArguments({ a: 'x', b: { c: 1 } }), true);
		for (const args of [
			{},
			{ 'a.b': 1 },
			{ '*': 1 },
			{ '': 1 },
			{ 'a.b': 1, c: 1 },
			{ a: [] },
			{ a: ['x'] },
			{ a: {} },
			{ a: {}, b: 1 },
		]) {
			assert.equal(canNameArguments(args), false, JSON.stringify(args));
		}
	});
});
