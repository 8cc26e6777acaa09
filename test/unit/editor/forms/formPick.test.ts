/** The review of a form: what its lines say, and which of them has the focus. */
import * as assert from 'node:assert/strict';
import { type FormDraft, type FormOutcome, type FormRequest, runForm } from '../../../../src/editor/forms/formPick.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { formFields } from '../../../../src/mcp/schema/formModel.js';
import { type QuickPickDouble, screen } from '../../../support/quickPickDouble.js';

const schema = {
	properties: { plant: { enum: ['rose', 'tulip'] }, count: { type: 'integer', default: 1 }, note: { type: 'string' } },
	required: ['plant'],
};

describe('the review of a form', () => {
	/** Of each review: the line with the focus. */
	let reviews: string[];
	let plays: ((pick: QuickPickDouble) => void)[];

	beforeEach(() => {
		[reviews, plays] = [[], []];
		screen.onShow = pick => {
			reviews.push(`focus: ${pick.activeItems[0]?.label}`);
			(plays.shift() ?? (it => it.accept('Run')))(pick);
		};
	});
	afterEach(() => {
		closeHeldInput();
		screen.onShow = () => undefined;
	});

	const choose =
		(label: string) =>
		(pick: QuickPickDouble): void =>
			pick.accept(label);

	function run(draft: FormDraft | undefined, more: Partial<FormRequest> = {}): Promise<FormOutcome> {
		return runForm({
			form: formFields(schema),
			title: 'plant',
			showAll: () => Promise.resolve(),
			draft,
			submitLabel: 'Run',
			...more,
		});
	}

	it('focuses Run after the person has filled in the required fields', async () => {
		plays = [choose('tulip')];
		const values = { plant: 'tulip', count: 1 };
		assert.deepEqual(await run({ values: { count: 1 }, texts: { plant: 'tul' } }), { kind: 'submitted', values });
		assert.deepEqual(reviews, ['focus: undefined', 'focus: Run']);
	});

	it('shows why a value is invalid at its field, and does not submit it', async () => {
		let seen: readonly string[] = [];
		plays = [
			pick => {
				const [count] = pick.items;
				seen = [...pick.lines.filter(it => /^(count|Run)/.test(it)), count?.detail ?? ''];
				pick.accept('Cancel');
			},
		];
		const count = { type: 'integer', minimum: 1 };
		await run({ values: { count: 0 }, texts: {} }, { form: formFields({ properties: { count } }) });
		assert.deepEqual(
			[seen, reviews],
			[['count | 0', 'Run | Fix "count" first', 'Value must be at least 1'], ['focus: count']],
		);
	});

	/** The lines of the fields. */
	async function lines(properties: object, values: FormDraft['values']): Promise<unknown[]> {
		let seen: unknown[] = [];
		plays = [
			pick => {
				const fields = pick.items.filter(it => Object.keys(properties).includes(it.label));
				seen = fields.map(({ label, description, detail }) => [label, description, detail]);
				pick.accept('Cancel');
			},
		];
		await run({ values, texts: {} }, { form: formFields({ properties }) });
		return seen;
	}

	it('shows a value below its name if there is no room beside it', async () => {
		const string = { type: 'string' };
		assert.deepEqual(await lines({ name: string, a: string }, { name: 'x'.repeat(60), a: 'b' }), [
			['name', undefined, `"${'x'.repeat(60)}"`],
			['a', '"b"', undefined],
		]);
	});
});
