import * as assert from 'node:assert/strict';
import type { ServerOptions } from '../../../../src/core/config/serverOptions.js';
import type { ApprovalOutcome } from '../../../../src/core/approvals/approver.js';
import {
	assertEnabled,
	CallDeniedError,
	isForModels,
	isHiddenFromModels,
	isToolDisabled,
	ReadDeniedError,
	ToolDisabledError,
	UnknownToolError,
} from '../../../../src/core/calls/toolAccess.js';

it('errors of denied access say what is denied', () => {
	const errors = [
		new ToolDisabledError('a"b'),
		new UnknownToolError('a'),
		new ReadDeniedError('rule'),
		new ReadDeniedError('unlisted'),
		new CallDeniedError({} as ApprovalOutcome, 'a'),
	];
	assert.deepEqual(errors.map(String), [
		'ToolDisabledError: The tool "a\\"b" is disabled.',
		'UnknownToolError: There is no tool "a".',
		'ReadDeniedError: A rule denies everything of this server.',
		'ReadDeniedError: The server does not list this resource.',
		'CallDeniedError: The call to "a" was denied.',
	]);
});

describe('which tools there are to run', () => {
	const options: ServerOptions = {
		requestTimeoutMs: 0,
		toolTimeoutsMs: {},
		pingMs: 0,
		messageBytes: 0,
		usePathOfShell: false,
		era: 'auto',
		start: 'onUse',
		folderChoices: [],
		disabledTools: ['off', 'both'],
		hiddenFromModels: ['hidden', 'both'],
	};
	const server = { options };
	const table = [
		{ name: 'free', isDisabled: false, isHidden: false, isModels: true },
		{ name: 'off', isDisabled: true, isHidden: false, isModels: false },
		{ name: 'hidden', isDisabled: false, isHidden: true, isModels: false },
		{ name: 'both', isDisabled: true, isHidden: true, isModels: false },
		{ name: 'OFF', isDisabled: false, isHidden: false, isModels: true },
		{ name: '', isDisabled: false, isHidden: false, isModels: true },
	];
	for (const { name, isDisabled, isHidden, isModels } of table) {
		it(`"${name}"`, () => {
			assert.equal(isToolDisabled(server, { name }), isDisabled);
			assert.equal(isHiddenFromModels(server, { name }), isHidden);
			assert.equal(isForModels(server, { name }), isModels);
			if (isDisabled) {
				assert.throws(() => assertEnabled(server, name), new ToolDisabledError(name));
			} else {
				assertEnabled(server, name);
			}
		});
	}
});
