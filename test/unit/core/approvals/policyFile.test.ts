import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { type Policy, emptyPolicy } from '../../../../src/core/approvals/approval.js';
import { parsePolicy } from '../../../../src/core/approvals/policyFile.js';
import { projectRoot } from '../../../host/paths.js';

/** Parses a text without its marks `⟦…⟧`, and asserts that there is a problem at each mark. */
function policyOf(marked: string): Policy | undefined {
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
	return policy;
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

	it('reads an empty file as an empty policy', () => {
		for (const text of ['', ' \n', '{}', '{ "rules": [] }']) {
			assert.deepEqual(parsePolicy(text), { policy: emptyPolicy, problems: [], unchecked: [], places: [] });
		}
	});

	const rule = (members: string): string =>
		`{ "rules": [{ "decision": "deny", ${members} }, { "decision": "allow" }] }`;
	const table: readonly string[] = [
		'⟦[]⟧',
		'{ "rules": ⟦{}⟧ }',
		'{ "rules": [⟦"deny"⟧] }',
		'{ ⟦"rule"⟧: [] }',
		'{ "rules": [], ⟦"rules"⟧: [] }',
		'{ "default": ⟦"allow"⟧ }',
		'{ "rules": [⟦{ "tool": "x" }⟧] }',
		'{ "rules": [{ "decision": ⟦"Deny"⟧ }] }',
		'{ "rules": [{ "decision": ⟦true⟧ }] }',
		rule('⟦"tools"⟧: "x"'),
		rule('"tool": ⟦5⟧'),
		rule('"tool": ⟦[]⟧'),
		rule('"server": ⟦["a", null]⟧'),
		rule('"annotations": ⟦"readOnlyHint"⟧'),
		rule('"annotations": { "readOnlyHint": ⟦"yes"⟧ }'),
		rule('"annotations": { ⟦"readOnly"⟧: true }'),
		rule('"root": ⟦1⟧'),
		rule('"paths": ⟦{}⟧'),
		'{ "rules": [⟦{ "decision": "allow", "paths": ["path"] }⟧] }',
		rule('"outsideRoots": ⟦"true"⟧'),
		rule('"comment": ⟦5⟧'),
		'{ "rules": [{ "decision": "deny" }⟦{⟧ "decision": "allow" }] }',
	];
	for (const marked of table) {
		it(`rejects ${marked}`, () => assert.equal(policyOf(marked), undefined));
	}

	it('accepts what the JSON schema accepts, because the editor explains mistakes with the schema', () => {
		const schema = fs.readFileSync(path.join(projectRoot, 'media', 'schemas', 'mcpPolicy.schema.json'), 'utf8');
		const isValid = new Ajv({ strict: false }).compile(JSON.parse(schema) as object);
		// The editor itself reports invalid JSON and duplicate keys.
		const texts = table.filter(it => !/⟦"rules"⟧|⟦\{⟧/.test(it)).map(it => it.replaceAll(/[⟦⟧]/g, ''));
		assert.deepEqual(
			texts.filter(it => isValid(JSON.parse(it))),
			[],
		);
		const all = '"server": "a", "tool": ["b"], "annotations": { "readOnlyHint": true }, "root": "c", "paths": ["d"]';
		for (const text of ['{}', rule(`${all}, "outsideRoots": true, "comment": "x", "arguments": {}`)]) {
			assert.ok(parsePolicy(text).policy && isValid(JSON.parse(text)), text);
		}
	});

	it('rejects a text that is too deep or too long, and reports where', () => {
		for (const text of ['['.repeat(100_000), ' '.repeat(2_000_000) + '{}']) {
			const { policy, problems } = parsePolicy(text);
			assert.deepEqual([policy, problems.length], [undefined, 1]);
		}
	});

	it('never throws, and accepts no text that is not a policy', () => {
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
