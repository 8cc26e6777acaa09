// Which data of calls, questions and answers an entry has, and which it must not have.
import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/mcp/index.js';
import type { ApprovalReason, Caller } from '../../../../src/core/approvals/approval.js';
import { type EndedInteraction } from '../../../../src/core/calls/interactions.js';
import {
	type CallEntry,
	callerOfRepeat,
	historyEntryOf,
	type HistoryEntry,
	searchedText,
	outcomeOf,
	formatEntry,
	parseEntry,
	comparableResult,
	sdkCall,
	subjectOf,
} from '../../../../src/core/history/historyEntry.js';
import { Redactor } from '../../../../src/core/text/redactor.js';
import { EntryFilter } from '../../../../src/core/search/matcher.js';
import { accepted, answered, asked, callOf, entry, failed, form } from '../../../support/historyEntries.js';

const sampling = {
	...asked,
	kind: 'sampling',
	params: {
		messages: [
			{ role: 'user', content: { type: 'text', text: 'first' } },
			{
				role: 'user',
				content: [
					{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
					{ type: 'text', text: 'last' },
				],
			},
		],
		maxTokens: 5,
	},
	model: 'gpt',
	decision: { isAllowed: true, by: 'person', isEdited: false },
} as const;

/** As the view of the history filters. */
function matches(entry: HistoryEntry, filter: string): boolean {
	return new EntryFilter(filter).matches({ names: [], description: searchedText(entry, 'shop (a)') });
}

describe('an entry of the history', () => {
	it('of a prompt has no secrets', () => {
		const args = { api_key: 'hunter2', note: 'ghp_0123456789abcdef', city: 'Lima' };
		const kept = entry({ ...asked, kind: 'prompt', params: { name: 'weather', arguments: args } });
		assert.ok(kept.kind === 'prompt' && kept.isCut.arguments);
		assert.deepEqual(kept.arguments, { api_key: '<redacted>', note: '<redacted>', city: 'Lima' });
	});

	it('holds the caller, the call, the decision and the outcome', () => {
		const call = callOf({ args: { a: 1 }, end: answered({ content: [{ type: 'text', text: 'two' }] }) });
		assert.deepEqual(entry(call), {
			kind: 'call',
			id: '1',
			time: 1000,
			durationMs: 12,
			caller: { kind: 'extension', id: 'them' },
			serverId: 'id of srv',
			server: 'srv',
			tool: 'add',
			arguments: { a: 1 },
			decision: { isAllowed: true, reason: { kind: 'byDefault' }, answer: 'allow' },
			end: { kind: 'answered', result: { content: [{ type: 'text', text: 'two' }] }, isError: false },
			isCut: { arguments: false, result: false },
		});
	});

	it('holds the result as received, with members that the protocol lacks, and adds none', () => {
		const end = { ...answered({ content: [], isError: false }), text: '{"id":1,"result":{"foo":1,"content":[]}}' };
		const made = entry(callOf({ end }));
		assert.deepEqual(made.end, { kind: 'answered', result: { foo: 1, content: [] }, isError: false });
	});

	it('holds the source of a result whose numbers parsing changes, without secrets', () => {
		const text = '{"id":1,"result":{"content":[],"n":1.0,"key":"sesame"}}';
		const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('sesame', '•••')) as T;
		const call = callOf({ end: { ...answered({ content: [], isError: false }), text } });
		const made = historyEntryOf(call, '1', redact, String) as CallEntry;
		assert.equal(made.end.kind === 'answered' && made.end.source, '{"content":[],"n":1.0,"key":"•••"}');
		assert.equal(comparableResult(made), '{\n  "content": [],\n  "n": 1.0,\n  "key": "•••"\n}\n');
	});

	it('holds no secret that the schema names, however large the arguments are', () => {
		const name = 'x'.repeat(600);
		const inputSchema = { properties: { [name]: { anyOf: [{ format: 'password' }, { type: 'null' }] } } };
		const args = { [name]: 'hunter22', rest: 'y'.repeat(200_000) };
		const made = entry({ ...callOf({ args, end: answered({ content: [] }) }), inputSchema });
		assert.doesNotMatch(JSON.stringify(made), /hunter22/);
		assert.equal(made.isCut.arguments, true);
	});

	it('counts as repeated by the person only if they made or allowed the call', () => {
		const repeated = (caller: Caller, isAllowed: boolean, answer?: 'allow' | 'deny'): string =>
			callerOfRepeat({ caller, decision: { isAllowed, answer } }).kind;
		assert.deepEqual(
			[
				repeated({ kind: 'person' }, true),
				repeated({ kind: 'person' }, true, 'allow'),
				repeated({ kind: 'person' }, false, 'deny'),
				repeated({ kind: 'person' }, false),
				repeated({ kind: 'history' }, true, 'allow'),
				repeated({ kind: 'history' }, true),
			],
			['person', 'person', 'history', 'history', 'person', 'history'],
		);
		const others: readonly Caller[] = [{ kind: 'command' }, { kind: 'extension', id: 'a.b' }, { kind: 'model' }];
		assert.deepEqual(
			others.map(it => [repeated(it, true, 'allow'), repeated(it, true), repeated(it, false)].join()),
			Array(3).fill('history,history,history'),
		);
	});

	it('tells the ends apart', () => {
		const ends = [
			answered({ content: [], isError: true }),
			{ kind: 'failed', error: new Error('gone') },
			{ kind: 'denied' },
			{ kind: 'cancelled' },
		] as const;
		assert.deepEqual(
			ends.map(end => entry(callOf({ end })).end),
			[
				{ kind: 'answered', result: { content: [], isError: true }, isError: true },
				{ kind: 'failed', message: 'worded: gone' },
				{ kind: 'denied' },
				{ kind: 'cancelled' },
			],
		);
	});

	it('contains no secret, and says that its arguments differ from the sent ones', () => {
		const redactor = new Redactor();
		redactor.hide(['hunter22']);
		const call = callOf({
			args: { deep: [{ token: 'x hunter22 y' }] },
			end: answered({ content: [{ type: 'text', text: 'hunter22' }] }),
		});
		const made = historyEntryOf(
			call,
			'1',
			it => redactor.data(it),
			() => '',
		);
		assert.ok(!JSON.stringify(made).includes('hunter22'));
		assert.deepEqual(made.isCut, { arguments: true, result: false });
	});

	it('contains no part of a secret, even if a text is cut within a secret', () => {
		const redactor = new Redactor();
		redactor.hide(['hunter22-and-so-on']);
		const text = `${'x'.repeat(490)}hunter22-and-so-on${'y'.repeat(200_000)}`;
		const call = callOf({ args: { text }, end: answered({ content: [{ type: 'text', text }] }) });
		const made = historyEntryOf(
			call,
			'1',
			it => redactor.data(it),
			() => '',
		);
		assert.deepEqual(made.isCut, { arguments: true, result: true });
		assert.ok(!JSON.stringify(made).includes('hunter'));
	});

	it('contains no password that its schema marks, nor one of an earlier answer', () => {
		const secret = { type: 'string', format: 'password' };
		const schema = { properties: { word: secret, deep: { properties: { pin: { writeOnly: true } } } } };
		const args = { word: 'sesame', key: 'kale', deep: { pin: 7351 }, list: [`ghp_${'x'.repeat(36)}`] };
		const reason: ApprovalReason = {
			kind: 'grant',
			grant: { id: 'g', decision: 'allow', serverId: 's', argumentsKey: 'sesame', lasts: 'workspace', time: 1 },
		};
		const made = entry(callOf({ args, schema, reason }));
		assert.deepEqual(made.arguments, {
			word: '<redacted>',
			key: 'kale',
			deep: { pin: '<redacted>' },
			list: ['<redacted>'],
		});
		assert.equal(made.isCut.arguments, true);
		assert.doesNotMatch(JSON.stringify(made), /sesame|7351|ghp_/);
	});

	const huge: Readonly<Record<string, JsonObject>> = {
		'a million entries': { content: Array.from({ length: 1_000_000 }, () => ({ type: 'text', text: '' })) },
		'a hundred thousand keys': Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index])),
		'keys of a million characters': { ['k'.repeat(1_000_000)]: 1 },
	};
	for (const [name, value] of Object.entries(huge)) {
		it(`stays small: ${name}`, () => {
			const made = entry(callOf({ args: value, end: answered(value) }));
			assert.deepEqual(made.isCut, { arguments: true, result: true });
			assert.ok(JSON.stringify(made).length < 200_000);
			assert.deepEqual(parseEntry(formatEntry(made)), made);
		});
	}

	it('is read back from its line, and other lines are ignored', () => {
		const made = entry(callOf({}));
		assert.deepEqual(parseEntry(formatEntry(made)), made);
		const wrong = [
			'',
			'{',
			'null',
			'[]',
			'{}',
			JSON.stringify(made),
			JSON.stringify({ ...made, version: 2 }),
			formatEntry(made).slice(0, -3),
		];
		assert.deepEqual(
			wrong.map(it => parseEntry(it)),
			wrong.map(() => undefined),
		);
	});

	it('is found by words of its server, tool, arguments, result and outcome', () => {
		const made = entry(
			callOf({ args: { city: 'Köln' }, end: answered({ content: [{ type: 'text', text: 'Rain' }] }) }),
		);
		for (const filter of ['', 'srv', 'ADD', 'köln', 'rain', 'add rain', ' answered ']) {
			assert.equal(matches(made, filter), true, filter);
		}
		for (const filter of ['snow', 'add snow', 'srvadd']) {
			assert.equal(matches(made, filter), false, filter);
		}
	});

	it('can be copied as an SDK call', () => {
		const text = sdkCall(entry(callOf({ args: { text: 'a "quoted" `one` ${two}' } })));
		const [, params = ''] = /^const result = await client\.callTool\(([^]*)\);\n$/.exec(text) ?? [];
		assert.deepEqual(JSON.parse(params), { name: 'add', arguments: { text: 'a "quoted" `one` ${two}' } });
	});

	it('is compared by its result, or by how it ended', () => {
		assert.equal(comparableResult(entry(callOf({ end: answered({ content: [] }) }))), '{\n  "content": []\n}\n');
		assert.match(comparableResult(entry(callOf({ end: { kind: 'denied' } }))), /denied/);
	});
});

