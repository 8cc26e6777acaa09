// The question for client ID and secret, and its button that copies the redirect URI.
import * as assert from 'node:assert/strict';
import { askClient } from '../../../../src/features/auth/prompt.js';
import { closeHeldInput } from '../../../../src/editor/ui/quickInput.js';
import { env, window } from '../../../support/vscodeDouble.js';

interface Button {
	readonly tooltip?: string;
}

describe('the question for a client', () => {
	afterEach(() => {
		Reflect.deleteProperty(window, 'createInputBox');
		closeHeldInput();
	});

	/** Presses every button of the first box, then leaves it. */
	async function pressed(redirectUri: string | undefined): Promise<unknown> {
		const tooltips: unknown[] = [];
		let press = (_button: Button): void => undefined;
		const hiding: (() => void)[] = [];
		const input = {
			buttons: [] as readonly Button[],
			onDidChangeValue: () => undefined,
			onDidAccept: () => undefined,
			onDidTriggerButton: (listener: typeof press) => void (press = listener),
			onDidHide: (listener: () => void) => void hiding.push(listener),
			dispose: () => undefined,
			show: () =>
				setImmediate(() => {
					tooltips.push(...input.buttons.map(it => it.tooltip));
					input.buttons.forEach(it => press(it));
					setImmediate(() => hiding.forEach(it => it()));
				}),
		};
		Object.assign(window, { createInputBox: () => input });
		assert.equal(await askClient('tracker', 'https://as.example', redirectUri), undefined);
		return tooltips;
	}

	it('copies the redirect URI whole, however long it is', async () => {
		const uri = `http://127.0.0.1:1/${'x'.repeat(300)}`;
		assert.deepEqual(await pressed(uri), ['Copy Redirect URI']);
		assert.equal(await env.clipboard.readText(), uri);
	});

	it('names the host that gets the secret, the issuer of the settings, or the confirmation to come', async () => {
		const prompts: string[] = [];
		Object.assign(window, {
			createInputBox: () => {
				let accept = (): void => undefined;
				let change = (_value: string): void => undefined;
				const input = {
					value: '',
					prompt: '',
					buttons: [],
					onDidChangeValue: (listener: typeof change) => void (change = listener),
					onDidAccept: (listener: typeof accept) => void (accept = listener),
					onDidTriggerButton: () => undefined,
					onDidHide: () => undefined,
					hide: () => undefined,
					dispose: () => undefined,
					show: () =>
						setImmediate(() => {
							prompts.push(input.prompt);
							input.value = 'x';
							change('x');
							accept();
						}),
				};
				return input;
			},
		});
		const issuer = 'https://files.example/users/mallory';
		await askClient('tracker', issuer, undefined, '', undefined, 'tokens.example');
		await askClient('tracker', issuer, undefined);
		await askClient('tracker', undefined, undefined);
		assert.equal(prompts[0], `Enter the client ID. Authorization server: ${issuer}.`);
		assert.deepEqual(
			[1, 3, 5].map(it => prompts[it]?.split('secret storage. ')[1]),
			[
				'Only tokens.example gets the secret.',
				`Only ${issuer} gets the secret.`,
				'At the next sign-in, you confirm which host gets the secret.',
			],
		);
	});

	it('has nothing to copy where the redirect URI is not known yet', async () => {
		assert.deepEqual(await pressed(undefined), []);
	});
});
