// Which names and texts are taken for secrets.
import * as assert from 'node:assert/strict';
import { describeInput, suggestInputs, toServerInputs } from '../../../../src/core/config/serverInputs.js';
import { looksLikeSecret } from '../../../../src/base/secretWords.js';
import { findSecret, isSecretName } from '../../../../src/core/text/secretNames.js';

describe('the name of a secret', () => {
	const names = (
		'token TOKEN my_token_x clientSecret passwd PASSWORD db-pwd api_key API.KEY apikey access-key accessKey private_key ' +
		'credentials Authorization authorisation key x-key MY_KEY a.pat PAT auth x_auth api-key-1 api_key_prod api.key.x ' +
		'access-key-1 access_key_x private.key.x privateKey2 private_key_x token_name_2 tokensecret'
	).split(' ');
	for (const name of names) {
		it(`is ${name}`, () => assert.equal(isSecretName(name), true));
	}

	const others = (
		'monkey keyboard path spat authority keys token_file TOKEN_PATH token-url secret.uri token_endpoint key_id token_limit ' +
		'token_limits auth_token_mode token_type secret_name token_region token_count token_size token_ttl token_timeout ' +
		'secret_dir token_host token_port max_tokens maxTokens user'
	).split(' ');
	for (const name of others) {
		it(`is not ${name}`, () => assert.equal(isSecretName(name), false));
	}
});

describe('the form that services give secrets', () => {
	const prefixes = (
		'sk- sk_ pk_ rk_ gho_ ghp_ ghs_ ghu_ github_pat_ glpat- xoxa- xoxb- xoxp- xoxr- xoxs- AKIA AIza eyJ0-_a. ntn_ secret_ pat- pat_ ' +
		'fc- tvly- hf_ npm_ lin_ dop_ figd_ SG.'
	).split(' ');
	for (const prefix of prefixes) {
		it(`begins with ${prefix}`, () => {
			assert.equal(looksLikeSecret(`${prefix}0123456789.-`), true);
			assert.deepEqual(
				[`${prefix}0123456789a`, `x${prefix}0123456789.-`, `${prefix}0123456789.- x`, `${prefix}0123 456789.-`].map(
					looksLikeSecret,
				),
				[false, false, false, false],
			);
		});
	}
});

describe('a secret that is found in a value', () => {
	for (const [text, key, found] of [
		['abc', 'KEY', { start: 0, end: 3, why: 'secret', password: true }],
		['Bearer abcdefgh', 'Authorization', { start: 7, end: 15, why: 'secret', password: true }],
		['Bearer abc<token>', 'X', { start: 10, end: 17, why: 'placeholder', password: true }],
		['of <name>!', 'X', { start: 3, end: 9, why: 'placeholder', password: false }],
		['{{ab}}', 'X', { start: 0, end: 6, why: 'placeholder', password: false }],
	] as const) {
		it(`has its place: ${text}`, () => assert.deepEqual(findSecret(text, key), found));
	}
});

describe('a value that is taken for a secret', () => {
	const why = (key: string, text: string): string | undefined =>
		suggestInputs({ type: 'stdio', command: 'x', env: { [key]: text } })[0]?.why;
	const table: readonly (readonly [key: string, text: string, why: 'secret' | 'placeholder' | undefined])[] = [
		// By its name, unless it plainly is none.
		['KEY', 'abc', 'secret'],
		...['true', 'FALSE', '123456', 'none', 'oauth', ' ', ''].map(it => ['KEY', it, undefined] as const),
		['KEY', '1234567', 'secret'],
		['Authorization', 'Bearer abcdefgh', 'secret'],
		['X', 'Bearer abcdefgh', undefined],
		['X', 'a1b2c3d4e5f6g7h8i9j0k1l2', undefined],
		// What asks for it, or passes it on.
		['KEY', '${env:KEY}', undefined],
		['KEY', 'a${input:key}', undefined],
		['KEY', '${KEY:-}', 'placeholder'],
		['KEY', 'https://<host>/x', 'placeholder'],
		['KEY', 'sk-live-abc', 'secret'],
		...['XXXX', 'xxxx-xxxx', 'sk-xxxx', 'sk-…', 'ghp_...', '***', 'changeme', '{{a}}', '{a-b}', '[A_B]', '${A:-b}'].map(
			it => ['X', it, 'placeholder'] as const,
		),
		...['your own', 'YOUR_KEY', 'sk-your-key', 'paste your key here', 'api_key_here'].map(
			it => ['X', it, 'placeholder'] as const,
		),
		...['XX', 'abcdefghijk-xxxx', 'xxxx-axxx', 'a{B}', '{B}a', 'changemes', 'yourself', 'max', 'my-project'].map(
			it => ['X', it, undefined] as const,
		),
	];
	for (const [key, text, expected] of table) {
		it(`${key}=${text}: ${expected ?? 'none'}`, () => assert.equal(why(key, text), expected));
	}
});

describe('a placeholder', () => {
	it('asks for a password by its words', () => {
		const passwords = (...texts: string[]): boolean[] =>
			texts.map(it => suggestInputs({ type: 'stdio', command: 'x', env: { X: it } })[0]?.password ?? false);
		assert.deepEqual(passwords('your key', 'YOUR-TOKEN', '<token>', '<x-key-y>'), [true, true, true, false]);
		assert.deepEqual(passwords('your name', '<name>', 'xxxx', 'todo'), [false, false, false, false]);
	});
});

describe('what a file asks for', () => {
	it('is read where it has an id and a type', () => {
		const input = { id: 'a', type: 'promptString', password: true };
		assert.deepEqual(
			toServerInputs([input, { id: 'a' }, { type: 'b' }, { id: 1, type: 'b' }, { id: 'a', type: 1 }, 'a', null]),
			[input],
		);
		assert.deepEqual([toServerInputs(undefined), toServerInputs({ 0: input }), toServerInputs('a')], [[], [], []]);
	});

	it('is a secret by its name, where nothing describes it', () => {
		assert.deepEqual(describeInput('api-key'), {
			id: 'api-key',
			type: 'promptString',
			description: 'api-key',
			password: true,
		});
		assert.deepEqual(describeInput('user'), { id: 'user', type: 'promptString', description: 'user' });
	});
});
