// Which names and texts are taken for secrets.
import * as assert from 'node:assert/strict';
import {
	describeInput,
	findWishes,
	isSecretName,
	looksLikeSecret,
	readInputs,
} from '../../../src/model/serverInputs.js';

describe('the name of a secret', () => {
	const names = (
		'token TOKEN my_token_x clientSecret passwd PASSWORD db-pwd api_key API.KEY apikey access-key accessKey private_key ' +
		'credentials Authorization authorisation key x-key MY_KEY a.pat PAT auth x_auth'
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

describe('a value that is taken for a secret', () => {
	const why = (key: string, text: string): string | undefined =>
		findWishes({ type: 'stdio', command: 'x', env: { [key]: text } })[0]?.why;
	const table: readonly (readonly [key: string, text: string, why: 'secret' | 'placeholder' | undefined])[] = [
		// By its name, unless it plainly is none.
		['KEY', 'abc', 'secret'],
		...['true', 'FALSE', '1', '123456', 'none', 'null', 'oauth', 'bearer', ' ', ''].map(
			it => ['KEY', it, undefined] as const,
		),
		['KEY', '1234567', 'secret'],
		['KEY', 'untrue', 'secret'],
		['KEY', 'truely', 'secret'],
		// By a scheme before it.
		['X', 'Bearer abcdefgh', 'secret'],
		['X', 'basic  abcdefgh', 'secret'],
		['X', 'token abcdefgh', 'secret'],
		['X', 'ApiKey abcdefgh', 'secret'],
		['X', 'Bearer abcdefg', undefined],
		['X', 'A bearer abcdefgh', undefined],
		['X', 'Bearer', undefined],
		// By its looks.
		['X', 'a1b2c3d4e5f6g7h8i9j0k1l2', 'secret'],
		['X', 'a1b2c3d4e5f6g7h8i9j0k1l', undefined],
		['X', 'a1b2a1b2a1b2a1b2a1b2a1b2', undefined],
		['X', 'abcdefghijklmnopqrstuvw1', undefined],
		['X', '012345678901234567890123', undefined],
		['X', 'abcdefghijklmnopqrstuvwx', undefined],
		['X', 'a1b2c3d4e5f6 g7h8i9j0k1l2', undefined],
		// What asks for it, or hands it on.
		['KEY', '${env:KEY}', undefined],
		['KEY', 'a${input:key}', undefined],
		['KEY', '${KEY:-}', 'placeholder'],
		['KEY', '<key>', 'placeholder'],
		['KEY', 'https://<host>/x', 'placeholder'],
		['KEY', '<1>', 'placeholder'],
		['KEY', 'sk-live-XXXX', 'placeholder'],
		['KEY', 'sk-live-XXXX-abc', 'secret'],
		['KEY', 'ghp_…', 'placeholder'],
		['KEY', 'xx', 'secret'],
	];
	for (const [key, text, expected] of table) {
		it(`${key}=${text}: ${expected ?? 'none'}`, () => assert.equal(why(key, text), expected));
	}
});

describe('what a file asks for', () => {
	it('is read where it has an id and a type', () => {
		const input = { id: 'a', type: 'promptString', password: true };
		assert.deepEqual(
			readInputs([input, { id: 'a' }, { type: 'b' }, { id: 1, type: 'b' }, { id: 'a', type: 1 }, 'a', null]),
			[input],
		);
		assert.deepEqual([readInputs(undefined), readInputs({ 0: input }), readInputs('a')], [[], [], []]);
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
