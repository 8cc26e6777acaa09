// `npm run mutate -- <subject…>`: changes what decides, one change at a time, and tells the changes that no unit test notices.
//   --only=…         instead of all files of the subject: globs, `file:first-last` for lines, several with `,`
//   --concurrency=…  mutants at the same time, 2 unless told
//   --report=…       keeps Stryker's report in this file
//   --record         writes the scores into test/mutation/README.md
import * as fs from 'node:fs';
import * as path from 'node:path';
import { bundleTests, mutate } from '../../mutation/run.js';
import { withScore } from '../../mutation/record.js';
import { describeAlive, type MutationReport, outcomeOf } from '../../mutation/report.js';
import { subjects, type SubjectName } from '../../mutation/subjects.js';
import { survivors } from '../../mutation/survivors.js';
import { ensureNode } from '../install.js';
import { projectRoot } from '../paths.js';
import { HostSession } from '../session.js';
import { toolNode } from '../versions.js';

/** Percent of the mutants that unit tests have to kill. */
const goal = 95;

function valueOf(option: string): string | undefined {
	return process.argv
		.slice(2)
		.find(it => it.startsWith(`--${option}=`))
		?.slice(option.length + 3);
}

function isSubject(name: string): name is SubjectName {
	return Object.hasOwn(subjects, name);
}

async function mutateAndClean(...args: Parameters<typeof mutate>): Promise<MutationReport> {
	try {
		return await mutate(...args);
	} finally {
		await args[2].dispose();
	}
}

async function main(): Promise<number> {
	const toBundle = valueOf('bundle');
	if (toBundle !== undefined && isSubject(toBundle)) {
		await bundleTests(toBundle);
		return 0;
	}
	const names = process.argv.slice(2).filter(it => !it.startsWith('--'));
	if (names.length === 0 || !names.every(isSubject)) {
		throw new Error(`npm run mutate -- <subject…>, of ${Object.keys(subjects).join(', ')}`);
	}
	const concurrency = Number(valueOf('concurrency') ?? 2);
	if (!(concurrency >= 1)) {
		throw new Error('--concurrency is a number from 1.');
	}
	const isRecording = process.argv.includes('--record');
	if (isRecording && valueOf('only') !== undefined) {
		throw new Error('A record is of whole subjects: not --record together with --only.');
	}
	const node = await ensureNode(toolNode);
	const lines: string[] = [];
	let isGood = true;
	for (const name of names.filter(isSubject)) {
		const session = new HostSession();
		const started = Date.now();
		const options = { only: valueOf('only')?.split(',') ?? [], concurrency, node };
		const report = await mutateAndClean(name, options, session);
		const file = valueOf('report');
		if (file !== undefined) {
			fs.writeFileSync(file, JSON.stringify(report));
		}
		const outcome = outcomeOf(report, survivors);
		const { killed, total, score, invalid, alive } = outcome;
		const unexplained = alive.filter(it => it.why === undefined).length;
		alive.forEach(it => console.log(describeAlive(it)));
		const minutes = (Date.now() - started) / 60_000;
		if (isRecording) {
			const document = path.join(projectRoot, 'test', 'mutation', 'README.md');
			const day = new Date().toISOString().slice(0, 10);
			const scored = { subject: name, day, minutes, outcome };
			fs.writeFileSync(document, withScore(fs.readFileSync(document, 'utf8'), scored, Object.keys(subjects)));
		}
		const left = invalid === 0 ? '' : `, ${invalid} could not be run`;
		lines.push(
			`${name}: ${score.toFixed(1)} % (${killed} of ${total}), ${unexplained} survivors without a reason${left}, ${minutes.toFixed(1)} min`,
		);
		isGood &&= score >= goal && unexplained === 0;
	}
	console.log(lines.join('\n'));
	return isGood ? 0 : 1;
}

main().then(
	code => process.exit(code),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);
