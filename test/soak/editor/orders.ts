// How the program that disturbs and the extension host that works talk: by files in a folder, which survive a reload.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Measure } from './measure.js';

/** What a server can be asked. `fault`: whatever comes of it. */
export type Kind = 'busy' | 'everything' | 'garden' | 'fault';

export type Order =
	/** Calls servers at random until `rest`, or until the same pool works with others. */
	| {
			readonly do: 'work';
			readonly pool: string;
			readonly seed: number;
			readonly workers: number;
			readonly kinds: Readonly<Record<string, Kind>>;
	  }
	/** Begins nothing more, and waits until all has ended. */
	| { readonly do: 'rest' }
	/** Adds a folder to the workspace, or removes it. */
	| { readonly do: 'folder'; readonly path: string; readonly isThere: boolean }
	| { readonly do: 'reload' }
	/** @property snapshot file for a snapshot of the heap, taken afterwards */
	| { readonly do: 'measure'; readonly snapshot?: string }
	/** Asks something of every server that is there, and waits for all. */
	| { readonly do: 'use' }
	| { readonly do: 'states' };

export interface Answer {
	readonly error?: string;
	readonly measure?: Measure;
	/** Name and state of each server. */
	readonly states?: Readonly<Record<string, string>>;
}

export const ledgerName = 'ledger.jsonl';
/** What the names of servers with faults begin with. */
export const faultPrefix = 'fault ';

/** Gives orders, one after another. */
export class Commander {
	private count = 0;

	constructor(private readonly folder: string) {}

	/** @throws Error if it is not answered, or not done */
	async order(order: Order, limitMs = 150_000): Promise<Answer> {
		const number = ++this.count;
		write(path.join(this.folder, 'order.json'), { number, order });
		const file = path.join(this.folder, `answer-${number}.json`);
		for (const end = Date.now() + limitMs; !fs.existsSync(file); await delay(50)) {
			if (Date.now() > end) {
				throw new Error(`The extension host did not answer "${order.do}" within ${limitMs / 1000} s.`);
			}
		}
		const answer = JSON.parse(fs.readFileSync(file, 'utf8')) as Answer;
		if (answer.error !== undefined) {
			throw new Error(`The extension host could not do "${order.do}": ${answer.error}`);
		}
		return answer;
	}
}

/** Does what it is told, each order once, whichever extension host it is. */
export async function obey(
	folder: string,
	isOver: () => boolean,
	carryOut: (order: Order) => Promise<Answer>,
): Promise<void> {
	for (; !isOver(); await delay(50)) {
		const file = path.join(folder, 'order.json');
		if (!fs.existsSync(file)) {
			continue;
		}
		const { number, order } = JSON.parse(fs.readFileSync(file, 'utf8')) as { number: number; order: Order };
		const answerFile = path.join(folder, `answer-${number}.json`);
		if (fs.existsSync(answerFile)) {
			continue;
		}
		if (order.do === 'reload') {
			// There is nobody to answer afterwards.
			write(answerFile, {});
		}
		const answer = await carryOut(order).catch((error: unknown) => ({ error: String(error) }));
		write(answerFile, answer);
	}
}

/** So that nobody ever reads half of it. */
function write(file: string, content: unknown): void {
	fs.writeFileSync(`${file}.new`, JSON.stringify(content));
	fs.renameSync(`${file}.new`, file);
}
