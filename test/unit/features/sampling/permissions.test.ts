// Lists that the sheet of a sampling request opens.
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { askForGrant } from '../../../../src/features/sampling/permissions.js';
import type { SamplingRequest } from '../../../../src/core/requests/sampling.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { screen } from '../../../support/quickPickDouble.js';

const model = { id: 'm', name: 'Model', vendor: 'v' } as unknown as vscode.LanguageModelChat;
const request = { messages: [], maxTokens: 10, tools: [] } as unknown as SamplingRequest;

describe('the limits of a grant', () => {
	afterEach(() => {
		screen.onShow = () => undefined;
		closeHeldInput();
	});

	it('close with the request, and give no grant', async () => {
		const closing = new AbortController();
		const draft = { limits: undefined };
		let titles = 0;
		screen.onShow = () => {
			titles++;
			closing.abort();
		};
		assert.equal(await askForGrant('a', 'id', request, model, draft, closing.signal), undefined);
		assert.equal(titles, 1);
		assert.deepEqual(draft, { limits: ['model', 'maxTokens', 'noTools'] });
	});
});
