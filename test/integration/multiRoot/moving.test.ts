import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { activate, eventually, workspaceFolder } from '../support.js';

describe('a workspace folder that is moved', function () {
	this.timeout(60_000);

	it('takes its servers away, and brings them back', async () => {
		const api = await activate();
		const [folder, known] = [workspaceFolder(), api.servers().map(it => it.name)];
		assert.ok(known.length > 0);
		fs.renameSync(folder, `${folder}-away`);
		try {
			await eventually('that its servers are gone', () => (api.servers().length === 0 ? true : undefined));
		} finally {
			fs.renameSync(`${folder}-away`, folder);
		}
		await eventually('its servers', () => (api.servers().length === known.length ? true : undefined));
		assert.deepEqual(
			api.servers().map(it => it.name),
			known,
		);
	});

	it('brings them back with it', async () => {
		const api = await activate();
		const [folder, known] = [workspaceFolder(), api.servers().length];
		fs.renameSync(folder, `${folder}-away`);
		try {
			await eventually('that its servers are gone', () => (api.servers().length === 0 ? true : undefined));
		} finally {
			fs.renameSync(`${folder}-away`, folder);
		}
		await eventually('that they are back', () => (api.servers().length === known ? true : undefined));
	});
});
