import * as assert from 'node:assert/strict';
import { rawTexts } from '../support/rawText.js';
import { readSources } from '../support/sourceTrees.js';

/** The whole message is cleaned where it is shown, as the comment says. */
const cleanedLater = new Set([
	// Documents: `boundedDocument`.
	'features/approvals/facts.ts: it.label',
	'features/approvals/facts.ts: it.text',
	// Pages: `cleanPage`.
	// Documents: `documentText`.
	'editor/documents/contentText.ts: block.uri',
	'editor/documents/contentText.ts: block.name',
	// Lines of quick picks: `quickPickText`.
	'features/elicitation/answerForm.ts: elicitation.request.message',
	// Titles of inputs: `titleText`.
	'editor/l10n/messages.ts: place.name',
	// Made for a notification by the caller.
	'editor/ui/progress.ts: this.title',
	// Cleaned for a title by the caller: `StepContext`.
	'editor/forms/formStep.ts: context.title',
	// Digits that a person has typed, or that a schema holds.
	'editor/l10n/fieldWords.ts: problem.text',
	// One of a list of ours.
	'editor/l10n/samplingWords.ts: problem.name',
	// A code of ours.
	'editor/l10n/authWords.ts: failure.why',
]);

describe('text of others', () => {
	it('is cleaned before it is filled into a message', () => {
		assert.deepEqual(
			rawTexts(readSources()).filter(it => !cleanedLater.has(it)),
			[],
		);
	});

	it('is found where it is not', () => {
		const call =
			"vscode.l10n.t('{0} by {1}', server.name, notificationText(server.name)) + t('{0}', a.b?.message, size)";
		assert.deepEqual(rawTexts({ 'features/x.ts': call }), [
			'features/x.ts: server.name',
			'features/x.ts: a.b?.message',
		]);
	});
});
