import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Policy, emptyPolicy } from '../../../../src/core/approvals/approval.js';
import { parsePolicy } from '../../../../src/core/approvals/policyFile.js';

/** Takes `⟦…⟧` out of a text: what stands between them is where a problem is expected. */
function problems(marked: string): { readonly found: unknown[]; readonly policy: Policy | undefined } {
	const text = marked.replaceAll(/[⟦⟧]/g, '');
	const { problems: list, policy } = parsePolicy(text);
	const remark = list
		.toSorted((a, b) => b.offset - a.offset)
		.reduce(
			(it, { offset, length }) =>
				`${it.slice(0, offset)}⟦${it.slice(offset, offset + length)}⟧${it.slice(offset + length)}`,
			text,
		);
	assert.equal(remark, marked);
	return { found: list.map(({ offset: _offset, length: _length, ...rest }) => rest), policy };
}

describe('parsePolicy', () => {
	it('reads every kind of rule, with comments and trailing commas', () => {
		const text = `// what may be done here
{
	"$schema": "x",
	"default": "deny",
	"rules": [
		{ "decision": "allow", "server": "garden", "tool": ["read_*", "list"], "comment": "harmless" },
		{ "decision": "ask", "annotations": { "destructiveHint": true, "readOnlyHint": false } },
		{ "decision": "deny", "arguments": { "path": "*.env" } },
		{ "decision": "allow", "root": "my-project", "outsideRoots": false, "paths": ["path"] },
		{ "decision": "ask" },
	],
}`;
		const { policy, problems: found, unchecked, places } = parsePolicy(text);
		assert.deepEqual(found, []);
		assert.deepEqual(policy, {
			otherwise: 'deny',
			rules: [
				{ decision: 'allow', servers: ['garden'], tools: ['read_*', 'list'] },
				{ decision: 'ask', annotations: { destructiveHint: true, readOnlyHint: false } },
				{ decision: 'deny', hasArguments: true },
				{ decision: 'allow', roots: ['my-project'], outsideRoots: false, paths: ['path'] },
				{ decision: 'ask' },
			],
		});
		assert.deepEqual(
			unchecked.map(({ offset, length }) => text.slice(offset, offset + length)),
			['{ "path": "*.env" }'],
		);
		assert.deepEqual(
			places.map(({ offset, length }) => text.slice(offset, offset + length).slice(0, 22)),
			[
				'{ "decision": "allow",',
				'{ "decision": "ask", "',
				'{ "decision": "deny", ',
				'{ "decision": "allow",',
				'{ "decision": "ask" }',
			],
		);
	});

	it('takes what is empty for a policy that says nothing', () => {
		for (const text of ['', ' \n', '{}', '{ "rules": [] }']) {
			assert.deepEqual(parsePolicy(text), { policy: emptyPolicy, problems: [], unchecked: [], places: [] });
		}
	});

	const known = ['decision', 'server', 'tool', 'annotations', 'arguments', 'root', 'outsideRoots', 'paths', 'comment'];
	const rule = (members: string): string =>
		`{ "rules": [{ "decision": "deny", ${members} }, { "decision": "allow" }] }`;
	const table: readonly (readonly [marked: string, found: object])[] = [
		['⟦[]⟧', { code: 'wrongType', key: 'policy', expected: 'object' }],
		['{ "rules": ⟦{}⟧ }', { code: 'wrongType', key: 'rules', expected: 'array' }],
		['{ "rules": [⟦"deny"⟧] }', { code: 'wrongType', key: 'rule', expected: 'object' }],
		['{ ⟦"rule"⟧: [] }', { code: 'unknownKey', key: 'rule', known: ['$schema', 'rules', 'default'] }],
		['{ "rules": [], ⟦"rules"⟧: [] }', { code: 'duplicate', key: 'rules' }],
		['{ "default": ⟦"allow"⟧ }', { code: 'unknownValue', key: 'default', value: 'allow', known: ['ask', 'deny'] }],
		['{ "rules": [⟦{ "tool": "x" }⟧] }', { code: 'missing', key: 'decision' }],
		[
			'{ "rules": [{ "decision": ⟦"Deny"⟧ }] }',
			{ code: 'unknownValue', key: 'decision', value: 'Deny', known: ['allow', 'ask', 'deny'] },
		],
		['{ "rules": [{ "decision": ⟦true⟧ }] }', { code: 'wrongType', key: 'decision', expected: 'text' }],
		[rule('⟦"tools"⟧: "x"'), { code: 'unknownKey', key: 'tools', known }],
		[rule('"tool": ⟦5⟧'), { code: 'wrongType', key: 'tool', expected: 'textOrTexts' }],
		[rule('"tool": ⟦[]⟧'), { code: 'wrongType', key: 'tool', expected: 'textOrTexts' }],
		[rule('"server": ⟦["a", null]⟧'), { code: 'wrongType', key: 'server', expected: 'textOrTexts' }],
		[rule('"annotations": ⟦"readOnlyHint"⟧'), { code: 'wrongType', key: 'annotations', expected: 'object' }],
		[
			rule('"annotations": { "readOnlyHint": ⟦"yes"⟧ }'),
			{ code: 'wrongType', key: 'readOnlyHint', expected: 'boolean' },
		],
		[
			rule('"annotations": { ⟦"readOnly"⟧: true }'),
			{
				code: 'unknownKey',
				key: 'readOnly',
				known: ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
			},
		],
		[rule('"root": ⟦1⟧'), { code: 'wrongType', key: 'root', expected: 'textOrTexts' }],
		[rule('"paths": ⟦{}⟧'), { code: 'wrongType', key: 'paths', expected: 'textOrTexts' }],
		['{ "rules": [⟦{ "decision": "allow", "paths": ["path"] }⟧] }', { code: 'pathsAlone' }],
		[rule('"outsideRoots": ⟦"true"⟧'), { code: 'wrongType', key: 'outsideRoots', expected: 'boolean' }],
		[rule('"comment": ⟦5⟧'), { code: 'wrongType', key: 'comment', expected: 'text' }],
		['{ "rules": [{ "decision": "deny" }⟦{⟧ "decision": "allow" }] }', { code: 'syntax', error: 'CommaExpected' }],
	];
	for (const [marked, found] of table) {
		it(`takes nothing of ${marked}`, () => {
			assert.deepEqual(problems(marked), { found: [found], policy: undefined });
		});
	}

	it('takes nothing of what is too deep or too long, and says where', () => {
		for (const [text, found] of [
			['['.repeat(100_000), { code: 'tooDeep', length: 1 }],
			[' '.repeat(2_000_000) + '{}', { code: 'tooLong', length: 1 }],
		] as const) {
			const { policy, problems: list } = parsePolicy(text);
			assert.deepEqual([policy, list.map(({ offset: _offset, ...rest }) => rest)], [undefined, [found]]);
		}
	});

	it('never throws, and a text that is no policy is never one', () => {
		const source = '{ "rules": [{ "decision": "deny", "tool": ["a"] }], "default": "ask" }';
		fc.assert(
			fc.property(fc.nat(source.length), fc.nat(source.length), fc.string({ maxLength: 3 }), (from, to, inserted) => {
				const text = source.slice(0, from) + inserted + source.slice(to);
				const { policy, problems: found } = parsePolicy(text);
				assert.equal(policy === undefined, found.length > 0);
			}),
		);
	});
});
