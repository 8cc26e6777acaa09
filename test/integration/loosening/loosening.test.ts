// In the real editor: the workspace file and a folder set the opposite of each of the person's settings, for each to be looser.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
	authSettings,
	completedLanguages,
	confirmsServers,
	hasDemo,
	keepsHistory,
	limits,
	pingIntervalMs,
	placedValues,
	requestTimeoutMs,
	usePathOfShell,
	userConfig,
	userPolicy,
} from '../../../src/editor/workspace/config.js';
import { Settings } from '../../../src/editor/contributions.js';
import { serverOptions } from '../../../src/editor/workspace/serverOptions.js';
import { type SettingKey, settingRules } from '../../../src/core/config/settings.js';
import { strictSettings } from '../../host/strictSettings.js';
import { activate, inState } from '../support.js';

const megabyte = 1024 * 1024;

describe('a workspace whose settings loosen', () => {
	/** In a remote window, these are in settings of the remote machine, which only the editor writes. */
	const ofMachine = [Settings.servers, Settings.inputs, Settings.demoServer, Settings.usePathOfShell];
	const { Global } = vscode.ConfigurationTarget;

	before(async () => {
		for (const name of ofMachine) {
			await vscode.workspace.getConfiguration().update(name, strictSettings[name], Global);
		}
	});
	after(async () => {
		for (const name of ofMachine) {
			await vscode.workspace.getConfiguration().update(name, undefined, Global);
		}
	});

	const folderUri = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '';

	it('changes none of the values that are the person’s', () => {
		assert.deepEqual(
			{
				config: userConfig(),
				hasDemo: hasDemo(),
				confirms: confirmsServers(),
				policy: userPolicy(),
				auth: authSettings(),
				path: usePathOfShell(),
				languages: completedLanguages(),
				history: keepsHistory(),
				timeout: requestTimeoutMs(),
				ping: pingIntervalMs(),
				messageBytes: limits().messageBytes,
			},
			{
				config: {
					servers: strictSettings[Settings.servers],
					inputs: strictSettings[Settings.inputs],
				},
				hasDemo: false,
				confirms: true,
				policy: { default: 'deny' },
				auth: {
					servers: strictSettings[Settings.authServers],
					clientMetadataUrl: 'https://mine.example/client.json',
				},
				path: false,
				languages: ['markdown'],
				history: false,
				timeout: 20_000,
				ping: 30_000,
				messageBytes: 2 * megabyte,
			},
		);
	});

	it('has a value for every setting, as the person has', () => {
		assert.deepEqual(Object.keys(strictSettings).toSorted(), Object.values(Settings).toSorted());
		for (const key of Object.keys(settingRules) as SettingKey[]) {
			assert.deepEqual(placedValues(key, folderUri()).user, strictSettings[Settings[key]], key);
		}
	});

	it('loosens no option of a server, and what it tightens counts: of the workspace, and of the folder', () => {
		const placed = placedValues('serverOptions', folderUri());
		assert.ok(placed.workspace !== undefined && placed.folder !== undefined, 'the editor shows both');
		const source = { kind: 'vscodeFolder', uri: '', folderUri: folderUri(), folderName: 'first' } as const;
		assert.deepEqual(serverOptions({ name: 'theirs', source }), {
			requestTimeoutMs: 10_000,
			toolTimeoutsMs: { say: 11_000, push: 1000 },
			era: 'auto',
			start: 'onUse',
			folderChoices: [['first'], ['first', 'second'], ['first', 'second']],
			disabledTools: ['delete', 'upload'],
			hiddenFromModels: ['push'],
		});
	});

	it('neither adds servers to the person’s, nor starts one', async () => {
		const api = await activate();
		await inState(api, 'mine', 'stopped');
		assert.deepEqual(
			api.servers().map(({ name, state }) => `${name}: ${state}`),
			['theirs: stopped', 'mine: stopped'],
		);
	});
});
