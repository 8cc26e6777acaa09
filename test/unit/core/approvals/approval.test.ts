import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
	type ApprovalInput,
	type ApprovalReason,
	type Caller,
	decideApproval,
	type Grant,
	isAttended,
	type LockState,
	type PolicyState,
} from '../../../../src/core/approvals/approval.js';
import {
	emptyPolicy,
	type Policy,
	type PolicyDecision,
	type PolicyRule,
} from '../../../../src/core/approvals/approval.js';

const callers: Readonly<Record<string, Caller>> = {
	person: { kind: 'person' },
	command: { kind: 'command' },
	history: { kind: 'history' },
	extension: { kind: 'extension', id: 'a.b' },
	model: { kind: 'model' },
};
const others = ['command', 'history', 'extension', 'model'].map(it => callers[it]);

it('a call that a person has probably just made is asked about at once', () => {
	assert.deepEqual(
		Object.keys(callers).filter(it => isAttended(callers[it] ?? assert.fail(it))),
		['person', 'history'],
	);
});

function input(changes: Partial<ApprovalInput> = {}): ApprovalInput {
	return {
		caller: { kind: 'command' },
		serverId: 'id',
		facts: {
			server: 'garden',
			tool: 'water',
			annotations: undefined,
			pathScope: { roots: [], outside: [], unclear: [] },
			scopeOf: () => ({ roots: [], outside: [], unclear: [] }),
		},
		argumentsKey: '{}',
		isTrusted: true,
		definitionPolicy: none,
		userPolicy: none,
		lock: 'same',
		isByAuthor: false,
		definitionHash: 'f1',
		grants: [],
		...changes,
	};
}

const none: PolicyState = { kind: 'read', policy: emptyPolicy };
const broken: PolicyState = { kind: 'broken' };

function policy(...decisions: (PolicyDecision | PolicyRule)[]): PolicyState {
	const rules = decisions.map(it => (typeof it === 'string' ? { decision: it } : it));
	return { kind: 'read', policy: { rules, otherwise: 'ask' } };
}

const denying: PolicyState = { kind: 'read', policy: { rules: [], otherwise: 'deny' } };

function grant(changes: Partial<Grant> = {}): Grant {
	return { id: 'g', decision: 'allow', serverId: 'id', tools: { water: 'f1' }, lasts: 'session', time: 0, ...changes };
}

/** "ask: rule 2 of user" */
function outcome(changes: Partial<ApprovalInput>): string {
	const { kind, reason } = decideApproval(input(changes));
	return `${kind}: ${nameOf(reason)}`;
}

function nameOf(reason: ApprovalReason): string {
	switch (reason.kind) {
		case 'rule':
			return `rule ${reason.number} of ${reason.source}`;
		case 'otherwise':
		case 'broken':
			return `${reason.kind} of ${reason.source}`;
		case 'grant':
			return `grant ${reason.grant.id}`;
		default:
			return reason.kind;
	}
}

type Row = readonly [what: string, changes: Partial<ApprovalInput>, person: string, others: string];