describe('an entry of the history for another exchange', () => {
	const kept = {
		id: '1',
		time: 1000,
		durationMs: 12,
		serverId: 'id of srv',
		server: 'srv',
		end: { kind: 'cancelled' },
		isCut: { arguments: false, result: false },
	} as const;
	const { caller } = asked;
	const table: readonly (readonly [what: string, ended: EndedInteraction, made: HistoryEntry])[] = [
		[
			'a resource that was read',
			{ ...asked, kind: 'resource', uri: 'a:b', end: answered([{ uri: 'a:b', text: 'x' }]) },
			{
				...kept,
				kind: 'resource',
				caller,
				uri: 'a:b',
				end: { kind: 'answered', result: { contents: [{ uri: 'a:b', text: 'x' }] }, isError: false },
			},
		],
		[
			'a resource that was not to be had',
			{ ...asked, kind: 'resource', uri: 'a:c', end: failed },
			{ ...kept, kind: 'resource', caller, uri: 'a:c', end: { kind: 'failed', message: 'worded: gone' } },
		],
		[
			'an answer to a form, without its passwords',
			{ ...form, end: accepted },
			{
				...kept,
				kind: 'elicitation',
				request: { message: form.params.message, requestedSchema: form.params.requestedSchema },
				end: {
					kind: 'answered',
					result: { action: 'accept', content: { name: 'Ada', word: '<redacted>', apiKey: '<redacted>' } },
					isError: false,
				},
			},
		],
		[
			'a page that was declined',
			{ ...form, params: { mode: 'url', message: 'Go', url: 'https://a' }, end: answered({ action: 'decline' }) },
			{
				...kept,
				kind: 'elicitation',
				request: { mode: 'url', message: 'Go', url: 'https://a' },
				end: { kind: 'answered', result: { action: 'decline' }, isError: false },
			},
		],
		[
			'an answer of a model',
			{ ...sampling, end: answered({ role: 'assistant', model: 'gpt' }) },
			{
				...kept,
				kind: 'sampling',
				request: sampling.params,
				model: 'gpt',
				decision: sampling.decision,
				end: { kind: 'answered', result: { role: 'assistant', model: 'gpt' }, isError: false },
			},
		],
		[
			'a model that was not asked',
			{
				...sampling,
				model: undefined,
				decision: { isAllowed: false, by: 'limit', isEdited: false },
				end: { kind: 'denied' },
			},
			{
				...kept,
				kind: 'sampling',
				request: sampling.params,
				decision: { isAllowed: false, by: 'limit', isEdited: false },
				end: { kind: 'denied' },
			},
		],
	];
	for (const [what, ended, made] of table) {
		it(`holds ${what}, and is read back from its line`, () => {
			assert.deepEqual(entry(ended), made);
			assert.deepEqual(parseEntry(formatEntry(made)), made);
		});
	}

	it('has a subject and an outcome', () => {
		assert.deepEqual(
			table.map(([, , made]) => [subjectOf(made), outcomeOf(made)]),
			[
				['a:b', 'done'],
				['a:c', 'failed'],
				['Who waters?', 'done'],
				['Go', 'stopped'],
				['last', 'done'],
				['last', 'stopped'],
			],
		);
		for (const params of [{}, { message: 5, messages: 5 }, { messages: [5] }, { messages: [{ content: 5 }] }]) {
			assert.equal(subjectOf(entry({ ...form, params })), '');
			assert.equal(subjectOf(entry({ ...sampling, params })), '');
		}
	});

	it('is found by its kind, server, text and caller', () => {
		const found = (filter: string): string[] =>
			table.filter(([, , made]) => matches(made, filter)).map(([what]) => what);
		assert.equal(found('srv').length, table.length);
		assert.equal(found('elicitation').length, 2);
		assert.deepEqual(found('ada elicitation'), ['an answer to a form, without its passwords']);
		assert.deepEqual(found('https://a'), ['a page that was declined']);
		assert.deepEqual(found('gpt'), ['an answer of a model']);
		assert.deepEqual(found('model a:c'), ['a resource that was not to be had']);
		assert.deepEqual(found('sesame'), []);
	});

	it('contains no known secret of a server or person', () => {
		const redactor = new Redactor();
		redactor.hide(['hunter22']);
		const ended: EndedInteraction[] = [
			{ ...asked, kind: 'resource', uri: 'a:hunter22', end: answered([{ uri: 'a:b', text: 'hunter22' }]) },
			{ ...form, params: { message: 'hunter22' }, end: answered({ action: 'accept', content: { a: 'hunter22' } }) },
			{ ...sampling, params: { messages: 'hunter22' }, end: answered({ content: 'hunter22' }) },
		];
		for (const it of ended) {
			const made = historyEntryOf(
				it,
				'1',
				value => redactor.data(value),
				() => '',
			);
			assert.ok(!JSON.stringify(made).includes('hunter22'), it.kind);
		}
	});
});
