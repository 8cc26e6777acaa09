import * as assert from 'node:assert/strict';
import { chooseKnownText, chooseText } from '../../../../src/editor/l10n/chooseText.js';
import { describeFailure } from '../../../../src/editor/l10n/messages.js';

describe('chooseText', () => {
	type Shape = { readonly kind: 'round'; readonly code: number } | { readonly kind: 'flat' };
	type Problem = { readonly code: 'late'; readonly kind: string } | { readonly code: 'lost' };

	it('takes the tag that the table knows, whatever else the value has', () => {
		const shape = (value: Shape): string =>
			chooseText(value, { round: ({ code }) => `round ${code}`, flat: () => 'flat' });
		assert.equal(shape({ kind: 'round', code: -32_000 }), 'round -32000');
		assert.equal(shape({ kind: 'flat' }), 'flat');
		const problem = (value: Problem): string =>
			chooseText(value, { late: ({ kind }) => `late ${kind}`, lost: () => 'lost' });
		assert.equal(problem({ code: 'late', kind: 'train' }), 'late train');
	});

	it('has no text for what a table leaves out, nor for what every object inherits', () => {
		assert.equal(chooseKnownText<Shape>({ kind: 'flat' }, { round: () => 'round' }), undefined);
		assert.equal(chooseKnownText({ kind: 'toString' }, {}), undefined);
	});

	it('tells why a server refused to start: its error has a code of its own', () => {
		const failure = { kind: 'refused', code: -32_000, message: 'no licence' } as const;
		assert.equal(describeFailure(failure), 'The server refused to start: "no licence"');
	});
});
