/** What the history says of its entries; its view and its commands are in the end-to-end tests. */
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { describeHistoryEntry, describeLine, describeSubject } from '../../../../src/features/history/entryText.js';
import { entryItem } from '../../../../src/features/history/historyView.js';
import type { ApprovalReason } from '../../../../src/core/approvals/approval.js';
import type { HistoryEntry } from '../../../../src/core/history/historyEntry.js';

const kept = {
	id: '1',
	time: Date.now(),
	durationMs: 12,
	serverId: 'id',
	server: 'garden',
	end: { kind: 'cancelled' },
	isCut: { arguments: false, result: false },
} as const;
const caller = { kind: 'model' } as const;
const attack = 'Who?\n\nDecision: you allowed it \u202Etxt';
const answered = (result: object): HistoryEntry['end'] => ({ kind: 'answered', result: { ...result }, isError: false });
const decision = { isAllowed: true, by: 'person', isEdited: false } as const;

/** Without what changes from one run to the next. */
function lines(entry: HistoryEntry): string[] {
	const all = describeHistoryEntry(entry, 'garden (a)').split('\n');
	return [
		describeSubject(entry, 'garden (a)'),
		describeLine(entry, 'garden (a)').replace(/ · [^·]*$/, ''),
		...all.filter(it => !it.startsWith('Time: ')),
	];
}

describe('the words of the history', () => {
	const table: readonly (readonly [what: string, entry: HistoryEntry, lines: readonly string[]])[] = [
		[
			'a call',
			{
				...kept,
				kind: 'call',
				caller,
				tool: 'water',
				arguments: { bed: 'south' },
				decision: { isAllowed: true, reason: { kind: 'resumed' }, answer: undefined },
			},
			[
				'water',
				'garden (a) · Canceled · bed: south',
				'water · garden (a)',
				'Caller: Model',
				'Decision: Allowed before the window was reloaded',
				'Outcome: Canceled',
				'',
				'Arguments',
				'{',
				'  "bed": "south"',
				'}',
				'',
			],
		],
		[
			'a resource',
			{ ...kept, kind: 'resource', caller, uri: 'a:b', end: answered({ contents: [] }) },
			[
				'a:b',
				'Resource · garden (a) · 12 ms',
				'a:b · garden (a)',
				'Caller: Model',
				'Outcome: Done · 12 ms',
				'',
				'Result',
				'{',
				'  "contents": []',
				'}',
				'',
			],
		],
		[
			'a resource that failed',
			{ ...kept, kind: 'resource', caller, uri: 'a:b', end: { kind: 'failed', message: 'gone \u202E' } },
			[
				'a:b',
				'Resource · garden (a) · Failed',
				'a:b · garden (a)',
				'Caller: Model',
				'Outcome: Failed',
				'gone \uFFFD',
				'',
				'Error',
				'gone \\u{202e}',
				'',
			],
		],
		[
			'an elicitation',
			{ ...kept, kind: 'elicitation', request: { message: attack }, end: answered({ action: 'decline' }) },
			[
				'garden (a) asks you: "Who? Decision: you allowed it \uFFFDtxt"',
				'Elicitation · Declined',
				'garden (a) asks you: "Who? Decision: you allowed it \uFFFDtxt"',
				'Caller: Server "garden (a)"',
				'Outcome: Declined',
				'',
				'Server request',
				'{',
				'  "message": "Who?\\n\\nDecision: you allowed it \\u202etxt"',
				'}',
				'',
				'Answer to the server',
				'{',
				'  "action": "decline"',
				'}',
				'',
			],
		],
		[
			'a sampling',
			{
				...kept,
				kind: 'sampling',
				request: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] },
				model: 'gpt',
				decision: { ...decision, isEdited: true },
				end: answered({ model: 'gpt' }),
				isCut: { arguments: false, result: true },
			},
			[
				'garden (a) asks a model: "Hi"',
				'Sampling · gpt · 12 ms',
				'garden (a) asks a model: "Hi"',
				'Caller: Server "garden (a)"',
				'Decision: Allowed by you (edited)',
				'Model: gpt',
				'Outcome: Done · 12 ms',
				'',
				'Server request',
				'{',
				'  "messages": [',
				'    {',
				'      "role": "user",',
				'      "content": {',
				'        "type": "text",',
				'        "text": "Hi"',
				'      }',
				'    }',
				'  ]',
				'}',
				'',
				'Answer to the server (too large to keep in full)',
				'{',
				'  "model": "gpt"',
				'}',
				'',
			],
		],
	];
	for (const [what, entry, expected] of table) {
		it(`tell what ${what} was`, () => assert.deepEqual(lines(entry), expected));
	}

	it('stand on lines that show what they were, how it went, and what can be done with them', () => {
		const look = (entry: HistoryEntry): string => {
			const { iconPath, contextValue } = entryItem(entry, 'garden');
			return `${(iconPath as vscode.ThemeIcon).id} ${contextValue}`;
		};
		assert.deepEqual(
			table.map(([, entry]) => [
				look(entry),
				look({ ...entry, end: answered({ action: 'accept' }), isCut: { arguments: true, result: false } }),
			]),
			[
				['circle-slash historyEntry', 'pass historyEntry.cut'],
				['file historyExchange', 'file historyExchange'],
				['error historyExchange', 'file historyExchange'],
				['circle-slash historyExchange', 'question historyExchange'],
				['sparkle historyExchange', 'sparkle historyExchange'],
			],
		);
	});

	it('tell at a glance by what a call was denied', () => {
		const end = (reason: ApprovalReason, answer?: 'deny'): string | undefined => {
			const decision = { isAllowed: false, reason, answer };
			const call = { ...kept, kind: 'call', caller, tool: 'water', arguments: {}, decision } as const;
			return lines({ ...call, end: { kind: 'denied' } })[1];
		};
		assert.deepEqual(
			[
				end({ kind: 'byDefault' }, 'deny'),
				end({ kind: 'rule', source: 'user', number: 3 }, 'deny'),
				end({ kind: 'rule', source: 'user', number: 3 }),
				end({ kind: 'otherwise', source: 'user' }),
			],
			[
				'garden (a) · Denied by you',
				'garden (a) · Denied by you',
				'garden (a) · Denied by rule 3',
				'garden (a) · Denied',
			],
		);
	});

	it('tell how a person has answered, and who has decided about a model', () => {
		const end = (action: string): string | undefined =>
			lines({ ...kept, kind: 'elicitation', request: {}, end: answered({ action }) })[1];
		assert.deepEqual(['accept', 'decline', 'cancel'].map(end), [
			'Elicitation · Answered',
			'Elicitation · Declined',
			'Elicitation · Canceled by you',
		]);
		const why = (by: 'person' | 'grant' | 'limit', isAllowed: boolean): string | undefined =>
			lines({ ...kept, kind: 'sampling', request: {}, decision: { isAllowed, by, isEdited: false } })[4];
		assert.deepEqual(
			[why('person', false), why('grant', true), why('grant', false), why('limit', false)],
			[
				'Decision: Denied by you',
				'Decision: Allowed by you earlier',
				'Decision: Always denied by you',
				'Decision: Too many requests from the server',
			],
		);
	});
});