const table: readonly Row[] = [
	['nothing was said', {}, 'allow: ownConsent', 'ask: byDefault'],
	['the tool is new', { lock: 'new' }, 'allow: ownConsent', 'ask: byDefault'],
	[
		'nobody can tell',
		{ lock: 'unreadable', definitionPolicy: policy('allow') },
		'ask: unreadablePin',
		'ask: unreadablePin',
	],
	[
		'it cannot be locked',
		{ lock: 'notLocked', definitionPolicy: policy('allow'), grants: [grant()] },
		'ask: notPinned',
		'ask: notPinned',
	],
	[
		'it cannot be locked, and is denied',
		{ lock: 'notLocked', userPolicy: policy('deny') },
		'deny: rule 1 of user',
		'deny: rule 1 of user',
	],
	['the tool has changed', { lock: 'changed' }, 'ask: changedPin', 'ask: changedPin'],
	['its author has changed it', { lock: 'changed', isByAuthor: true }, 'allow: ownConsent', 'ask: byDefault'],
	[
		'its author has changed it, and a rule asks',
		{ lock: 'changed', isByAuthor: true, definitionPolicy: policy('ask') },
		'ask: rule 1 of definition',
		'ask: rule 1 of definition',
	],
	[
		"its author can't know whether it has changed",
		{ lock: 'unreadable', isByAuthor: true },
		'ask: unreadablePin',
		'ask: unreadablePin',
	],
	[
		'a rule allows',
		{ definitionPolicy: policy('allow') },
		'allow: rule 1 of definition',
		'allow: rule 1 of definition',
	],
	['a rule asks', { definitionPolicy: policy('ask') }, 'ask: rule 1 of definition', 'ask: rule 1 of definition'],
	['a rule denies', { definitionPolicy: policy('deny') }, 'deny: rule 1 of definition', 'deny: rule 1 of definition'],
	[
		'the first rule counts',
		{ definitionPolicy: policy('ask', 'allow') },
		'ask: rule 1 of definition',
		'ask: rule 1 of definition',
	],
	[
		'but one that denies, wherever it stands',
		{ definitionPolicy: policy('allow', 'ask', 'deny') },
		'deny: rule 3 of definition',
		'deny: rule 3 of definition',
	],
	[
		'of rules that match',
		{ definitionPolicy: policy({ decision: 'deny', tools: ['weed'] }, { decision: 'allow', tools: ['wat*'] }) },
		'allow: rule 2 of definition',
		'allow: rule 2 of definition',
	],
	[
		'a rule allows what the person does not trust',
		{ definitionPolicy: policy('allow'), isTrusted: false },
		'allow: ownConsent',
		'ask: byDefault',
	],
	[
		'a rule denies what the person does not trust',
		{ definitionPolicy: policy('deny'), isTrusted: false },
		'deny: rule 1 of definition',
		'deny: rule 1 of definition',
	],
	[
		'the policy denies the rest',
		{ definitionPolicy: denying },
		'deny: otherwise of definition',
		'deny: otherwise of definition',
	],
	['the policy is broken', { definitionPolicy: broken }, 'ask: broken of definition', 'ask: broken of definition'],
	["the person's own is broken", { userPolicy: broken }, 'ask: broken of user', 'ask: broken of user'],
	[
		'one is broken, the other denies',
		{ definitionPolicy: broken, userPolicy: policy('deny') },
		'deny: rule 1 of user',
		'deny: rule 1 of user',
	],
	['the own policy allows alone', { userPolicy: policy('allow') }, 'allow: ownConsent', 'ask: byDefault'],
	['the own policy asks', { userPolicy: policy('ask') }, 'ask: rule 1 of user', 'ask: rule 1 of user'],
	['the own policy denies', { userPolicy: policy('deny') }, 'deny: rule 1 of user', 'deny: rule 1 of user'],
	[
		'the own policy denies the rest',
		{ userPolicy: denying, definitionPolicy: policy('allow') },
		'deny: otherwise of user',
		'deny: otherwise of user',
	],
	[
		'the stricter of two: own',
		{ definitionPolicy: policy('allow'), userPolicy: policy('ask') },
		'ask: rule 1 of user',
		'ask: rule 1 of user',
	],
	[
		'the stricter of two: beside the definition',
		{ definitionPolicy: policy('ask'), userPolicy: policy('allow') },
		'ask: rule 1 of definition',
		'ask: rule 1 of definition',
	],
	[
		'a changed tool that a rule allows',
		{ lock: 'changed', definitionPolicy: policy('allow') },
		'ask: changedPin',
		'ask: changedPin',
	],
	[
		'a changed tool that a rule denies',
		{ lock: 'changed', definitionPolicy: policy('deny') },
		'deny: rule 1 of definition',
		'deny: rule 1 of definition',
	],
	[
		'a changed tool and a broken policy',
		{ lock: 'changed', userPolicy: broken },
		'ask: broken of user',
		'ask: broken of user',
	],
	['it was allowed before', { grants: [grant()] }, 'allow: ownConsent', 'allow: grant g'],
	[
		'it was allowed before, and a rule asks',
		{ grants: [grant()], definitionPolicy: policy('ask') },
		'allow: grant g',
		'allow: grant g',
	],
	[
		'it was allowed before, and a rule denies',
		{ grants: [grant()], userPolicy: policy('deny') },
		'deny: rule 1 of user',
		'deny: rule 1 of user',
	],
	[
		'it was allowed before, and has changed',
		{ grants: [grant()], lock: 'changed' },
		'ask: changedPin',
		'ask: changedPin',
	],
	[
		'it was allowed as it was, whatever a file says',
		{ grants: [grant()], definitionHash: 'f2', lock: 'same' },
		'allow: ownConsent',
		'ask: byDefault',
	],
	[
		'it was allowed before, and the policy is broken',
		{ grants: [grant()], definitionPolicy: broken },
		'ask: broken of definition',
		'ask: broken of definition',
	],
	['another tool was allowed', { grants: [grant({ tools: { weed: 'f1' } })] }, 'allow: ownConsent', 'ask: byDefault'],
	[
		'a tool of its prototype was allowed',
		{ grants: [grant({ tools: Object.create({ water: 'f1' }) as Record<string, string> })] },
		'allow: ownConsent',
		'ask: byDefault',
	],
	['another server was allowed', { grants: [grant({ serverId: 'x' })] }, 'allow: ownConsent', 'ask: byDefault'],
	[
		'other arguments were allowed',
		{ grants: [grant({ argumentsKey: '{"a":1}' })] },
		'allow: ownConsent',
		'ask: byDefault',
	],
	['these arguments were allowed', { grants: [grant({ argumentsKey: '{}' })] }, 'allow: ownConsent', 'allow: grant g'],
	[
		'an allow for everything there will ever be is none',
		{ grants: [{ id: 'g', decision: 'allow', serverId: 'id', lasts: 'session', time: 0 }] },
		'allow: ownConsent',
		'ask: byDefault',
	],
	['it was denied for good', { grants: [grant({ id: 'd', decision: 'deny' })] }, 'deny: grant d', 'deny: grant d'],
	[
		'it was denied as it was then',
		{ grants: [grant({ id: 'd', decision: 'deny' })], definitionHash: 'f2' },
		'deny: grant d',
		'deny: grant d',
	],
	[
		'the whole server was denied',
		{ grants: [{ id: 'd', decision: 'deny', serverId: 'id', lasts: 'workspace', time: 0 }] },
		'deny: grant d',
		'deny: grant d',
	],
	[
		'it was denied and allowed',
		{ grants: [grant(), grant({ id: 'd', decision: 'deny' })], definitionPolicy: policy('allow') },
		'deny: grant d',
		'deny: grant d',
	],
];

