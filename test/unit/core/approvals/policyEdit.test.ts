import * as assert from 'node:assert/strict';
import { matchingRules, type CallFacts } from '../../../../src/core/approvals/approval.js';
import { type NewRule, withRule } from '../../../../src/core/approvals/policyEdit.js';
import { parsePolicy } from '../../../../src/core/approvals/policyFile.js';

const rule: NewRule = { decision: 'allow', server: 'files', tool: 'read' };

function numbers(text: string, facts: Partial<CallFacts>): number[] {
	const { policy } = parsePolicy(text);
	assert.ok(policy, text);
	const pathScope = { roots: [], outside: [], unclear: [] };
	const all = { server: 'files', tool: 'read', annotations: undefined, pathScope, scopeOf: () => pathScope, ...facts };
	return matchingRules(policy, all).map(it => it.number);
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

	it('names nothing but the server and the tool that it was given', () => {
		const text = withRule('', { ...rule, tool: '????????????' }) ?? '';
		assert.deepEqual(numbers(text, { tool: '????????????' }), [1]);
		assert.deepEqual(numbers(text, { tool: 'delete_files' }), []);
		assert.deepEqual(numbers(withRule('', { decision: 'deny', server: 'f*' }) ?? '', {}), []);
	});
});
