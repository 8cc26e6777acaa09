import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { DeadlineValidator } from '../../../src/mcp/index.js';
import { ValidatorThread } from '../../../src/node/validatorThread.js';
import { projectRoot } from '../../host/paths.js';
import { leakCheck } from '../../support/leakCheck.js';

const file = path.join(projectRoot, 'dist', 'validator.js');

describe('ValidatorThread', function () {
	const { own } = leakCheck();
	this.timeout(30_000);

	let validator: DeadlineValidator;
	beforeEach(() => (validator = own(new DeadlineValidator(() => new ValidatorThread(file)))));

	async function verdict(schema: object, value: unknown): Promise<string> {
		const check = await validator.check(schema as never, value);
		return check.kind === 'invalid'
			? `${check.problems[0]?.path} ${check.problems[0]?.code}`
			: check.kind === 'unchecked'
				? `unchecked: ${check.why}`
				: 'valid';
	}

	it('checks values of every dialect in the bundle that ships', async () => {
		const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { type: 'string' } } };
		assert.deepEqual(
			await Promise.all([verdict(draft7, { a: 'a' }), verdict(draft7, { a: 1 }), verdict({ pattern: '^(?!b)' }, 'b')]),
			['valid', '/a type', ' pattern'],
		);
	});

	// covers: schema.bounded
	it('ends what takes forever, and then checks what waited', async () => {
		const bomb = Object.fromEntries(
			Array.from({ length: 40 }, (_, index) => {
				const next = { $ref: `#/$defs/a${index + 1}` };
				return [`a${index}`, { allOf: [next, next], not: next }];
			}),
		);
		const slow = { pattern: '^(a+)+$' };
		const all = [
			verdict(slow, `${'a'.repeat(50)}!`),
			verdict({ type: 'string' }, 'waits'),
			verdict({ $ref: '#/$defs/a0', $defs: { ...bomb, a40: { type: 'string' } } }, 1),
			verdict(slow, 'a'),
			verdict({ type: 'string' }, 1),
		];
		assert.deepEqual(await Promise.all(all), [
			'unchecked: tooSlow',
			'valid',
			'unchecked: tooSlow',
			'unchecked: tooSlow',
			' type',
		]);
	});

	it('says so where it cannot start or ends by itself', async () => {
		const missing = new ValidatorThread(`${file}.missing`);
		await assert.rejects(
			missing.check('{}', '1', () => undefined),
			/Cannot find module/,
		);
		await assert.rejects(
			missing.check('{}', '1', () => undefined),
			/Cannot find module/,
		);
	});
});
