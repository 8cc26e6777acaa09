/** Which model counts the tokens of tools, and how often. */
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { ToolTokens } from '../../../../src/editor/languageModels/toolTokens.js';
import type { Server } from '../../../../src/core/servers/server.js';
import type { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import type { Tool } from '../../../../src/mcp/index.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { lm } from '../../../support/vscodeDouble.js';

describe('ToolTokens', () => {
	const cleanup = leakCheck();
	const { selectChatModels } = lm;
	afterEach(() => {
		lm.selectChatModels = selectChatModels;
	});

	const weed: Tool = { name: 'weed', inputSchema: {} };
	const water: Tool = { name: 'water', inputSchema: {} };

	/** @param allowed ids of the models that the person has allowed */
	function open(allowed: Map<string, boolean | undefined>) {
		const changed = cleanup.own(new Emitter<Server | undefined>());
		const access = cleanup.own(new Emitter<void>());
		const list = { kind: 'loaded', items: [weed] as readonly Tool[] };
		const server = { catalog: { tools: list } } as unknown as Server;
		const registry = { servers: [server], onDidChange: changed.event } as unknown as ServerRegistry;
		const counted: string[] = [];
		const model = (id: string) => ({
			id,
			countTokens: async (text: string) => {
				counted.push(`${id}: ${(JSON.parse(text) as Tool).name}`);
				return 1000;
			},
		});
		lm.selectChatModels = async () => [model('unasked'), model('denied'), model('fine')];
		const canSendRequest = ({ id }: { readonly id: string }): boolean | undefined => allowed.get(id);
		const information = { onDidChange: access.event, canSendRequest } as vscode.LanguageModelAccessInformation;
		const tokens = cleanup.own(new ToolTokens(registry, information));
		const didCount = (): Promise<void> =>
			new Promise(resolve => {
				const subscription = tokens.onDidCount(() => {
					subscription.dispose();
					resolve();
				});
			});
		const load = (...items: readonly Tool[]): void => {
			list.items = items;
			changed.fire(server);
		};
		return { tokens, access, counted, didCount, load };
	}

	it('are estimated until the person allows a model, which then counts each definition once', async () => {
		const allowed = new Map<string, boolean | undefined>([['denied', false]]);
		const { tokens, access, counted, didCount, load } = open(allowed);
		load(weed);
		// Nothing but promises lies before the answer.
		await new Promise(resolve => setImmediate(resolve));
		assert.deepEqual([tokens.of(weed).isEstimate, counted], [true, []]);
		allowed.set('fine', true);
		const first = didCount();
		access.fire();
		await first;
		assert.deepEqual([tokens.of(weed), counted], [{ tokens: 1000, isEstimate: false }, ['fine: weed']]);
		const again = { ...weed };
		const second = didCount();
		load(again, water);
		assert.equal(tokens.sum([again, weed]).isEstimate, true, 'until the model has answered');
		await second;
		assert.deepEqual(
			[tokens.sum([again, water]), counted],
			[{ tokens: 2000, isEstimate: false }, ['fine: weed', 'fine: water']],
		);
	});

	it('are estimated if the editor has no models', () => {
		const registry = { servers: [], onDidChange: () => assert.fail() } as unknown as ServerRegistry;
		const tokens = cleanup.own(new ToolTokens(registry, undefined));
		assert.deepEqual(tokens.of(weed), { tokens: 9, isEstimate: true });
	});
});
