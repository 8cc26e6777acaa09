import * as assert from 'node:assert/strict';
import type { ToolAnnotations } from '../../../../src/mcp/index.js';
import {
	type CallFacts,
	certainlyOutside,
	deniesServer,
	deniesTools,
	matchingRules,
	type PolicyRule,
	type PathScope,
} from '../../../../src/core/approvals/approval.js';

function facts(changes: Partial<CallFacts>): CallFacts {
	return {
		server: 'garden',
		tool: 'water',
		annotations: undefined,
		pathScope: { roots: [], outside: [], unclear: [] },
		scopeOf: () => ({ roots: [], outside: [], unclear: [] }),
		...changes,
	};
}

/** What a rule of this kind finds in the call: as an `allow`, and as a `deny`. */
function both(rule: Omit<PolicyRule, 'decision'>, changes: Partial<CallFacts>): [allow: boolean, deny: boolean] {
	const matches = (decision: PolicyRule['decision']): boolean =>
		matchingRules({ rules: [{ ...rule, decision }], otherwise: 'ask' }, facts(changes)).length === 1;
	assert.equal(matches('ask'), matches('deny'));
	return [matches('allow'), matches('deny')];
}

type Row = readonly [
	what: string,
	rule: Omit<PolicyRule, 'decision'>,
	call: Partial<CallFacts>,
	allow: boolean,
	deny: boolean,
];

const inside = (...roots: string[]): { pathScope: PathScope } => ({ pathScope: { roots, outside: [], unclear: [] } });
const hints = (annotations: ToolAnnotations): { annotations: ToolAnnotations } => ({ annotations });

const unclear = { pathScope: { roots: [], outside: [' /etc'], unclear: [' /etc'] } };

const table: readonly Row[] = [
	['nothing is everything', {}, {}, true, true],
	['the server', { servers: ['gar*'] }, {}, true, true],
	['another server', { servers: ['x', 'Garden'] }, {}, false, false],
	['one of several tools', { tools: ['x', 'water'] }, {}, true, true],
	['a tool with a slash in its name', { tools: ['*'] }, { tool: 'a/b\nc' }, true, true],
	['a hint', { annotations: { readOnlyHint: true } }, hints({ readOnlyHint: true }), true, true],
	['another hint', { annotations: { readOnlyHint: false } }, hints({ readOnlyHint: true }), false, false],
	['a hint that is not given: not read-only', { annotations: { readOnlyHint: true } }, {}, false, false],
	['a hint that is not given: destructive', { annotations: { destructiveHint: true } }, {}, true, true],
	['a hint that is not given: open world', { annotations: { openWorldHint: false } }, hints({}), false, false],
	[
		'all hints',
		{ annotations: { readOnlyHint: true, idempotentHint: true } },
		hints({ readOnlyHint: true }),
		false,
		false,
	],
	['patterns for arguments, which are not checked', { hasArguments: true }, {}, false, true],
	['a root', { roots: ['my-*'] }, inside('my-project'), true, true],
	['one of two roots', { roots: ['my-*'] }, inside('my-project', 'other'), false, true],
	[
		'a root and what is outside',
		{ roots: ['my-*'] },
		{ pathScope: { roots: ['my-a'], outside: ['/etc'], unclear: [] } },
		false,
		true,
	],
	['no path at all', { roots: ['*'] }, inside(), false, false],
	['outside', { outsideRoots: true }, { pathScope: { roots: [], outside: ['/etc'], unclear: [] } }, true, true],
	['not outside', { outsideRoots: true }, inside('a'), false, false],
	['only inside', { outsideRoots: false }, inside(), true, true],
	[
		'what is outside, where it is to be inside',
		{ outsideRoots: false },
		{ pathScope: { roots: [], outside: ['/etc'], unclear: [] } },
		false,
		false,
	],
	['what may be outside', { outsideRoots: true }, unclear, false, true],
	['what may be inside', { outsideRoots: false }, unclear, false, true],
	['what may be in a root', { roots: ['my-*'] }, unclear, false, true],
	[
		'what may be anywhere, beside a root',
		{ roots: ['my-*'], outsideRoots: false },
		{ pathScope: { ...unclear.pathScope, roots: ['my-a'] } },
		false,
		true,
	],
	['what may be anywhere, for a rule that does not care', {}, unclear, true, true],
	['all at once', { servers: ['garden'], tools: ['w*'], roots: ['a'] }, inside('a'), true, true],
	['all but one', { servers: ['garden'], tools: ['x*'], roots: ['a'] }, inside('a'), false, false],
	['paths that it names', { roots: ['a'], paths: ['path'] }, { scopeOf: () => inside('a').pathScope }, true, true],
];

