// Covers M3 and M11: signing in to a protected server with a real authorization server, and out again.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { labelled } from '../../integration/askingServers.js';
import { browse, Guarded } from '../../integration/auth/guarded.js';
import { Person } from '../../integration/auth/person.js';
import { QuickInputs, selectAction } from '../../integration/quickInputs.js';
import { activate, callTool, eventually, inState } from '../../integration/support.js';
import { run, set, snapshotOf } from '../support.js';

describe('signing in', function () {
	// Each step needs the one before.
	this.bail(true);
	let api: ExtensionApi;
	let tracker: Guarded;
	let person: Person;
	let inputs: QuickInputs;

	before(async () => {
		person = new Person();
		api = await activate();
		tracker = await Guarded.start();
		await set('servers', { tracker: { url: tracker.url } });
		await eventually('the server', () => snapshotOf(api, 'tracker'));
	});
	beforeEach(() => {
		inputs = new QuickInputs();
		person.begin(browse);
	});
	afterEach(() => inputs.dispose());
	after(async () => {
		await run('server.stop', { server: 'tracker' });
		await set('servers', undefined);
		person.dispose();
		await tracker.stop();
	});

	it('shows the request before a browser opens, and can be put off', async () => {
		const started = run('server.start', { server: 'tracker' });
		await inputs.until(/^Sign in to "tracker"/);
		const { lines } = await inputs.pick(labelled('Not Now'));
		assert.deepEqual(lines.slice(0, 4), [
			'Reason | The server requires sign-in',
			`Server | ${tracker.url}`,
			`Authorization server | ${tracker.issuer}/`,
			`Sign-in page | ${new URL(tracker.issuer).host}`,
		]);
		await started;
		assert.equal((await inState(api, 'tracker', 'waiting')).description, 'Needs sign-in');
		assert.deepEqual(person.opened, []);
	});

	it('opens the browser once, and the server runs and takes calls', async () => {
		const started = run('account.signIn', { server: 'tracker' });
		await inputs.until(/^Sign in to "tracker"/);
		await inputs.pick(labelled('Sign In'));
		await started;
		await inState(api, 'tracker', 'running');
		assert.equal(person.opened.length, 1);
		assert.deepEqual(await tracker.wish('lines'), ['register MCP Workbench', 'grant authorization_code']);
		person.press = 'Review';
		const called = callTool(api, 'tracker', 'who-am-i');
		await inputs.pick(labelled('Allow Once'));
		const { content } = await called;
		assert.match((content as { text: string }[])[0]?.text ?? '', /^You are Ada, and may use notes:read/);
	});

	it('can leave out `resource` where the page shows an error and the browser does not return', async () => {
		await selectAction(inputs, 'tracker', 'Account…', 'Sign Out');
		person.begin(() => Promise.resolve());
		const started = run('server.start', { server: 'tracker' });
		await inputs.until(/^Sign in to "tracker"/);
		await inputs.pick(labelled('Sign In'));
		await eventually('the page', () => person.opened.length > 0 || undefined);
		person.press = 'Make Exception';
		await run('account.makeException', { server: 'tracker' });
		await started;
		await inState(api, 'tracker', 'waiting');
		assert.equal(person.messages.at(-1), 'Exception saved. Sign in to tracker again.');
		const inspected = vscode.workspace.getConfiguration().inspect<object>('mcpWorkbench.auth.servers');
		assert.deepEqual(inspected?.globalValue, { [tracker.url]: { exceptions: { resource: true } } });
		person.begin(browse);
		const again = run('account.signIn', { server: 'tracker' });
		await inputs.until(/^Sign in to "tracker"/);
		const { lines } = await inputs.pick(labelled('Not Now'));
		assert.match(lines.join(' '), /The parameter "resource" isn't sent to/);
		await again;
		await set('auth.servers', undefined);
		const usual = run('account.signIn', { server: 'tracker' });
		await inputs.until(/^Sign in to "tracker"/);
		await inputs.pick(labelled('Sign In'));
		await usual;
		await inState(api, 'tracker', 'running');
	});

	it('signs out: tokens are revoked, and the next start asks again', async () => {
		await selectAction(inputs, 'tracker', 'Account…', 'Sign Out');
		assert.deepEqual(person.messages, ['Signed out of tracker. The tokens were deleted.']);
		assert.ok((await tracker.wish<string[]>('lines')).includes('refresh token destroyed'));
		const started = run('server.start', { server: 'tracker' });
		await inputs.until(/^Sign in to "tracker"/);
		await inputs.pick(labelled('Not Now'));
		await started;
		await inState(api, 'tracker', 'waiting');
	});
});
