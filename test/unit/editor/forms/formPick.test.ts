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
			submitIcon: 'play',
			validator: { check: async () => ({ kind: 'valid' }) },
			...more,
		});
	}

	it('has the focus on Run after the person has filled in what is required', async () => {
		plays = [choose('tulip')];
		const values = { plant: 'tulip', count: 1 };
		assert.deepEqual(await run({ values: { count: 1 }, texts: { plant: 'tul' } }), { kind: 'submitted', values });
		assert.deepEqual(reviews, ['focus: undefined', 'focus: Run']);
	});

	it('shows at its field that a value does not match its pattern, and does not run then', async () => {
		let seen: readonly string[] = [];
		plays = [
			pick => {
				const [code] = pick.items;
				seen = [...pick.lines.filter(it => /^(code|Run)/.test(it)), code?.detail ?? ''];
				pick.accept('Cancel');
			},
		];
		await run(undefined, {
			form: formFields({ properties: { code: { type: 'string', pattern: '^a+$', default: 'b' } } }),
			validator: { check: async () => ({ kind: 'invalid', problems: [], complete: true }) },
		});
		assert.deepEqual(
			[seen, reviews],
			[['code | "b"', 'Run | Fix "code" first', 'Value must match the pattern ^a+$'], ['focus: code']],
		);
	});

	it('says of a pattern that cannot be checked that it was not', async () => {
		let seen: unknown;
		plays = [
			pick => {
				const [{ description, detail } = assert.fail()] = pick.items;
				seen = [description, detail];
				pick.accept('Run');
			},
		];
		const outcome = await run(undefined, {
			form: formFields({ properties: { code: { type: 'string', pattern: '(a+)+$', default: 'b' } } }),
			validator: { check: async () => ({ kind: 'unchecked', why: 'tooSlow', detail: '' }) },
		});
		assert.deepEqual(seen, ['"b"', 'Pattern not checked']);
		assert.equal(outcome.kind, 'submitted');
	});

	/** The lines of the fields, and whether all arguments can be shown in full. */
	async function lines(properties: object, values: FormDraft['values']): Promise<unknown[]> {
		let seen: unknown[] = [];
		plays = [
			pick => {
				const labels = pick.items.map(it => it.label);
				const fields = pick.items.filter(it => Object.keys(properties).includes(it.label));
				seen = [
					...fields.map(({ label, description, detail }) => [label, description, detail]),
					labels.includes('Show Arguments in Full'),
				];
				pick.accept('Cancel');
			},
		];
		await run({ values, texts: {} }, { form: formFields({ properties }) });
		return seen;
	}

	it('has a value below its name where there is no room beside it', async () => {
		const string = { type: 'string' };
		assert.deepEqual(await lines({ name: string, a: string }, { name: 'x'.repeat(60), a: 'b' }), [
			['name', undefined, `"${'x'.repeat(60)}"`],
			['a', '"b"', undefined],
			false,
		]);
	});

	it('offers all arguments in full where a line may be cut', async () => {
		const text = 'x'.repeat(100);
		assert.deepEqual(await lines({ job: { type: 'string' } }, { job: text }), [['job', undefined, `"${text}"`], true]);
		const name = 'n'.repeat(100);
		assert.deepEqual(await lines({ [name]: { type: 'integer' } }, { [name]: 1 }), [[name, undefined, '1'], true]);
	});
});
