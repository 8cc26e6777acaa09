/** Shows outcomes of calls on the page of a tool in a bare page, and records the actions that its buttons run. */
import * as assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { AjvValidator } from '../../src/mcp/schema/ajvValidator.js';
import type { ContentBlock, SchemaCheck, Tool, ToolResult } from '../../src/mcp/index.js';
import { Emitter } from '../../src/base/lifecycle.js';
import type { CallEnd, CallOutcome } from '../../src/core/calls/calls.js';
import { MessageRing } from '../../src/core/messages/messageRing.js';
import { type RunKind } from '../../src/editor/pages/runPage.js';
import { RunPages } from '../../src/editor/pages/runPages.js';
import { commands } from '../support/vscodeDouble.js';
import { BarePage } from './barePage.js';
import { pageDeps } from './runPageDeps.js';

/** A structured result. */
export const garden = {
	name: 'south',
	beds: [{ bed: 0 }, { bed: 1 }],
	soil: { ph: 6.4, notes: 'Heavy clay', tested: null },
};

export const text = (it: string): ContentBlock => ({ type: 'text', text: it });

/** One pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** A tenth of a second of silence. */
export function wav(): string {
	const samples = Buffer.alloc(800, 128);
	const head = Buffer.from(
		'RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data....',
		'latin1',
	);
	head.writeUInt32LE(36 + samples.length, 4);
	head.writeUInt32LE(samples.length, 40);
	return Buffer.concat([head, samples]).toString('base64');
}

export function ended(result: Partial<ToolResult>, schemaCheck?: SchemaCheck): CallEnd {
	return { kind: 'answered', result: { content: [], isError: false, ...result }, schemaCheck, warnings: [] };
}

/** A structured result, checked against an output schema if there is one. */
export function structured(value: unknown = garden, schema?: object): CallEnd {
	return ended(
		{ structuredContent: value },
		schema && new AjvValidator().check(JSON.stringify(schema), JSON.stringify(value)),
	);
}

const dig: Tool = { name: 'dig', inputSchema: { type: 'object' } };
const kind: RunKind<Tool> = {
	viewType: 'dig',
	list: 'tools',
	find: () => dig,
	createUnlisted: () => dig,
	getName: it => it.name,
	getTabName: it => it.name,
	getSchema: it => it.inputSchema,
	describeHead: () => ({ title: 'Dig', facts: ['garden'] }),
	goneText: '',
	createRequest: () => ({ method: 'tools/call', params: {} }),
	run: async () => undefined,
};

export class ResultView {
	bare!: BarePage;
	/** What the buttons of the page have caused in the extension. */
	readonly done: string[] = [];
	private pages!: RunPages<Tool>;
	private readonly server = {
		definition: { id: 'garden', source: {} },
		state: { kind: 'running' },
		log: { show: () => this.done.push('log') },
	} as never;

	/** Registers the hooks of a suite, each test of which gets a new view. */
	static use(): ResultView {
		const view = new ResultView();
		const { executeCommand } = commands;
		before(async () => {
			view.bare = await BarePage.shared();
			commands.executeCommand = async (command, ...args) =>
				void view.done.push([command, ...args.map(it => JSON.stringify(it, ['id', 'uri', 'call']))].join(' '));
		});
		after(() => {
			commands.executeCommand = executeCommand;
		});
		beforeEach(() => view.reset());
		afterEach(function () {
			view.pages.dispose();
			// Anything else has failed already.
			assert.deepEqual(this.currentTest?.state === 'passed' ? view.bare.problems : [], []);
		});
		return view;
	}

	/** Opens the view with an outcome. */
	async show(end: CallEnd, more?: Partial<CallOutcome>): Promise<void> {
		this.pages.showOutcome(dig, this.outcome(end, more));
		await this.bare.load();
	}

	/** Shows another outcome in the open view. */
	async showNext(end: CallEnd, more?: Partial<CallOutcome>): Promise<void> {
		this.pages.showOutcome(dig, this.outcome(end, more));
		await this.bare.settle();
	}

	/** The line above the buttons. */
	status(): Promise<string | null> {
		return this.bare.page.locator('header .status').textContent();
	}

	/** What a screen reader says. */
	announced(): Promise<string | null> {
		return this.bare.page.getByRole('status').last().textContent();
	}

	notes(): Promise<string[]> {
		return this.bare.page.locator('.block p.note').allTextContents();
	}

	/** The texts of the text blocks. */
	texts(): Promise<string[]> {
		return this.bare.page.locator('.block pre').allTextContents();
	}

	tree(name = 'Structured result'): Locator {
		return this.bare.page.getByRole('tree', { name, exact: true });
	}

	/** The text of the focused row or button. */
	focused(): Promise<string | null> {
		return this.bare.page.evaluate<string | null>(
			`(document.activeElement.querySelector(':scope > .row') ?? document.activeElement).textContent`,
		);
	}

	private async reset(): Promise<void> {
		await this.bare.reset();
		this.done.length = 0;
		const showFile = async (name: string, content: string): Promise<void> => void this.done.push(`${name}: ${content}`);
		this.pages = new RunPages(pageDeps(this.server, new Emitter<void>().event, new MessageRing(), { showFile }), kind);
	}

	private outcome(end: CallEnd, more: Partial<CallOutcome> = {}): CallOutcome {
		return {
			id: 'call-1',
			server: this.server,
			tool: dig,
			arguments: {},
			durationMs: 5,
			end,
			...more,
		};
	}
}
