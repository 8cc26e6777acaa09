// `npm run soak`: a real editor with twenty servers, at work while everything around it changes.
//   --chaos      instead: every server with a fault beside the twenty
//   --minutes=…  20 unless told; with --chaos 4
//   --snapshots  keeps snapshots of the heap in .vscode-test, to look for what grows
//   --seed=…     the same choices as another run; any unless told
import { chaos } from '../../soak/editor/chaos.js';
import { soak } from '../../soak/editor/run.js';

const args = process.argv.slice(2);

function numberOf(option: string): number | undefined {
	const value = args.find(it => it.startsWith(`--${option}=`))?.slice(option.length + 3);
	return value === undefined ? undefined : Number(value);
}

async function main(): Promise<number> {
	const isChaos = args.includes('--chaos');
	const minutes = numberOf('minutes') ?? (isChaos ? 4 : 20);
	const seed = numberOf('seed') ?? Date.now() % 2 ** 31;
	if (!(minutes > 0) || !Number.isInteger(seed)) {
		throw new Error('--minutes is a number above 0, --seed a whole number.');
	}
	console.log(`soak: ${isChaos ? 'chaos, ' : ''}${minutes} minutes, --seed=${seed}`);
	const options = { minutes, seed, hasSnapshots: args.includes('--snapshots'), report: console.log };
	const problems = await (isChaos ? chaos : soak)(options);
	const shown = 50;
	problems.slice(0, shown).forEach(it => console.log(`FAILED ${it}`));
	console.log(problems.length === 0 ? 'soak: all is well' : `soak: ${problems.length} problems, --seed=${seed}`);
	return problems.length === 0 ? 0 : 1;
}

main().then(
	code => process.exit(code),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
