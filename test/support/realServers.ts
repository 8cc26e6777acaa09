/** Clients of real servers of both eras, with a person and a model who answer. */

import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import {
	Client,
	type ClientHandlers,
	type ClientOptions,
	type JsonObject,
	type ToolResult,
} from '../../src/mcp/index.js';
import { StdioTransport } from '../../src/node/process/stdioTransport.js';
import { projectRoot } from '../host/paths.js';
import { inherited } from './fixtureServer.js';
import type { Cleanup } from './leakCheck.js';
import { onMessage } from './onMessage.js';
import { summary } from './memoryTransport.js';
import { SentCheck } from './sentCheck.js';
import { TestLogger } from './testLogger.js';
import { isAlive } from './waiting.js';

export const never: AbortSignal = new AbortController().signal;

export function text({ content }: ToolResult): string {
	return content.map(it => (it.type === 'text' ? it.text : it.type)).join('\n');
}

/** Answers every question, and records it. */
export class Person {
	readonly asked: JsonObject[] = [];
	/** The answer to the next form; by default, it is accepted with its defaults. */
	form: JsonObject | undefined;
	url: JsonObject = { action: 'accept' };

	readonly handlers: ClientHandlers = {
		roots: () => [{ uri: 'file:///one', name: 'one' }],
		sampling: {
			tools: true,
			handle: params => {
				this.asked.push(params);
				return Promise.resolve({
					role: 'assistant',
					content: { type: 'text', text: 'a guess' },
					model: 'test-model',
					stopReason: 'endTurn',
				});
			},
		},
		elicitation: {
			form: params => {
				this.asked.push(params);
				return Promise.resolve(this.form ?? { action: 'accept', content: {} });
			},
			url: params => {
				this.asked.push(params);
				return Promise.resolve(this.url);
			},
		},
	};
}

/** The path of a file in an installed package. @param folder the folder of the package that has the file */
export function packageFile(name: string, file: string, folder = 'dist'): string {
	// Not resolved as a module: some packages don't export their files.
	const places = createRequire(path.join(projectRoot, 'package.json')).resolve.paths(name) ?? [];
	const place = places.find(it => fs.existsSync(path.join(it, name))) ?? assert.fail(`${name} is not installed.`);
	return path.join(place, name, folder, file);
}

export interface Connected {
	readonly client: Client;
	readonly person: Person;
	/** Both directions; what every modern request states is left out. */
	readonly transcript: string[];
	readonly log: TestLogger;
	/** Processes that were started. */
	readonly starts: () => number;
}

export interface RealServers {
	readonly connect: (
		file: string,
		{
			args,
			env,
			...options
		}?: Partial<ClientOptions> & {
			args?: string[];
			env?: Record<string, string>;
		},
	) => Promise<Connected>;
	readonly demo: string;
	readonly rounds: string;
}

/** Creates the connections of a suite. Everything that is started ends after each test. */
export function realServers({ own, later }: Cleanup): RealServers {
	async function connect(
		file: string,
		{
			args = [],
			env = {},
			...options
		}: Partial<ClientOptions> & { args?: string[]; env?: Record<string, string> } = {},
	): Promise<Connected> {
		const launch = {
			command: process.execPath,
			args: [file, ...args],
			cwd: projectRoot,
			env: { ...inherited(), ...env },
		};
		const transports: StdioTransport[] = [];
		const person = new Person();
		const log = new TestLogger();
		const client = own(
			new Client({
				open: () => {
					const transport = new StdioTransport(launch, { graceMs: 200, onStderr: () => undefined });
					transports.push(transport);
					return transport;
				},
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 20_000,
				probeMs: 15_000,
				handlers: person.handlers,
				log,
				...options,
			}),
		);
		const transcript: string[] = [];
		own(client.onDidTransfer(new SentCheck().follow));
		own(
			onMessage(client, ({ direction, message }) => {
				transcript.push(`${direction === 'sent' ? '>' : '<'} ${summary(message)}`);
			}),
		);
		later(async () => {
			await client.close();
			const left = transports.filter(({ pid }) => pid !== undefined && isAlive(pid));
			assert.equal(left.length, 0, 'a process is left');
		});
		await client.connect(never);
		return { client, person, transcript, log, starts: () => transports.length };
	}

	const demo = path.join(projectRoot, 'demo', 'servers', 'garden.mjs');
	const rounds = path.join(projectRoot, 'test', 'fixtures', 'servers', 'rounds.mjs');

	return {
		connect,
		demo,
		rounds,
	};
}
