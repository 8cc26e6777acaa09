// `npm run bench`: our client core beside the official SDKs and beside the least that can be called a client.
//   --only=…    rows whose name matches this regular expression
//   --rounds=…  of each client in each scenario, 7 unless told; the median counts
//   --profile   leaves a CPU profile of each client and scenario in test/bench/output; its times count for nothing
//   --record    keeps the result as the one to compare with, and puts its table into test/bench/README.md
import * as fs from 'node:fs';
import * as path from 'node:path';
import { activationNames, measureActivation } from '../../bench/activation.js';
import { footprintNames, measureFootprint } from '../../bench/footprint.js';
import { readRecording, recordingOf, writeRecording } from '../../bench/recording.js';
import { measureResources } from '../../bench/resourceRows.js';
import { growthRow, measure } from '../../bench/run.js';
import { scenarios } from '../../bench/scenarios.js';
import { renderTable, type Row } from '../../bench/table.js';
import { projectRoot } from '../paths.js';

const outputFolder = path.join(projectRoot, 'test', 'bench', 'output');
const args = process.argv.slice(2);
const only = new RegExp(valueOf('only') ?? '');
const rounds = Number(valueOf('rounds') ?? 7);
const profileFolder = args.includes('--profile') ? outputFolder : undefined;
const isRecording = args.includes('--record');

function valueOf(option: string): string | undefined {
	return args.find(it => it.startsWith(`--${option}=`))?.slice(option.length + 3);
}

async function main(): Promise<void> {
	if (isRecording && (valueOf('only') !== undefined || profileFolder !== undefined)) {
		throw new Error('A recording has all rows and true times: not --record together with --only or --profile.');
	}
	if (!(rounds >= 1)) {
		throw new Error('--rounds is a number from 1.');
	}
	fs.mkdirSync(outputFolder, { recursive: true });
	const rows: Row[] = [];
	for (const scenario of scenarios.filter(it => only.test(it.name))) {
		console.log(scenario.name);
		const { row, failures } = await measure(scenario, { rounds, profileFolder });
		rows.push(row);
		for (const failure of failures) {
			console.log(`  ${failure}`);
			process.exitCode = 1;
		}
	}
	const growth = growthRow(rows);
	if (growth) {
		rows.push(growth);
	}
	if (footprintNames.some(it => only.test(it))) {
		rows.push(...(await measureFootprint(outputFolder, rounds)));
	}
	if (activationNames.some(it => only.test(it))) {
		rows.push(...(await measureActivation(outputFolder, rounds)));
	}
	rows.push(...measureResources(only, rounds));
	const table = renderTable(rows, readRecording());
	const recording = recordingOf(rows);
	console.log(`\n${recording.machine}; medians of CPU time of the client's process, and factors over the floor\n`);
	console.log(table);
	fs.writeFileSync(path.join(outputFolder, 'bench.json'), `${JSON.stringify(recording, undefined, '\t')}\n`);
	fs.writeFileSync(path.join(outputFolder, 'bench.md'), `${table}\n`);
	if (isRecording) {
		writeRecording(recording);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
