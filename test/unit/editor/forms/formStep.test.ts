import * as assert from 'node:assert/strict';
import { askField } from '../../../../src/editor/forms/formStep.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { type Field, formFields } from '../../../../src/mcp/index.js';
import { screen } from '../../../support/quickPickDouble.js';
import { window } from '../../../support/vscodeDouble.js';

const tea: Field = {
	kind: 'choice',
	name: 'tea',
	title: undefined,
	description: undefined,
	required: true,
	nullable: false,
	isSecret: false,
	default: undefined,
	options: ['green', 'mint'].map(it => ({ title: it, value: it })),
};

describe('a field with choices', () => {
	const { onShow } = screen;
	afterEach(() => {
		closeHeldInput();
		Object.assign(screen, { onShow });
	});

	it('is not asked for once its form is withdrawn', async () => {
		const context = {
			title: '',
			step: undefined,
			canGoBack: false,
			value: undefined,
			text: undefined,
		};
		screen.onShow = () => undefined;
		assert.deepEqual(await askField(tea, { ...context, signal: AbortSignal.abort() }), {
			kind: 'left',
			text: undefined,
		});
	});

	it('says that nothing matches what was typed, until something else is typed', async () => {
		const titles: string[] = [];
		screen.onShow = pick => {
			for (const text of ['zzz', 'zz']) {
				pick.type(text);
				titles.push(pick.title);
				pick.accept();
				titles.push(pick.title);
			}
			pick.type('mint');
			titles.push(pick.title);
			pick.accept('mint');
		};
		const answer = await askField(tea, {
			title: 'answer',
			step: undefined,
			canGoBack: false,
			value: undefined,
			text: undefined,
		});
		const complaint = 'answer — No matching choices';
		assert.deepEqual(titles, ['answer', complaint, 'answer', complaint, 'answer']);
		assert.deepEqual(answer, { kind: 'answered', value: 'mint' });
	});
});

it('Enter in an empty box is no answer to a required text, unless the text is empty already', async () => {
	const messages: unknown[] = [];
	let [accept, change] = [(): void => undefined, (): void => undefined];
	const input = {
		value: '',
		validationMessage: undefined,
		onDidChangeValue: (listener: () => void) => void (change = listener),
		onDidAccept: (listener: () => void) => void (accept = listener),
		onDidTriggerButton: () => undefined,
		onDidHide: () => undefined,
		dispose: () => undefined,
		show: () =>
			setImmediate(() => {
				accept();
				messages.push(input.validationMessage);
				input.value = 'sesame';
				change();
				accept();
			}),
	};
	Object.assign(window, { createInputBox: () => input });
	try {
		const [token = assert.fail()] = formFields({
			properties: { token: { type: 'string' } },
			required: ['token'],
		}).fields;
		const context = { title: '', step: undefined, canGoBack: false, text: undefined };
		assert.deepEqual(await askField(token, { ...context, value: undefined }), { kind: 'answered', value: 'sesame' });
		assert.deepEqual(messages, ['Required · token (Required. Enter text.)']);
		assert.deepEqual(await askField(token, { ...context, value: '' }), { kind: 'answered', value: '' });
	} finally {
		Reflect.deleteProperty(window, 'createInputBox');
		closeHeldInput();
	}
});
