/** The text of a prompt's messages. */
import * as assert from 'node:assert/strict';
import { promptText } from '../../../../src/features/prompts/promptUses.js';
import type { PromptMessage } from '../../../../src/mcp/index.js';

const messages: readonly PromptMessage[] = [
	{ role: 'user', content: { type: 'text', text: 'Who are you,\u202Ereally?' } },
	{ role: 'assistant', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
];

describe('what is done with a prompt', () => {
	it('keeps every word, and says who speaks only where two do', () => {
		const [first] = messages;
		assert.equal(
			promptText({ description: undefined, messages }),
			'User:\nWho are you,\u202Ereally?\n\nAssistant:\n[image · image/png · 3 B]',
		);
		assert.equal(promptText({ description: undefined, messages: first ? [first] : [] }), 'Who are you,\u202Ereally?');
		assert.equal(promptText({ description: undefined, messages: [] }), '');
	});
});
