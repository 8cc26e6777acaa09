/** Entries of the history, and what they are made of. */

import type { JsonObject, ToolResult } from '../../src/mcp/index.js';
import type { ApprovalReason } from '../../src/core/approvals/approval.js';
import type { EndedCall } from '../../src/core/calls/calls.js';
import { type CallEntry, type Ended, historyEntryOf, type HistoryEntry } from '../../src/core/history/historyEntry.js';
import { TestLogger } from './testLogger.js';

export const asked = {
	server: callOf({}).server,
	time: 1000,
	durationMs: 12,
	caller: { kind: 'model' },
	end: { kind: 'cancelled' },
} as const;

export const failed = { kind: 'failed', error: new Error('gone') } as const;

export const form = {
	...asked,
	kind: 'elicitation',
	params: {
		_meta: { progressToken: 1 },
		message: 'Who waters?',
		requestedSchema: {
			type: 'object',
			properties: { name: { type: 'string' }, word: { type: 'string', format: 'password' } },
		},
	},
} as const;

export const accepted = answered({ action: 'accept', content: { name: 'Ada', word: 'sesame', apiKey: 'x' } });

export interface Options {
	readonly tool?: string;
	readonly title?: string;
	readonly args?: JsonObject;
	readonly end?: EndedCall['end'];
	readonly log?: TestLogger;
	readonly schema?: JsonObject;
	readonly reason?: ApprovalReason;
}

export function callOf({
	tool = 'add',
	title = tool,
	args = {},
	end = { kind: 'cancelled' },
	log = new TestLogger(),
	schema = {},
	reason = { kind: 'byDefault' },
}: Options): Extract<Ended, { kind: 'call' }> {
	const server = {
		definition: { id: 'id of srv', name: 'srv' },
		log: { warn: (text: string) => log.warn(text) },
	};
	return {
		kind: 'call',
		time: 1000,
		durationMs: 12,
		caller: { kind: 'extension', id: 'them' },
		server: server as unknown as EndedCall['server'],
		tool,
		title,
		arguments: args,
		inputSchema: schema,
		approval: {
			isAllowed: true,
			arguments: args,
			decision: { kind: 'ask', reason },
			answer: { kind: 'allow', arguments: args, lasts: 'once', about: 'tool' },
		},
		end,
	};
}

export function answered(result: object): Extract<EndedCall['end'], { kind: 'answered' }> {
	return { kind: 'answered', result: result as ToolResult, warnings: [] };
}

export function entry(call: Extract<Ended, { kind: 'call' }>): CallEntry;

export function entry(ended: Ended): HistoryEntry;

export function entry(ended: Ended): HistoryEntry {
	return historyEntryOf(
		ended,
		'1',
		it => it,
		error => `worded: ${(error as Error).message}`,
	);
}
