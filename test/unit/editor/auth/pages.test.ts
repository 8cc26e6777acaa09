/** Addresses that the editor leads to a browser of another machine. */
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { type Deferred, deferred } from '../../../../src/base/async.js';
import { Pages } from '../../../../src/editor/auth/pages.js';
import { releaseTime, stopTime } from '../../../support/mockTime.js';
import { settled } from '../../../support/waiting.js';

describe('pages', () => {
	const { env } = vscode;
	const before = { ...env };
	let opened: Deferred<boolean>;
	let ends: number;
	let pages: Pages;

	beforeEach(() => {
		stopTime();
		opened = deferred();
		ends = 0;
		Object.assign(env, {
			remoteName: 'ssh-remote',
			asExternalUri: async () => vscode.Uri.parse('http://127.0.0.1:4000'),
			openExternal: () => opened.promise,
		});
		pages = new Pages({
			openPage: () => Promise.reject(new Error('not needed')),
			openDetour: async () => ({ uri: 'http://127.0.0.1:5000', dispose: () => void ends++ }),
		});
	});
	afterEach(() => {
		releaseTime();
		for (const key of ['asExternalUri', 'openExternal']) {
			Reflect.deleteProperty(env, key);
		}
		Object.assign(env, before);
	});

	it('a detour ends a minute after the browser was sent there', async () => {
		const opening = pages.open('http://127.0.0.1:3000/authorize');
		await settled();
		opened.resolve(true);
		assert.equal(await opening, true);
		mock.timers.tick(59_999);
		assert.equal(ends, 0);
		mock.timers.tick(1);
		assert.equal(ends, 1);
		pages.dispose();
		assert.equal(ends, 1);
	});

	it('a detour ends with the window, also if the browser is sent there afterwards', async () => {
		const opening = pages.open('http://127.0.0.1:3000/authorize');
		await settled();
		pages.dispose();
		assert.equal(ends, 0, 'the browser may still come');
		opened.resolve(true);
		await opening;
		assert.equal(ends, 1);
	});
});