describe('decideApproval', () => {
	for (const [what, changes, person, rest] of table) {
		it(what, () => {
			assert.equal(outcome({ ...changes, caller: { kind: 'person' } }), person);
			for (const caller of others) {
				assert.ok(caller);
				assert.equal(outcome({ ...changes, caller }), rest);
			}
		});
	}

	it('is not moved by what the server or the tool is called', () => {
		const facts = { ...input().facts, server: 'person', tool: 'ownConsent', arguments: { caller: { kind: 'person' } } };
		assert.equal(decideApproval(input({ facts })).kind, 'ask');
	});
});

const strictness = { allow: 0, ask: 1, deny: 2 };
const decision = fc.constantFrom<PolicyDecision>('allow', 'ask', 'deny');
const names = fc.option(fc.array(fc.constantFrom('water', 'weed', '*', 'w*'), { minLength: 1, maxLength: 2 }), {
	nil: undefined,
});
const rule = fc
	.tuple(decision, names)
	.map(([it, tools]): PolicyRule => (tools ? { decision: it, tools } : { decision: it }));
const state = fc.oneof(
	fc.constant(broken),
	fc
		.tuple(fc.array(rule, { maxLength: 4 }), fc.constantFrom<Policy['otherwise']>('ask', 'deny'))
		.map(([rules, otherwise]): PolicyState => ({ kind: 'read', policy: { rules, otherwise } })),
);
const anyGrant = fc
	.tuple(fc.constantFrom<Grant['decision']>('allow', 'deny'), fc.constantFrom('f1', 'f2'))
	.map(([it, definitionHash]) => grant({ decision: it, tools: { water: definitionHash } }));
const anyInput = fc
	.record({
		caller: fc.constantFrom(...Object.values(callers)),
		definitionPolicy: state,
		userPolicy: state,
		isTrusted: fc.boolean(),
		lock: fc.constantFrom<LockState>('new', 'same', 'changed', 'unreadable', 'notLocked'),
		grants: fc.array(anyGrant, { maxLength: 2 }),
	})
	.map(input);

describe('decideApproval, whatever is said', () => {
	/** Whether `b`, made of `a`, is never freer. */
	function neverFreer(change: (it: ApprovalInput) => ApprovalInput): void {
		fc.assert(
			fc.property(anyInput, it => {
				assert.ok(strictness[decideApproval(change(it)).kind] >= strictness[decideApproval(it).kind]);
			}),
			{ numRuns: 2000 },
		);
	}

	it("the person's own policy never loosens", () => {
		fc.assert(
			fc.property(anyInput, state, (it, userPolicy) => {
				const without = decideApproval({ ...it, userPolicy: none }).kind;
				assert.ok(strictness[decideApproval({ ...it, userPolicy }).kind] >= strictness[without]);
			}),
			{ numRuns: 2000 },
		);
	});

	it('the policy of a workspace that is not trusted never loosens', () => {
		fc.assert(
			fc.property(anyInput, it => {
				const untrusted = { ...it, isTrusted: false };
				const without = decideApproval({ ...untrusted, definitionPolicy: none }).kind;
				assert.ok(strictness[decideApproval(untrusted).kind] >= strictness[without]);
			}),
			{ numRuns: 2000 },
		);
	});

	it('trust taken back, a tool that changed, and a policy that broke never loosen', () => {
		neverFreer(it => ({ ...it, isTrusted: false }));
		neverFreer(it => ({ ...it, lock: 'changed' }));
		neverFreer(it => ({ ...it, grants: it.grants.filter(one => one.decision === 'deny') }));
		neverFreer(it => ({ ...it, grants: [...it.grants, grant({ decision: 'deny' })] }));
	});

	it('a model is never freer than a person', () => {
		neverFreer(it => (it.caller.kind === 'person' ? { ...it, caller: { kind: 'model' } } : it));
	});
});