describe('rules of a policy', () => {
	for (const [what, rule, call, allow, deny] of table) {
		it(`${what}: ${allow ? 'allowed' : 'not allowed'}, ${deny ? 'denied' : 'not denied'}`, () => {
			assert.deepEqual(both(rule, call), [allow, deny]);
		});
	}

	it('are numbered as they stand in the file', () => {
		const rules: PolicyRule[] = [
			{ decision: 'allow', tools: ['x'] },
			{ decision: 'deny', tools: ['water'] },
			{ decision: 'ask' },
		];
		const numbers = matchingRules({ rules, otherwise: 'ask' }, facts({})).map(it => it.number);
		assert.deepEqual(numbers, [2, 3]);
	});
});

describe('certainlyOutside', () => {
	it('leaves out what may be inside', () => {
		assert.deepEqual(certainlyOutside({ roots: ['a'], outside: ['/etc', ' /etc', '/b'], unclear: [' /etc'] }), [
			'/etc',
			'/b',
		]);
	});
});

describe('what a policy denies of a whole server', () => {
	const rows: readonly (readonly [what: string, rules: PolicyRule[], otherwise: 'ask' | 'deny', expected: boolean])[] =
		[
			['nothing, without rules', [], 'ask', false],
			['everything, where what is not named is denied', [], 'deny', true],
			['everything, by a rule about nothing else', [{ decision: 'deny', servers: ['gar*'] }], 'ask', true],
			['everything, by a rule about all servers', [{ decision: 'deny' }], 'ask', true],
			['nothing, by a rule about another', [{ decision: 'deny', servers: ['shed'] }], 'ask', false],
			['nothing, by a rule about a tool', [{ decision: 'deny', servers: ['garden'], tools: ['*'] }], 'ask', false],
			[
				'nothing, by rules about arguments, hints and paths',
				['hasArguments', 'annotations'].map(it => ({ decision: 'deny', [it]: it === 'annotations' ? {} : true })),
				'ask',
				false,
			],
			['everything, wherever the denial stands', [{ decision: 'allow' }, { decision: 'deny' }], 'ask', true],
			[
				'everything, where a rule before is about a tool',
				[{ decision: 'allow', tools: ['water'] }, { decision: 'deny' }],
				'ask',
				true,
			],
			[
				'nothing, where a rule allows it and the rest is denied',
				[{ decision: 'ask', servers: ['garden'] }],
				'deny',
				false,
			],
		];
	for (const [what, rules, otherwise, expected] of rows) {
		it(what, () => assert.equal(deniesServer({ rules, otherwise }, 'garden'), expected));
	}
});

describe('what keeps all tools of a server from models', () => {
	const rows: readonly (readonly [what: string, rules: PolicyRule[], otherwise: 'ask' | 'deny', expected: boolean])[] =
		[
			['nothing, without rules', [], 'ask', false],
			['what denies all that is not named', [], 'deny', true],
			[
				'what denies all that is not named, beside rules that deny some',
				[{ decision: 'deny', tools: ['water'] }],
				'deny',
				true,
			],
			['not a rule that allows all', [{ decision: 'allow' }], 'ask', false],
			['not that, where a rule frees one of them', [{ decision: 'allow', tools: ['water'] }], 'deny', false],
			[
				'not that, where a rule asks about some',
				[{ decision: 'ask', annotations: { readOnlyHint: true } }],
				'deny',
				false,
			],
			['that, where a rule frees another server', [{ decision: 'allow', servers: ['shed'] }], 'deny', true],
			[
				'a rule, whatever frees one of them',
				[{ decision: 'allow', tools: ['water'] }, { decision: 'deny' }],
				'deny',
				true,
			],
			['not a rule about some', [{ decision: 'deny', tools: ['water'] }], 'ask', false],
		];
	for (const [what, rules, otherwise, expected] of rows) {
		it(what, () => assert.equal(deniesTools({ rules, otherwise }, 'garden'), expected));
	}
});
