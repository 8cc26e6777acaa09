// What the soak asks of servers through the API that other extensions have, and what must come of it.
import * as vscode from 'vscode';
import type { CallOptions, ProtocolObject } from '../../../src/api.js';
import type { Kind } from './orders.js';
import type { Random } from './random.js';

/** What an action has to work with. */
export interface Scene {
	readonly random: Random;
	readonly callTool: (name: string, args: ProtocolObject, options?: CallOptions) => Promise<ProtocolObject>;
	/** A text that no other call has. */
	readonly nonce: string;
	/** A promise that another number of tools is told within a while. */
	readonly news: (cause: () => Promise<unknown>) => Promise<void>;
}

/** Came to something else than it must. */
export class WrongAnswer extends Error {}

/** Was given up by ourselves, as it should. */
export class GivenUp extends Error {}

export type Action = (scene: Scene) => Promise<void>;

function check(isRight: boolean, why: () => string): void {
	if (!isRight) {
		throw new WrongAnswer(why());
	}
}

function textOf(result: ProtocolObject): string {
	const [block] = result['content'] as { text?: string }[];
	return block?.text ?? '';
}

async function call({ callTool }: Scene, name: string, args: ProtocolObject, expected: RegExp | string): Promise<void> {
	const text = textOf(await callTool(name, args));
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
		await scene.callTool(name, args, { token: source.token, onProgress: () => progress++ });
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
	large: async ({ callTool, random }) => {
		const size = 1 + random.below(500_000);
		const { length } = textOf(await callTool('large', { size }));
		check(length === size, () => `${length} characters instead of ${size}`);
	},
	fail: async ({ callTool }) => {
		const { isError } = await callTool('fail', {});
		check(isError === true, () => 'no error of the tool');
	},
	refuse: ({ callTool }) => refused(callTool('refuse', {})),
	chatter: scene => call(scene, 'chatter', { count: 1 + scene.random.below(200) }, /^said/),
	grow: ({ news, callTool }) => news(() => callTool('grow', {})),
	touch: scene => call(scene, 'touch', {}, /^\d+$/),
};

const everything: Readonly<Record<string, Action>> = {
	sum: scene => call(scene, 'get-sum', { a: 2, b: 3 }, /5/),
	long: scene => slowly(scene, 'trigger-long-running-operation', { duration: 1, steps: 3 }),
};

/** What is done most. */
const echo: Readonly<Record<Kind, Action>> = {
	busy: scene => call(scene, 'echo', { nonce: scene.nonce }, JSON.stringify({ nonce: scene.nonce })),
	everything: scene => call(scene, 'echo', { message: scene.nonce }, `Echo: ${scene.nonce}`),
	garden: scene => call(scene, 'plant', { bed: 'north', plant: scene.nonce, count: 2 }, /2 × .* in/),
	// It is done as it is told; whatever comes of it must come.
	fault: async ({ callTool }) => void (await callTool('fault', {})),
};
const rest: Readonly<Record<Kind, Readonly<Record<string, Action>>>> = { busy, everything, garden: {}, fault: {} };

/** Half of the time the plain one, whose times can be compared. */
export function chooseAction(kind: Kind, random: Random): readonly [name: string, Action] {
	const others = Object.entries(rest[kind]);
	return random.below(2) === 0 || others.length === 0 ? ['echo', echo[kind]] : random.pick(others);
}
