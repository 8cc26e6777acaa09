/** The items of *Answer Pending Requests…*: no text of a server makes two requests look alike. */
import * as assert from 'node:assert/strict';
import { lineOf } from '../../../../src/features/pendingRequests/words.js';
import { describeTime } from '../../../../src/editor/l10n/timeText.js';
import type { PendingRequest } from '../../../../src/core/requests/pendingRequests.js';

describe('the line of a pending request', () => {
	const since = 1000;
	const when = describeTime(since);

	function line(subject: unknown, serverLabel = 'shop'): (string | undefined)[] {
		const { label, description, detail } = lineOf({ subject, since } as PendingRequest, serverLabel);
		return [label, description, detail];
	}

	it("begins with the server, what it asks and when; the server's own words are below", () => {
		const message = `Please tell me who you are, ${'so that I can greet you '.repeat(8)}`;
		const question = { request: { mode: 'form', message }, stage: 'asked' };
		const lines = ['shop', 'shed'].map(it => line({ kind: 'elicitation', question }, it));
		assert.deepEqual(
			lines.map(([label]) => label),
			[`shop · Needs an answer · ${when}`, `shed · Needs an answer · ${when}`],
		);
		assert.match(lines[0]?.[2] ?? '', /^The server asks: "Please tell me who you are, so that/);
	});

	it('says which call needs approval', () => {
		const request = { caller: { kind: 'person' }, tool: { name: 'weed' }, arguments: { n: 2 } };
		assert.deepEqual(line({ kind: 'approval', question: { request } }), [
			`shop · Needs approval · ${when}`,
			undefined,
			'weed (n: 2)',
		]);
	});

	it('shows no icons of a server', () => {
		const question = { request: { mode: 'form', message: '$(shield) Safe' }, stage: 'asked' };
		assert.ok(!line({ kind: 'elicitation', question }).join(' ').includes('$('));
	});
});
