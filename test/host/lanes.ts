// Stages side by side: each is a process of the test runner, which writes down what came of it.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { programPath } from './paths.js';
import type { HostSession } from './session.js';
import { emptyTally, type Tally } from './tally.js';

/** What came of one or more stages. */
export interface Outcome {
	/** A line for each stage. */
	readonly report: string[];
	readonly tally: Tally;
	ok: boolean;
}

/** The variable that names the file into which a process writes its outcome. */
export const outcomeVariable = 'MCP_WORKBENCH_TEST_OUTCOME';

/** Writes it down for whoever has started this process beside others. */
export function tellOutcome(outcome: Outcome): void {
	const file = process.env[outcomeVariable];
	if (file !== undefined) {
		fs.writeFileSync(file, JSON.stringify(outcome));
	}
}

/**
 * Runs the stages that each of these choices names, `width` at a time in the order given, and adds what came of them in
 * that order. Every line of output begins with the first word of its choice.
 * @param ready what a choice waits for before it starts
 */
export async function runLanes(
	session: HostSession,
	choices: readonly (readonly string[])[],
	width: number,
	outcome: Outcome,
	ready: (words: readonly string[]) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
	const found: Outcome[] = [];
	const waiting = choices.entries();
	const work = async (): Promise<void> => {
		for (const [index, words] of waiting) {
			await ready(words);
			found[index] = await runLane(session, words);
		}
	};
	await Promise.all(Array.from({ length: width }, work));
	for (const { report, tally, ok } of found) {
		outcome.report.push(...report);
		addTally(outcome.tally, tally);
		outcome.ok &&= ok;
	}
}

async function runLane(session: HostSession, words: readonly string[]): Promise<Outcome> {
	const [name = ''] = words;
	const file = path.join(session.folder, `${name}.json`);
	const code = await session.run(
		process.execPath,
		[programPath('test'), ...words],
		{ [outcomeVariable]: file },
		line => {
			console.log(`${name} | ${line}`);
		},
	);
	if (!fs.existsSync(file)) {
		return {
			report: [`FAILED ${words.join(' ')} (ended with ${code}, and told nothing)`],
			tally: emptyTally(),
			ok: false,
		};
	}
	const outcome = JSON.parse(fs.readFileSync(file, 'utf8')) as Outcome;
	return { ...outcome, ok: outcome.ok && code === 0 };
}

function addTally(sum: Tally, { passed, failed, skipped, failures }: Tally): void {
	sum.passed += passed;
	sum.failed += failed;
	sum.skipped.push(...skipped);
	sum.failures.push(...failures);
}
