// Allow on the approval sheet is unlocked only by a document that was shown and has no hidden characters.
import * as assert from 'node:assert/strict';
import { definitionText } from '../../../../src/features/approvals/definitionText.js';
import { showApprovalSheet, type ApprovalSheetDeps } from '../../../../src/features/approvals/sheet.js';
import { ArgumentsInput } from '../../../../src/features/tools/argumentsInput.js';
import type { JsonObject, Tool } from '../../../../src/mcp/index.js';
import type { ApprovalAnswer, ApprovalQuestion } from '../../../../src/core/approvals/approver.js';
import type { PathScope } from '../../../../src/core/approvals/approval.js';
import type { ReviewEnd } from '../../../../src/core/requests/pendingRequests.js';
import { askForOne, closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { screen } from '../../../support/quickPickDouble.js';
import { window } from '../../../support/vscodeDouble.js';
import { releaseTime, stopTime } from '../../../support/stoppedClock.js';

const nowhere: PathScope = { roots: [], outside: [], unclear: [] };

function questionOf(args: JsonObject, { name = 'weed', lock = 'new', pathScope = nowhere } = {}): ApprovalQuestion {
	const tool: Tool = { name, inputSchema: { type: 'object' } };
	return {
		request: { caller: { kind: 'model' }, definition: {}, tool, tools: [tool], arguments: args },
		decision: { kind: 'ask', reason: { kind: 'byDefault' } },
		input: { lock, facts: { pathScope } },
		comparison: { state: 'new', lock: 'new', ran: 'new', changes: [], locked: undefined },
	} as unknown as ApprovalQuestion;
}

interface Sheet {
	readonly end: ApprovalAnswer | ReviewEnd;
	/** One entry for each time that the sheet was shown. */
	readonly shown: readonly (readonly string[])[];
	readonly title: string;
	readonly seen: { readonly change: boolean; readonly full: boolean };
	readonly documents: readonly string[];
	/** Titles of the documents that were opened. */
	readonly names: readonly string[];
}

/** Chooses the rows one after the other, then closes the sheet. */
async function answer(question: ApprovalQuestion, labels: readonly string[], failure?: Error): Promise<Sheet> {
	const shown: (readonly string[])[] = [];
	const documents: string[] = [];
	const names: string[] = [];
	const seen = { change: false, full: false };
	const left = [...labels];
	let title = '';
	window.messages.length = 0;
	screen.onShow = pick => {
		title = pick.title;
		shown.push(pick.lines);
		const label = left.shift();
		if (label === undefined) {
			pick.hide();
		} else {
			pick.accept(label);
		}
	};
	const show = (name: string, ...texts: unknown[]): Promise<void> => {
		names.push(name);
		documents.push(...texts.filter(it => typeof it === 'string'));
		return failure ? Promise.reject(failure) : Promise.resolve();
	};
	const deps = { documents: { show, showDiff: show }, label: () => 'garden', secrets: () => [] };
	const back = { isWaiting: () => false, isCovered: () => false, review: () => undefined, own: () => undefined };
	const { signal } = new AbortController();
	const end = await showApprovalSheet(question, seen, signal, back, deps as unknown as ApprovalSheetDeps);
	return { end, shown, title, seen, documents, names };
}

/** The rows of a sheet whose request is withdrawn by `signal`. */
async function open(
	args: JsonObject,
	signal: AbortSignal,
	others: Partial<ApprovalSheetDeps>,
): Promise<ApprovalAnswer | ReviewEnd> {
	const deps = { documents: {}, label: () => 'garden', secrets: () => [], ...others };
	const back = { isWaiting: () => true, isCovered: () => false, review: () => undefined, own: () => undefined };
	return showApprovalSheet(
		questionOf(args),
		{ change: false, full: false },
		signal,
		back,
		deps as unknown as ApprovalSheetDeps,
	);
}

const long = { command: 'abcdefg '.repeat(500) };

describe('approval sheet', () => {
	beforeEach(() => stopTime());
	afterEach(() => {
		closeHeldInput();
		releaseTime();
		screen.onShow = pick => pick.hide();
	});

	it('closes the form for its arguments when its call is withdrawn', async () => {
		const withdrawing = new AbortController();
		const { signal } = withdrawing;
		const input = new ArgumentsInput({} as never);
		const labels: string[][] = [];
		screen.onShow = pick => {
			labels.push(pick.items.map(it => it.label));
			if (labels.length === 1) {
				pick.accept('Edit Arguments…');
			} else {
				withdrawing.abort();
			}
		};
		assert.equal(await open({}, signal, { edit: (...edited) => input.edit(...edited) }), 'aside');
		assert.equal(labels.length, 2, 'and is not shown again');
		assert.ok(labels[1]?.includes('Use These Arguments'));
	});

	it('closes the questions for a grant and a rule when its call is withdrawn', async () => {
		for (const label of ['Always Allow…', 'Add Rule…']) {
			const withdrawing = new AbortController();
			const { signal } = withdrawing;
			let shown = 0;
			screen.onShow = pick => {
				shown++;
				if (shown === 1) {
					pick.accept(label);
				} else {
					withdrawing.abort();
				}
			};
			const question = { title: 'Add a rule', placeholder: '' };
			const addRule: ApprovalSheetDeps['addRule'] = async (_, stop) =>
				(await askForOne({ ...question, signal: stop }, [{ label: 'Ask' }])) !== undefined;
			assert.equal(await open({}, signal, { addRule }), 'aside');
			assert.equal(shown, 2, label);
		}
	});

	it('stays open if its document cannot be shown, although the editor reports late that the sheet was hidden', async () => {
		const { signal } = new AbortController();
		let shown = 0;
		screen.onShow = pick => {
			shown++;
			if (shown === 1) {
				pick.accept('Show in Full');
			} else {
				pick.accept('Deny');
			}
		};
		// Longer than the limit of a document.
		assert.deepEqual(await open({ text: 'x'.repeat(21_000_000) }, signal, {}), { kind: 'deny', lasts: 'once' });
		assert.equal(shown, 2);
	}).timeout(20_000);

	it('counts a shown document as opened', async () => {
		const { end, seen, documents } = await answer(questionOf(long), ['Allow Once']);
		assert.deepEqual([end, seen, documents.length], ['done', { change: false, full: true }, 1]);
	});

	it('names the full view differently from the tab of the result', async () => {
		const { names } = await answer(questionOf({}), ['Show in Full']);
		assert.deepEqual(names, ['weed (request) · garden']);
	});

	it('stays locked, and says why, if the full view cannot be shown', async () => {
		const failure = new Error('Files above 50MB cannot be synchronized with extensions.');
		for (const [lock, description] of [
			['new', 'Opens the full view first'],
			['changed', 'Opens the change first'],
		] as const) {
			const { end, seen, shown } = await answer(questionOf(long, { lock }), ['Allow Once', 'Allow Once'], failure);
			assert.deepEqual([end, seen], ['aside', { change: false, full: false }]);
			assert.equal(shown.length, 3);
			assert.ok(shown.every(it => it.includes(`Allow Once | ${description}`)));
			assert.equal(window.messages.length, 2);
			assert.match(window.messages[0] ?? '', /^The document can't be opened\. /);
		}
	});

	it('stays locked if an argument is too large to be shown', async () => {
		for (const args of [{ text: 'x'.repeat(21_000_000) }, { text: '\u200B'.repeat(4_000_000) }]) {
			const { end, seen, shown, documents } = await answer(questionOf(args), ['Allow Once', 'Show in Full']);
			assert.deepEqual([end, seen.full, documents], ['aside', false, []]);
			for (const label of ['Allow Once', 'Allow for This Session', 'Always Allow…']) {
				assert.ok(shown.every(it => it.includes(`${label} | Too large to show`)));
			}
			assert.match(window.messages.join('\n'), /^The document can't be opened\. The call is too large to be shown\./);
		}
	}).timeout(30_000);

	it('says that an answer for the session covers any arguments', async () => {
		const session = 'Allow for This Session | Any arguments, until the window closes';
		assert.ok((await answer(questionOf({}), [])).shown[0]?.includes(session));
		const { shown } = await answer(questionOf(long), []);
		assert.ok(shown[0]?.includes('Allow for This Session | Opens the full view first'), shown[0]?.join('\n'));
	});

	it('offers no lasting allowance for a tool that differs from the lock file', async () => {
		const question = questionOf({}, { lock: 'changed' });
		const decision = { kind: 'ask', reason: { kind: 'changedPin' } } as const;
		for (const [lock, expected] of [
			['same', ["Reason | The tool's definition has changed", 'Allow for This Session', 'Always Allow…']],
			['changed', ["Reason | The tool's definition differs from ", '… | mcp-lock.json']],
		] as const) {
			const comparison = { ...question.comparison, lock };
			const lines = (await answer({ ...question, decision, comparison }, [])).shown[0] ?? [];
			const found = lines.filter(it => /^(Reason|…|Allow for|Always Allow)/.test(it));
			assert.deepEqual(
				found.map(it => it.replace(' | Opens the change first', '')),
				expected,
			);
		}
	});

	for (const [what, pathScope, expected] of [
		['nothing', {}, 'None found in the arguments'],
		['a folder', { roots: ['w'] }, 'w'],
		['a path outside', { outside: ['/etc'] }, 'Outside the workspace: /etc'],
		['both', { roots: ['w'], outside: ['/etc'] }, 'Outside the workspace: /etc'],
		['unclear text', { outside: ['~/a'], unclear: ['~/a'] }, 'Possibly outside the workspace: ~/a'],
		[
			'unclear text and a path outside',
			{ outside: ['/etc', '~/a'], unclear: ['~/a'] },
			'Outside the workspace: /etc; possibly outside: ~/a',
		],
	] as const) {
		it(`shows where paths lead: ${what}`, async () => {
			const { shown } = await answer(questionOf({}, { pathScope: { ...nowhere, ...pathScope } }), []);
			const lines = shown[0] ?? [];
			const start = lines.findIndex(it => it.startsWith('Paths | '));
			const end = lines.findIndex(it => it.startsWith('Server claims | '));
			const text = lines.slice(start, end).map(it => it.replace(/^[^|]*\| /, ''));
			assert.equal(text.join(''), expected);
		});
	}

	it('has a title that the name of a tool cannot close', async () => {
		const { title, shown } = await answer(questionOf({}, { name: 'list_files" on GitHub? (trusted) "' }), []);
		assert.equal(title, 'Allow "list_files\\u{0022} on GitHub? (trusted) \\u{0022}" on "garden"?');
		assert.ok(shown[0]?.includes('Allow Once | Opens the full view first'));
		assert.equal(
			(await answer(questionOf({}, { name: 'a\u200Bb”' }), [])).title,
			'Allow "a\\u{200b}b\\u{201d}" on "garden"?',
		);
		assert.ok((await answer(questionOf({}), [])).shown[0]?.includes('Allow Once'));
	});
});

describe('text of a changed definition', () => {
	const textOf = (description: string, inputSchema: object = {}): string =>
		definitionText({ tool: { description, inputSchema }, instructions: undefined } as Parameters<
			typeof definitionText
		>[0]);

	it('has no overlong line, and no invisible character', () => {
		const text = textOf(`Adds.${' '.repeat(4000)}Then ${'y'.repeat(400)}.\u{E0169}\u3164\u2800\r\n${' '.repeat(300)}z`);
		assert.ok(
			text.split('\n').every(it => it.length <= 90),
			text,
		);
		assert.ok(text.includes('Adds.⟨␣×4000⟩Then'));
		// Two of the spaces are our own indentation.
		assert.ok(text.includes('\\u{e0169}\\u{3164}\\u{2800}\\u{000d}\n⟨␣×302⟩z'), text);
	});

	it('has no section that a server can fake', () => {
		const text = textOf('Adds.\n\nHints (unverified): None\n');
		assert.equal(text.match(/^Hints \(unverified\): None$/gm)?.length, 1, text);
		assert.match(textOf('None'), /^ {2}None$/m);
	});

	it('shows schemas of any depth', () => {
		for (const depth of [60, 200, 100_000]) {
			const json = `${'{"items":'.repeat(depth)}{"const":"deepest"}${'}'.repeat(depth)}`;
			const text = textOf('', JSON.parse(json) as object);
			assert.ok(text.replace(/\n\s*…? ?/g, '').includes('"deepest"'));
			assert.ok(text.split('\n').every(it => it.length <= 130));
		}
	});
});
