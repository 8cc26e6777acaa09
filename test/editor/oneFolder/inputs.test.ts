// Covers M3: values that the configuration leaves open are asked for once, and secrets stay secret.
import * as assert from 'node:assert/strict';
import { clearInputValues, QuickInputs } from '../../integration/quickInputs.js';
import { activate, forgetRecords, inState, records, shownLog } from '../../integration/support.js';
import { run, start } from '../support.js';

const token = 'pass"word-4711';

describe('inputs', () => {
	let inputs: QuickInputs;

	beforeEach(() => {
		inputs = new QuickInputs();
	});
	afterEach(async () => {
		await run('server.stop', { server: 'keyed' });
		inputs.dispose();
		await clearInputValues('keyed');
		forgetRecords('keyed');
	});

	/** Starts the server and answers both questions. */
	async function startWithAnswers(): Promise<void> {
		const api = await activate();
		const started = run('server.start', { server: 'keyed' });
		assert.equal((await inputs.type(undefined)).value, 'Ann', 'the default of the first input');
		await inputs.type(token);
		await started;
		await inState(api, 'keyed', 'running');
	}

	/** What the server was started with, for each start. */
	const given = (): unknown[] => records('keyed').flatMap(({ args, env }) => (env ? [{ args, env }] : []));

	it('are asked for at the first start and kept for the next', async () => {
		await startWithAnswers();
		await run('server.stop', { server: 'keyed' });
		await start('keyed');
		const expected = { args: ['--who=Ann'], env: { TEST_TOKEN: token } };
		assert.deepEqual(given(), [expected, expected]);
	});

	it('that are secret are redacted in the log', async () => {
		await startWithAnswers();
		await run('server.showLog', { server: 'keyed' });
		const text = await shownLog('My key is <redacted>');
		assert.match(text, /My key is <redacted>, as JSON: "<redacted>"/);
		assert.ok(!text.includes('word-4711'));
	});
});
