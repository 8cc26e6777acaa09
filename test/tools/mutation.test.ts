// `npm run mutate`: every file that decides is mutated, nothing is switched off, and what survives has a reason.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { withScore } from '../mutation/record.js';
import { type Alive, describeAlive, type MutationReport, outcomeOf } from '../mutation/report.js';
import { filesOf, strykerOptions, unitOptions } from '../mutation/run.js';
import { decidingFolders, notDeciding, subjects } from '../mutation/subjects.js';

const allSubjects = Object.values(subjects);

/** One sentence for each file that is nowhere, or in two places. */
function misplaced(files: readonly string[], places: readonly (readonly string[])[]): string[] {
	return files.flatMap(file => {
		const count = places.filter(it => it.includes(file)).length;
		return count === 1 ? [] : [`${file}: in ${count} places`];
	});
}

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`: a glob does not say which of its names it has not found. */
function alternatives(glob: string): string[] {
	const [, before = glob, names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? [];
	return names.split(',').map(it => before + it + after);
}

function read(file: string): string {
	return fs.readFileSync(path.join(projectRoot, file), 'utf8');
}

describe('mutation', () => {
	const places = [...allSubjects.map(it => filesOf(it.files)), filesOf(notDeciding)];

	it('every file of the deciding folders is in one subject, or in the list of those that do not decide', () => {
		const files = filesOf(decidingFolders.map(it => `${it}/**/*.ts`));
		assert.ok(files.length > 100, `${files.length} files`);
		assert.deepEqual(misplaced([...new Set([...files, ...places.flat()])], places), []);
	});

	it('a file that is missing or in two subjects is told', () => {
		assert.deepEqual(misplaced(['a', 'b', 'c'], [['a', 'b'], ['b']]), ['b: in 2 places', 'c: in 0 places']);
	});

	it('every name of the configuration is a file', () => {
		const globs = [...allSubjects.flatMap(it => [...it.files, ...it.tests]), ...notDeciding];
		assert.deepEqual(
			globs.flatMap(alternatives).filter(it => filesOf([it]).length === 0),
			[],
		);
		assert.deepEqual(alternatives('a/{b,c}.ts'), ['a/b.ts', 'a/c.ts']);
		assert.deepEqual(alternatives('a/b.ts'), ['a/b.ts']);
	});

	it('tests are bundled as esbuild.js bundles them', () => {
		assert.equal(unitOptions().outdir, 'out');
	});

	it('no mutator is off, and no comment switches one off', () => {
		const { mutate, ...options } = strykerOptions('policy', { only: [], concurrency: 1, node: 'node' }, '/tmp/r.json');
		assert.deepEqual(mutate, subjects.policy.files);
		assert.deepEqual(
			['mutator', 'ignorers', 'ignoreStatic', 'disableBail'].filter(it => it in options),
			[],
		);
		const files = filesOf(['src/**/*.ts']);
		assert.deepEqual(
			files.filter(it => /Stryker\s+(?:disable|restore)/.test(read(it))),
			[],
		);
	});

	it('scores are in test/mutation/README.md, in the order of the subjects', () => {
		const document = read('test/mutation/README.md');
		const of = (subject: string, score: number, ...why: (string | undefined)[]) => ({
			subject,
			day: '2026-01-31',
			minutes: 1.25,
			outcome: { killed: 1, total: 1234, score, alive: why.map(it => ({ why: it }) as Alive) },
		});
		const empty = `before\n${/<!-- npm run mutate[^]*?-->/.exec(document)?.[0]}\nx\n<!-- npm run mutate -- --record: end -->\nafter\n`;
		const first = withScore(empty, of('bb', 94.97, 'x', undefined, undefined), ['a', 'bb']);
		const both = withScore(first, of('a', 100), ['a', 'bb']);
		assert.deepEqual(withScore(both, of('a', 100), ['a', 'bb']), both);
		assert.deepEqual(both.split('\n'), [
			'before',
			'<!-- npm run mutate -- --record: begin -->',
			'',
			'| subject | killed  | mutants | survivors with a reason | without | minutes | measured   |',
			'| ------- | ------- | ------- | ----------------------- | ------- | ------- | ---------- |',
			'| a       | 100.0 % | 1234    | 0                       | 0       | 1.3     | 2026-01-31 |',
			'| bb      | 94.9 %  | 1234    | 1                       | 2       | 1.3     | 2026-01-31 |',
			'',
			'<!-- npm run mutate -- --record: end -->',
			'after',
			'',
		]);
		assert.throws(() => withScore('nothing', of('a', 1), ['a']), /There is no/);
		assert.ok(withScore(document, of('policy', 1), Object.keys(subjects)).includes('| policy '));
	});

	it('a report becomes a score and a list', () => {
		const source = ['const a = 1;', 'if (a > 0) {', '\tb();', '}'].join('\n');
		const at = (line: number, column: number, endLine: number, endColumn: number) => ({
			start: { line, column },
			end: { line: endLine, column: endColumn },
		});
		const condition = at(2, 5, 2, 10);
		const report: MutationReport = {
			files: {
				'src/a.ts': {
					source,
					mutants: [
						{ mutatorName: 'BlockStatement', replacement: '{}', status: 'NoCoverage', location: at(2, 12, 4, 2) },
						{ mutatorName: 'ConditionalExpression', replacement: 'true', status: 'Killed', location: condition },
						{ mutatorName: 'ConditionalExpression', replacement: 'false', status: 'Timeout', location: condition },
						{ mutatorName: 'EqualityOperator', replacement: 'a >= 0', status: 'Survived', location: condition },
						{ mutatorName: 'EqualityOperator', replacement: 'a <= 0', status: 'RuntimeError', location: condition },
					],
				},
			},
		};
		const known = { file: 'src/a.ts', line: 'if (a > 0) {', code: 'a > 0', replacement: 'a >= 0', why: 'it is 1' };
		const { alive, ...numbers } = outcomeOf(report, [known]);
		assert.deepEqual(numbers, { killed: 2, total: 4, score: 50, invalid: 1 });
		assert.deepEqual(alive.map(describeAlive), [
			'src/a.ts:2 (BlockStatement, reached by no test)\n  - { b(); }\n  + {}',
			'src/a.ts:2 (EqualityOperator)\n  - a > 0\n  + a >= 0\n    it is 1',
		]);
	});
});
