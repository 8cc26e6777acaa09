/** What the author of a server is told of its tools, and what is accepted. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter, type Disposable } from '../../../../src/base/lifecycle.js';
import { compareTool, type ToolComparison } from '../../../../src/core/approvals/toolLock.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ComparedTools } from '../../../../src/features/approvals/changedTools.js';
import { ToolUpdates } from '../../../../src/features/approvals/toolUpdates.js';
import type { Tool } from '../../../../src/mcp/index.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTools } from '../../../support/memoryTools.js';
import { answerMessages } from '../../../support/messages.js';
import { definition } from '../../../support/modelFixture.js';
import { settled } from '../../../support/waiting.js';

const tool = (name: string, description = 'As it was.'): Tool => ({ name, description, inputSchema: {} });
const tiny = definition('tiny');

describe('changes of tools, in the message to the author of their server', () => {
	const { own } = leakCheck();
	let kept: MemoryTools;
	let lists: Emitter<ComparedTools>;
	let tools: readonly Tool[];
	let done: string[];
	let answers: (string | undefined)[];
	let updates: ToolUpdates;
	let messages: Disposable;
	let server: Server;

	beforeEach(() => {
		kept = new MemoryTools();
		lists = own(new Emitter<ComparedTools>());
		done = [];
		answers = [];
		messages = answerMessages(answers, it => done.push(it));
		const loaded = (): unknown => ({ kind: 'loaded', items: tools });
		server = {
			definition: tiny,
			client: { session: { instructions: undefined } },
			catalog: {
				get tools() {
					return loaded();
				},
				currentTools: async () => loaded(),
			},
			log: { info: (it: string) => done.push(it) },
		} as unknown as Server;
		const compare = (it: ServerDefinition, one: Tool): Promise<ToolComparison> => kept.compare(it, one, undefined);
		const listChanged = async (it: ServerDefinition, all: readonly Tool[]): Promise<string[]> =>
			all
				.filter(
					one =>
						compareTool(kept.lock, kept.ran, { server: it.name, tool: one, instructions: undefined }).state ===
						'changed',
				)
				.map(one => one.name);
		updates = own(
			new ToolUpdates({
				registry: { label: () => 'tiny' },
				documents: {
					showDiff: async (title: string, before: string, now: string) => {
						done.push(title, before, now);
						return vscode.Uri.file('/x');
					},
				},
				approved: { accept: (...it) => kept.accept(...it), compare, listChanged },
				changed: { onDidCompare: lists.event },
			}),
		);
	});
	afterEach(() => messages.dispose());

	/** The list of the server, as it is found after a start; and what is told then. */
	async function list(next: readonly Tool[], isAuthored = true): Promise<string[]> {
		tools = next;
		const state = (it: Tool): string =>
			compareTool(kept.lock, kept.ran, { server: 'tiny', tool: it, instructions: undefined }).state;
		const changed = new Set(next.filter(it => state(it) === 'changed').map(it => it.name));
		lists.fire({ server, tools, changed, isAuthored });
		await settled();
		return done.splice(0);
	}

	const buttons = '[Show Changes] [Accept All]';
	const asks = 'Until you accept the changes, calls by models and extensions need your approval.';

	it('are changed, new and removed tools in one message, which is shown again only after further changes', async () => {
		await kept.accept(tiny, tool('a'), undefined);
		assert.deepEqual(await list([tool('a'), tool('b'), tool('c')]), []);
		const next = [tool('a', 'New.'), tool('c', 'Never ran.'), tool('d')];
		const message = `The tools of tiny have changed. 2 changed: a, c. 1 new: d. 1 removed: b. ${asks} ${buttons}`;
		assert.deepEqual(await list(next), [message]);
		assert.deepEqual(await list(next), [], 'another event of the same list');
		assert.deepEqual(await list([...next]), [], 'a restart without a change');
		assert.deepEqual(await list([tool('a', 'Newer.'), ...next.slice(1)]), [message], 'the editor replaces it');
		assert.deepEqual(await list([tool('a'), tool('b'), tool('c')]), [], 'as they were');
	});

	it('include changes since the last window, with at most five names of a kind', async () => {
		const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
		for (const name of names) {
			await kept.accept(tiny, tool(name), undefined);
		}
		const changed = names.map(it => tool(it, 'New.'));
		const message = `The tools of tiny have changed. 7 changed: a, b, c, d, e, 2 more. ${asks} ${buttons}`;
		assert.deepEqual(await list(changed), [message]);
		// One that is accepted alone is nothing new.
		await kept.accept(tiny, tool('a', 'New.'), undefined);
		assert.deepEqual(await list(changed), []);
	});

	it('are not shown for a server that others write', async () => {
		await list([tool('a')], false);
		assert.deepEqual(await list([tool('a', 'New.'), tool('b')], false), []);
	});

	it('are shown in one comparison, and accepted together', async () => {
		await kept.accept(tiny, tool('a'), undefined);
		await list([tool('a'), tool('b')]);
		answers.push('Show Changes', 'Accept All');
		const [message, title, before = '', now = '', again, log, accepted] = await list([tool('a', 'New.'), tool('d')]);
		assert.equal(message, `The tools of tiny have changed. 1 changed: a. 1 new: d. 1 removed: b. ${asks} ${buttons}`);
		assert.equal(title, 'Tools (before ↔ now) · tiny');
		const [inBefore, inNow] = [before, now].map(it => it.match(/^\w+$|As it was|New/gm));
		assert.deepEqual(
			[inBefore, inNow],
			[
				['a', 'As it was', 'b', 'As it was'],
				['a', 'New', 'd', 'As it was'],
			],
		);
		assert.equal(again, message);
		assert.equal(log, 'All tools were accepted as they are. Changed: ["a"]');
		assert.equal(accepted, 'Accepted the current tools of tiny.');
		assert.deepEqual(await list([tool('a', 'New.'), tool('d')]), []);
		assert.equal((await kept.compare(tiny, tool('a', 'New.'), undefined)).state, 'same');
	});

	it('are accepted as they are now, not as they were when the message was shown', async () => {
		await kept.accept(tiny, tool('a'), undefined);
		await list([tool('a')]);
		await list([tool('a', 'New.')]);
		tools = [tool('a', 'Newer.')];
		await updates.acceptAll(server);
		assert.equal((await kept.compare(tiny, tool('a', 'Newer.'), undefined)).state, 'same');
	});
});
