// What the soak asks of servers through the API that other extensions have, and what must come of it.
import * as vscode from 'vscode';
import type { Connection, ProtocolObject } from '../../../src/api.js';
import type { Kind } from './orders.js';
import type { Random } from './random.js';

/** What an action has to work with. */
export interface Scene {
	readonly random: Random;
	readonly connection: Connection;
	/** A text that no other call has. */
	readonly nonce: string;
	/** A promise that something is told within a while, whatever it was asked for. */
	readonly news: (what: 'lists' | 'resource', cause: () => Promise<unknown>) => Promise<void>;
}

/** Came to something else than it must. */
export class WrongAnswer extends Error {}

/** Was given up by ourselves, as it should. */
export class GivenUp extends Error {}

export type Action = (scene: Scene) => Promise<void>;

const resource = 'busy://counter';

function check(isRight: boolean, why: () => string): void {
	if (!isRight) {
		throw new WrongAnswer(why());
	}
}

function textOf(result: ProtocolObject): string {
	const [block] = result['content'] as { text?: string }[];
	return block?.text ?? '';
}

async function call(
	{ connection }: Scene,
	name: string,
	args: ProtocolObject,
	expected: RegExp | string,
): Promise<void> {
	const text = textOf(await connection.callTool(name, args));
	const isRight = typeof expected === 'string' ? text === expected : expected.test(text);
	check(isRight, () => `${name} answered ${text.slice(0, 200)}`);
}

/** An error of the protocol is the right answer. */
async function refused(request: Promise<unknown>): Promise<void> {
	try {
		await request;
	} catch (error) {
		if ((error as { code?: unknown }).code === 'refused') {
			return;
		}
		throw error;
	}
	throw new WrongAnswer('it was not refused');
}

/** Asks for something slow; sometimes thinks better of it. */
async function slowly(scene: Scene, name: string, args: ProtocolObject): Promise<void> {
	const source = new vscode.CancellationTokenSource();
	const givesUp = scene.random.below(2) === 0;
	const timer = givesUp ? setTimeout(() => source.cancel(), scene.random.below(300)) : undefined;
	let progress = 0;
	try {
		await scene.connection.callTool(name, args, { token: source.token, onProgress: () => progress++ });
		check(progress > 0, () => `${name} told no progress`);
	} catch (error) {
		if (source.token.isCancellationRequested && (error as { code?: unknown }).code === 'cancelled') {
			throw new GivenUp();
		}
		throw error;
	} finally {
		clearTimeout(timer);
		source.dispose();
	}
}

const busy: Readonly<Record<string, Action>> = {
	wait: scene => slowly(scene, 'wait', { ms: 300 + scene.random.below(1200) }),
	large: async ({ connection, random }) => {
		const size = 1 + random.below(500_000);
		const { length } = textOf(await connection.callTool('large', { size }));
		check(length === size, () => `${length} characters instead of ${size}`);
	},
	fail: async ({ connection }) => {
		const { isError } = await connection.callTool('fail', {});
		check(isError === true, () => 'no error of the tool');
	},
	refuse: ({ connection }) => refused(connection.callTool('refuse', {})),
	chatter: scene => call(scene, 'chatter', { count: 1 + scene.random.below(200) }, /^said/),
	grow: ({ news, connection }) => news('lists', () => connection.callTool('grow', {})),
	touch: ({ news, connection }) => news('resource', () => connection.callTool('touch', {})),
	read: async ({ connection }) => {
		const [first] = await connection.readResource(resource);
		check(/^\d+$/.test(String(first?.['text'])), () => `the resource is ${JSON.stringify(first)}`);
	},
	prompt: async ({ connection, nonce }) => {
		const prompt = JSON.stringify(await connection.getPrompt('greet', { who: nonce }));
		check(prompt.includes(nonce), () => `the prompt is ${prompt}`);
	},
	complete: async ({ connection }) => {
		const reference = { type: 'ref/prompt', name: 'greet' } as const;
		const { values } = await connection.complete(reference, { name: 'who', value: 'an' });
		check(values.length === 2, () => `completed to ${values.join()}`);
	},
	lists: async ({ connection }) => {
		const [tools, resources] = await Promise.all([connection.listTools(), connection.listResources()]);
		check(tools.length >= 8 && resources.length === 1, () => `${tools.length} tools, ${resources.length} resources`);
	},
};

const everything: Readonly<Record<string, Action>> = {
	sum: scene => call(scene, 'get-sum', { a: 2, b: 3 }, /5/),
	long: scene => slowly(scene, 'trigger-long-running-operation', { duration: 1, steps: 3 }),
	read: async ({ connection }) => {
		const [first] = await connection.listResources();
		const contents = await connection.readResource(String(first?.['uri']));
		check(contents.length > 0, () => 'the resource has no content');
	},
	prompt: async ({ connection }) => {
		const { messages } = await connection.getPrompt('simple-prompt', {});
		check(Array.isArray(messages), () => 'the prompt has no messages');
	},
};

const garden: Readonly<Record<string, Action>> = {
	plant: scene => call(scene, 'plant', { bed: 'north', plant: scene.nonce, count: 2 }, /2 × .* in/),
	read: async ({ connection }) => {
		const [first] = await connection.readResource('garden://beds/south.md');
		check(String(first?.['text']).includes('Tomatoes'), () => `the bed is ${JSON.stringify(first)}`);
	},
};

/** Each is done as it is told; whatever comes of it must come. */
const fault: Readonly<Record<string, Action>> = {
	fault: async ({ connection }) => void (await connection.callTool('fault', {})),
	lists: async ({ connection }) => void (await Promise.all([connection.listTools(), connection.listResources()])),
};

/** What is done most. */
const echo: Readonly<Record<Kind, Action>> = {
	busy: scene => call(scene, 'echo', { nonce: scene.nonce }, JSON.stringify({ nonce: scene.nonce })),
	everything: scene => call(scene, 'echo', { message: scene.nonce }, `Echo: ${scene.nonce}`),
	garden: async ({ connection }) => void (await connection.listTools()),
	fault: async ({ connection }) => void (await connection.callTool('fault', {})),
};
const rest: Readonly<Record<Kind, Readonly<Record<string, Action>>>> = { busy, everything, garden, fault };

/** Half of the time the plain one, whose times can be compared. */
export function chooseAction(kind: Kind, random: Random): readonly [name: string, Action] {
	if (random.below(2) === 0) {
		return [kind === 'garden' ? 'list' : 'echo', echo[kind]];
	}
	const name = random.pick(Object.keys(rest[kind]));
	return [name, rest[kind][name] ?? echo[kind]];
}
