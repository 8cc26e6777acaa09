/** Addresses that the editor leads to a browser of another machine. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Deferred, deferred } from '../../../../src/base/async.js';
import { ExternalBrowser } from '../../../../src/editor/auth/externalBrowser.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('external browser', () => {
	const { env } = vscode;
	const before = { ...env };
	let opened: Deferred<boolean>;
	let ends: number;
	let browser: ExternalBrowser;

	beforeEach(() => {
		stopTime();
		opened = deferred();
		ends = 0;
		Object.assign(env, {
			remoteName: 'ssh-remote',
			asExternalUri: async () => vscode.Uri.parse('http://127.0.0.1:4000'),
			openExternal: () => opened.promise,
		});
		browser = new ExternalBrowser({
			openPage: () => Promise.reject(new Error('not needed')),
			openForwardingPage: async () => ({ uri: 'http://127.0.0.1:5000', dispose: () => void ends++ }),
		});
	});
	afterEach(() => {
		releaseTime();
		for (const key of ['asExternalUri', 'openExternal']) {
			Reflect.deleteProperty(env, key);
		}
		Object.assign(env, before);
	});

	it('a forwarding page ends a minute after the browser was sent there', async () => {
		const opening = browser.open('http://127.0.0.1:3000/authorize');
		await settled();
		opened.resolve(true);
		assert.equal(await opening, true);
		passTime(59_999);
		assert.equal(ends, 0);
		passTime(1);
		assert.equal(ends, 1);
		browser.dispose();
		assert.equal(ends, 1);
	});

	it('a forwarding page ends with the window, also if the browser is sent there afterwards', async () => {
		const opening = browser.open('http://127.0.0.1:3000/authorize');
		await settled();
		browser.dispose();
		assert.equal(ends, 0, 'the browser may still come');
		opened.resolve(true);
		await opening;
		assert.equal(ends, 1);
	});
});
