import * as assert from 'node:assert/strict';
import type { TokenStore } from '../../../../src/mcp/auth/ports.js';
import { Secrets } from '../../../../src/mcp/auth/secrets.js';
import { TestLogger } from '../../../support/testLogger.js';

const grant = {
	issuer: 'https://as.example',
	accessToken: 'a',
	tokenType: 'bearer',
	asked: [],
	client: { way: 'registered', clientId: 'c' },
	by: 'code',
} as const;

function broken(): Promise<never> {
	return Promise.reject(new Error('locked'));
}

describe('the store of tokens', () => {
	it('may fail: what cannot be read is not there, what cannot be kept is told', async () => {
		const log = new TestLogger();
		const store = { get: broken, set: broken, delete: broken } as unknown as TokenStore;
		const secrets = new Secrets(store, 'https://mcp.example/', log);
		assert.deepEqual([await secrets.grant(), await secrets.client('i')], [undefined, undefined]);
		assert.equal(await secrets.changedGrant(), undefined);
		await secrets.keep(secrets.grantKey, grant);
		await secrets.keep(secrets.clientKey('i'), grant.client);
		await secrets.forget(secrets.grantKey);
		await secrets.forget(secrets.clientKey('i'));
		const [read, keep] = ['read', 'kept'].map(it => `warn: A secret could not be ${it}: Error: locked`);
		assert.deepEqual(log.lines, [read, read, keep, keep, keep, keep]);
	});

	it('may hold what is none of ours', async () => {
		const of = (text: string | undefined): Secrets =>
			new Secrets({ get: () => Promise.resolve(text) } as unknown as TokenStore, 'https://mcp.example/');
		assert.deepEqual(await of('{').grant(), undefined);
		assert.deepEqual(await of('{').changedGrant(), undefined);
		assert.deepEqual(await of(undefined).changedGrant(), { grant: undefined });
		assert.deepEqual(await of(JSON.stringify(grant)).changedGrant(), { grant });
	});
});
