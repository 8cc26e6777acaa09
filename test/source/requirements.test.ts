import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { requirements } from '../requirements.js';

interface Citation {
	readonly id: string;
	/** File and line. */
	readonly where: string;
	/** The line that the comment stands above. */
	readonly subject: string;
}

/** Every `// covers: …` of a test file. */
function citations(): Citation[] {
	const root = path.join(projectRoot, 'test');
	const files = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(it => it.endsWith('.test.ts'));
	return files.flatMap(file => {
		const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n');
		return lines.flatMap((line, index) => {
			const [, ids] = /^\s*\/\/ covers: (.+)$/.exec(line) ?? [];
			const subject = lines[index + 1]?.trim() ?? '';
			return (ids?.split(' ') ?? []).map(id => ({ id, where: `${file}:${index + 1}`, subject }));
		});
	});
}

describe('requirements', () => {
	const cited = citations();

	it('have ids that are unique, and say what they are', () => {
		const ids = requirements.map(it => it.id);
		assert.deepEqual(
			ids.filter((id, index) => ids.indexOf(id) !== index),
			[],
		);
		const incomplete = requirements.filter(
			({ text, source, status }) => !text || !source || (status !== 'tested' && !status.open),
		);
		assert.deepEqual(incomplete, []);
	});

	it('that are called tested are cited by a test, and those that are open by none', () => {
		const known = new Set(cited.map(it => it.id));
		const wrong = requirements.filter(({ id, status }) => (status === 'tested') !== known.has(id));
		assert.deepEqual(
			wrong.map(it => it.id),
			[],
		);
	});

	it('are all that tests cite', () => {
		const ids = new Set(requirements.map(it => it.id));
		assert.deepEqual(
			cited.filter(it => !ids.has(it.id)),
			[],
		);
	});

	it('are cited above something that runs', () => {
		assert.deepEqual(
			cited.filter(it => !/^(it|describe)\(/.test(it.subject)),
			[],
		);
	});
});
