// The page of Explain Decision, as text: the decision first, then each step with what it found and whether it decided.
import * as assert from 'node:assert/strict';
import { decisionPage, policyReason } from '../../../../src/features/approvals/decisionPage.js';
import { cleanPage, pageText } from '../../../../src/features/pages/pageView.js';
import type { ApprovalInput, Grant } from '../../../../src/core/approvals/approval.js';
import type { ApprovalQuestion } from '../../../../src/core/approvals/approver.js';
import { emptyPolicy, type PathScope, type Policy } from '../../../../src/core/approvals/policy.js';
import { parsePolicy } from '../../../../src/core/approvals/policyFile.js';

const time = Date.UTC(2026, 0, 2);
const nowhere: PathScope = { roots: [], outside: [], unclear: [] };

function grant(more: Partial<Grant>): Grant {
	return { id: 'g', decision: 'allow', serverId: 's', tools: { weed: 'f' }, lasts: 'workspace', time, ...more };
}

function questionOf(more: Partial<ApprovalInput> = {}, pathScope = nowhere): ApprovalQuestion {
	const input: ApprovalInput = {
		caller: { kind: 'model' },
		serverId: 's',
		facts: { server: 'garden', tool: 'weed', annotations: undefined, pathScope, scopeOf: () => pathScope },
		argumentsKey: '{}',
		isTrusted: true,
		definitionPolicy: { kind: 'read', policy: emptyPolicy },
		userPolicy: { kind: 'read', policy: emptyPolicy },
		lock: 'same',
		definitionHash: 'f',
		grants: [],
		...more,
	};
	const locks = { states: {} };
	return {
		input,
		request: { caller: input.caller, tool: { name: 'weed' }, arguments: {} },
		changes: [],
		locks,
	} as unknown as ApprovalQuestion;
}

function policy(rules: readonly object[]): { kind: 'read'; policy: Policy } {
	return { kind: 'read', policy: parsePolicy(JSON.stringify({ rules })).policy ?? assert.fail() };
}

function textOf(question: ApprovalQuestion, hasArguments = true): string {
	return pageText(cleanPage(decisionPage(question, 'garden', hasArguments)));
}

describe('Explain Decision', () => {
	it('says the decision first, then its steps', () => {
		const definitionPolicy = policy([{ decision: 'ask', tool: 'w*' }]);
		assert.equal(
			textOf(questionOf({ definitionPolicy })),
			`# Decision for weed on garden

This call needs your approval.

- Caller: Model
- Reason: Rule 1 of mcp-policy.json

## Steps of the decision

1. Deny rules and your saved denials: No decision
   - None
2. Policies: No decision
   - mcp-policy.json: No errors
   - mcpWorkbench.policy: No errors
3. Tool definition: No decision
   - The definition hasn't changed.
4. First matching rule of each policy (the stricter counts): Decides
   - mcp-policy.json, rule 1: Ask {"tools":["w*"]}
   - mcpWorkbench.policy: No rule matches
5. Your saved approvals, for calls that need approval: No decision
   - None

## Call details that rules can match

- Folders: None
- Outside the workspace: None
- Possibly outside the workspace: None

## Arguments

    {}
`,
		);
	});

	it('says which step decided', () => {
		const deny = policy([{ decision: 'deny' }]);
		const rows: readonly (readonly [number, Partial<ApprovalInput>])[] = [
			[1, { userPolicy: deny }],
			[1, { grants: [grant({ decision: 'deny' })] }],
			[2, { userPolicy: { kind: 'broken' } }],
			[3, { lock: 'changed' }],
			[3, { lock: 'unreadable' }],
			[3, { lock: 'notLocked' }],
			[4, { userPolicy: { kind: 'read', policy: { ...emptyPolicy, otherwise: 'deny' } } }],
			[4, { definitionPolicy: policy([{ decision: 'allow' }]) }],
			[4, {}],
			[5, { grants: [grant({})] }],
			[5, { caller: { kind: 'person' } }],
		];
		for (const [step, more] of rows) {
			const [decided, ...others] = textOf(questionOf(more)).match(/^\d\. .*: Decides$/gm) ?? [];
			assert.equal(decided?.[0], String(step), JSON.stringify(more));
			assert.deepEqual(others, []);
		}
	});

	it('tells callers apart where no call is explained', () => {
		const text = textOf(questionOf(), false);
		assert.match(text, /^Your own calls are allowed\. Calls by models and extensions need your approval\.$/m);
		assert.match(
			text,
			/^- You: Allowed\n  Started by you\n  Without this: No rule allows this call, so you're asked$/m,
		);
		assert.match(text, /^4\. .*: Decides for: Extension or keybinding.* Model$/m);
		assert.match(text, /^5\. .*: Decides for: You\n   - Tools that you run yourself are allowed\.$/m);
		assert.match(textOf(questionOf({ lock: 'changed' }), false), /^Every call of this tool needs your approval\.$/m);
	});

	it('names the policy that decides, for Open Policy', () => {
		const userPolicy = policy([{ decision: 'ask' }]);
		assert.deepEqual(policyReason(questionOf({ userPolicy, caller: { kind: 'person' } }), true), {
			kind: 'rule',
			source: 'user',
			number: 1,
		});
		assert.equal(policyReason(questionOf(), false), undefined);
	});

	it('says how far an earlier approval goes', () => {
		const explained = (more: Partial<Grant>): string => textOf(questionOf({ grants: [grant(more)] }));
		assert.match(explained({ lasts: 'session' }), /^   - Any arguments \(since .*, until the window closes\)$/m);
		assert.match(explained({}), /^   - Any arguments \(since .*, until revoked\)$/m);
		assert.match(explained({ argumentsKey: '{}' }), /^   - These arguments \(since .*, until revoked\)$/m);
	});

	it('tells paths outside from text that may be one', () => {
		const text = textOf(questionOf({}, { roots: ['w'], outside: ['/etc', '~/a'], unclear: ['~/a'] }));
		assert.match(text, /^- Folders: w\n- Outside the workspace: \/etc\n- Possibly outside the workspace: ~\/a$/m);
	});
});
