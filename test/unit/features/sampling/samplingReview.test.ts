/** The review of a sampling request: the order of its sheets, and the effect of edits and answers. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../../src/base/async.js';
import type { EndedInteraction } from '../../../../src/core/calls/interactions.js';
import { Questions } from '../../../../src/core/requests/questions.js';
import { isSampling, type Sampling, Samplings } from '../../../../src/core/requests/samplings.js';
import type { EditedText } from '../../../../src/editor/documents/textEditing.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { Permissions } from '../../../../src/editor/permissions.js';
import { registerSampling } from '../../../../src/features/sampling/register.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { askerOf, definition } from '../../../support/modelFixture.js';
import { screen } from '../../../support/quickPickDouble.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('the review of a sampling request', () => {
	const { own } = leakCheck();
	const { selectChatModels } = vscode.lm;
	const { showErrorMessage } = vscode.window;
	let questions: Questions;
	let samplings: Samplings;
	let answerer: ReturnType<typeof registerSampling>;
	let records: EndedInteraction[];
	let errors: string[];
	/** Titles and lines of the sheets that were shown. */
	let seen: { readonly title: string; readonly lines: readonly string[] }[];
	/** The lines to choose on the sheets, in order. `undefined` chooses none, and `Escape` closes the sheet. */
	let plays: (string | undefined)[];
	/** The person's edits of the opened texts, in order. `undefined` closes the tab without handing the text back. */
	let edits: ((text: string) => string | undefined)[];
	let redact: <T>(value: T) => T;

	beforeEach(() => {
		stopTime();
		[records, errors, seen, plays, edits] = [[], [], [], [], []];
		redact = value => value;
		const model = {
			id: 'm',
			vendor: 'v',
			family: 'm',
			name: 'Model',
			sendRequest: async () => ({
				stream: (async function* () {
					yield new vscode.LanguageModelTextPart('Green.');
				})(),
			}),
			countTokens: async () => 1,
		};
		Object.assign(vscode.lm, { selectChatModels: async () => [model] });
		Object.assign(vscode.window, { showErrorMessage: async (it: string) => void errors.push(it) });
		screen.onShow = pick => {
			seen.push({ title: pick.title, lines: pick.lines.map(it => it.replace(/ \| $/, '')) });
			const play = plays.length > 0 ? plays.shift() : 'Escape';
			if (play === 'Escape') {
				pick.hide();
			} else if (play !== undefined) {
				assert.ok(
					pick.items.some(it => it.label === play),
					`${play} is not in:\n${pick.lines.join('\n')}`,
				);
				pick.accept(play);
			}
		};
		questions = own(new Questions());
		samplings = new Samplings(questions);
		const state = {
			list: () => ({ entries: [], keep: async () => undefined }),
			onDidClear: () => ({ dispose: () => undefined }),
			get: () => undefined,
		};
		answerer = own(
			registerSampling({
				registry: { labelOf: () => 'one', redact: <T>(value: T): T => redact(value) },
				documents: { show: async () => vscode.Uri.parse('x:/y') },
				questions,
				pending: { reviewed: undefined },
				samplings,
				interactions: { report: (it: EndedInteraction) => records.push(it) },
				editing: { begin: (_: string, text: string) => editedText(text) },
				permissions: new Permissions(),
				state,
			} as unknown as Parameters<typeof registerSampling>[0]),
		);
	});
	afterEach(() => {
		closeHeldInput();
		releaseTime();
		screen.onShow = () => undefined;
		Object.assign(vscode.lm, { selectChatModels });
		Object.assign(vscode.window, { showErrorMessage });
	});

	/** A tab that is closed at once. */
	function editedText(text: string): EditedText {
		const edit = edits.shift() ?? assert.fail('no edit is expected');
		const written = Promise.resolve(edit(text));
		return { written, show: async () => undefined, close: () => undefined };
	}

	const message = (text: string): object => ({ role: 'user', content: { type: 'text', text } });

	/** Sends a request of a server. Gives the waiting request, and the answer that the server gets. */
	async function start(rest: object = {}): Promise<{ readonly sampling: Sampling; readonly told: Promise<unknown> }> {
		const handler = samplings.handlersFor(askerOf(definition('one')), () => 1);
		const told = Promise.resolve(
			handler.handle(
				{ messages: [message('What colour is grass?')], maxTokens: 9, ...rest },
				new AbortController().signal,
			),
		).catch((error: unknown) => String(error));
		await settled();
		const sampling = questions.waiting.find(isSampling);
		assert.ok(sampling);
		return { sampling, told };
	}

	/** Opens the sheet of a request and chooses these lines. */
	async function review(sampling: Sampling, ...choices: readonly (string | undefined)[]): Promise<void> {
		[seen, plays] = [[], [...choices]];
		await answerer.ask(sampling, new AbortController().signal);
		await settled();
		assert.deepEqual(plays, [], 'not every line was chosen');
	}

	const running = undefined;

	it('shows the sheet of a request that has just come when the models are listed, not before', async () => {
		const models = await vscode.lm.selectChatModels();
		const listed = deferred<vscode.LanguageModelChat[]>();
		Object.assign(vscode.lm, { selectChatModels: () => listed.promise });
		const { sampling, told } = await start();
		plays = ['Allow Once', running, 'Send to Server'];
		const reviewed = answerer.ask(sampling, new AbortController().signal);
		await settled();
		assert.equal(seen.length, 0);
		listed.resolve(models);
		await reviewed;
		await told;
		assert.ok(
			seen[0]?.lines.some(it => it.startsWith('Model | Model')),
			seen[0]?.lines.join('\n'),
		);
	});

	it('gives up the wait for the models when the request is withdrawn', async () => {
		Object.assign(vscode.lm, { selectChatModels: () => new Promise(() => undefined) });
		const { sampling } = await start();
		const closing = new AbortController();
		const reviewed = answerer.ask(sampling, closing.signal);
		closing.abort();
		await reviewed;
		assert.equal(seen.length, 0);
		passTime(5000);
	});

	it('records who has decided: the person, or a grant that was there before', async () => {
		const first = await start();
		await review(first.sampling, 'Allow for This Session', running);
		await first.told;
		const second = await (async () => {
			const handler = samplings.handlersFor(askerOf(definition('one')), () => 2);
			return handler.handle({ messages: [message('And now?')], maxTokens: 9 }, new AbortController().signal);
		})();
		assert.equal(second['model'], 'm');
		assert.deepEqual(
			records.map(it => it.kind === 'sampling' && it.decision.by),
			['person', 'grant'],
		);
	});

	const linesOf = (title: RegExp): readonly string[] => seen.findLast(it => title.test(it.title))?.lines ?? [];
	const requestSheet = /wants to ask a model$/;
	const answerSheet = /^Answer for/;

	it('keeps the answer when the person goes back to the request', async () => {
		const { sampling, told } = await start();
		await review(sampling, 'Allow Once', running, 'Return to Request', 'Escape');
		assert.ok(linesOf(requestSheet).includes('Return to Answer'));
		edits = [() => undefined];
		await review(sampling, 'Answer by Hand…');
		await review(sampling, 'Return to Answer', 'Return to Request', 'Return to Answer', 'Send to Server');
		assert.match(JSON.stringify(await told), /Green/);
	});

	it('does not offer to send an invalid answer', async () => {
		const { sampling } = await start({
			tools: [{ name: 't', inputSchema: { type: 'object' } }],
			toolChoice: { mode: 'required' },
		});
		await review(sampling, 'Allow Once', running, 'Escape');
		assert.equal(linesOf(answerSheet)[0], "Can't be sent | The server requires a tool call.");
		assert.ok(!linesOf(answerSheet).includes('Send to Server'));
	});

	it('does not offer to ask a model that does not support the request', async () => {
		const audio = { type: 'audio', mimeType: 'audio/wav', data: 'AA==' };
		const { sampling } = await start({ messages: [{ role: 'user', content: audio }] });
		await review(sampling, 'Escape');
		assert.ok(linesOf(requestSheet).some(it => it.startsWith('Note | The request contains audio')));
		assert.ok(!linesOf(requestSheet).some(it => /^(Allow|Always)/.test(it)));
	});

	it('cuts a long text at the end of its last line', async () => {
		const { sampling } = await start({ systemPrompt: 'word '.repeat(100) });
		await review(sampling, 'Escape');
		const lines = linesOf(requestSheet);
		const at = lines.findIndex(it => it.startsWith('System prompt | '));
		assert.match(lines[at + 1] ?? '', /^… \| .*word…$/);
		assert.match(lines[at + 2] ?? '', /^Model/);
	});

	it('sends the answer as the person has edited it', async () => {
		const { sampling, told } = await start();
		edits = [text => `${text} Mostly.`];
		await review(sampling, 'Allow Once', running, 'Edit Answer…');
		await review(sampling, 'Send to Server');
		assert.equal(linesOf(answerSheet)[0], 'Answer (edited) | Green. Mostly.');
		assert.match(JSON.stringify(await told), /Green. Mostly/);
		assert.ok(records[0]?.kind === 'sampling' && records[0].decision.isEdited);
	});

	it('says what is wrong with an answer by hand, and offers to edit it', async () => {
		const { sampling, told } = await start({ tools: [{ name: 't', inputSchema: { type: 'object' } }] });
		edits = [() => '{ "role":'];
		await review(sampling, 'Answer by Hand…');
		edits = [() => JSON.stringify({ role: 'assistant', model: 'me', content: { type: 'text', text: 'Green.' } })];
		await review(sampling, 'Edit Answer…');
		assert.match(linesOf(requestSheet)[0] ?? '', /^Can't be sent \| The answer must be a JSON object/);
		await review(sampling, 'Send to Server');
		assert.match(JSON.stringify(await told), /Green/);
	});

	it('discards the edits of the request', async () => {
		const { sampling } = await start();
		edits = [() => '{ "messages": [] }', () => JSON.stringify({ messages: [message('Why?')], maxTokens: 9 })];
		await review(sampling, 'Edit Request…');
		await review(sampling, 'Edit Request…');
		assert.match(linesOf(requestSheet)[0] ?? '', /^Can't be sent \| The edited request can't be sent: /);
		assert.ok(!linesOf(requestSheet).some(it => it.startsWith('Allow')));
		await review(sampling, 'Discard Edits', 'Escape');
		assert.equal(linesOf(requestSheet)[0], 'Message | "What colour is grass?"');
		assert.ok(linesOf(requestSheet).some(it => it.startsWith('Allow Once')));
		assert.ok(!linesOf(requestSheet).includes('Discard Edits'));
	});

	it('asks the person if the model could not be started', async () => {
		const { sampling } = await start();
		redact = () => {
			throw new Error('broken');
		};
		await review(sampling, 'Allow for This Session', 'Escape');
		assert.deepEqual([errors, sampling.stage], [['broken'], 'asked']);
		const other = samplings.handlersFor(askerOf(definition('one')), () => 2);
		void Promise.resolve(
			other.handle({ messages: [message('And now?')], maxTokens: 9 }, new AbortController().signal),
		).catch(() => undefined);
		await settled();
		assert.deepEqual(
			questions.waiting.map(it => it.stage),
			['asked', 'asked'],
		);
	});
});
