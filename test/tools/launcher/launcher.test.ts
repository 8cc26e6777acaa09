import * as assert from 'node:assert/strict';
import { parseLaunchArguments } from '../../host/launcher.js';

describe('parseLaunchArguments', () => {
	it('understands what test-electron passes', () => {
		const options = parseLaunchArguments([
			'/work/some folder',
			'--no-sandbox',
			'--disable-workspace-trust',
			'--extensionTestsPath=/ext/out/index.js',
			'--extensionDevelopmentPath=/ext',
			'--user-data-dir=/ignored',
		]);
		assert.deepEqual(options, {
			editor: 'newest',
			extensionDevelopmentPath: '/ext',
			extensionTestsPath: '/ext/out/index.js',
			workspace: '/work/some folder',
			settings: {},
			extensions: [],
			workspaceTrust: false,
			builtIns: 'few',
			timeout: 150,
		});
	});

	it('understands arguments of its own', () => {
		const options = parseLaunchArguments([
			'--host-editor=oldest',
			'--host-settings={"a":1}',
			'--host-extensions=["/x"]',
			'--host-workspace-trust',
			'--host-built-ins=all',
			'--host-timeout=7',
			'--extensionTestsPath=/t',
			'--extensionDevelopmentPath=/e',
		]);
		assert.deepEqual(options, {
			editor: 'oldest',
			extensionDevelopmentPath: '/e',
			extensionTestsPath: '/t',
			workspace: undefined,
			settings: { a: 1 },
			extensions: ['/x'],
			workspaceTrust: true,
			builtIns: 'all',
			timeout: 7,
		});
	});

	it('says which argument is missing', () => {
		assert.throws(() => parseLaunchArguments(['--extensionTestsPath=/t']), /--extensionDevelopmentPath/);
	});
});
