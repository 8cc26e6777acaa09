import * as assert from 'node:assert/strict';
import { type Caller, decideApproval } from '../../../src/model/approval.js';

describe('decideApproval', () => {
	it('lets a person run what they see, and asks for everyone else, saying by which rule', () => {
		const callers: Caller[] = [{ kind: 'person' }, { kind: 'command' }];
		assert.deepEqual(
			callers.map(caller => decideApproval({ caller, server: 's', tool: 't', arguments: {} })),
			[
				{ kind: 'allow', rule: 'ownConsent' },
				{ kind: 'ask', rule: 'askByDefault' },
			],
		);
	});

	it('is not moved by what the server or the tool is called', () => {
		const call = {
			caller: { kind: 'command' },
			server: 'person',
			tool: 'ownConsent',
			arguments: { caller: { kind: 'person' } },
		} as const;
		assert.equal(decideApproval(call).kind, 'ask');
	});
});
