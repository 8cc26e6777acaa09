import * as assert from 'node:assert/strict';
import { chooseServer } from '../../../../src/editor/ui/chooseServer.js';
import { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';
import { screen } from '../../../support/quickPickDouble.js';

describe('choosing a server', () => {
	const cleanup = leakCheck();
	const { onShow } = screen;
	const title = 'Start Server';
	let registry: ServerRegistry;
	/** Title and labels of each list that was shown. */
	let asked: (string | undefined)[][];

	beforeEach(() => {
		registry = cleanup.own(new ServerRegistry(new ModelFixture(cleanup).deps));
		asked = [];
		screen.onShow = pick => {
			asked.push([pick.title, ...pick.items.map(it => it.label)]);
			pick.accept(pick.items.at(-1)?.label);
		};
	});
	afterEach(() => Object.assign(screen, { onShow }));

	it('takes the only one without a question', async () => {
		registry.update([definition('a'), definition('b')]);
		const chosen = await chooseServer(registry, undefined, () => true, { title, suits: it => it.name === 'b' });
		assert.equal(chosen?.name, 'b');
		assert.deepEqual(asked, []);
	});

	it('waits for the configuration, which a busy machine reads late', async () => {
		const chosen = chooseServer(registry, { server: 'b' }, () => true, { title });
		await new Promise(resolve => setImmediate(resolve));
		registry.update([definition('a'), definition('b')]);
		assert.equal((await chosen)?.name, 'b');
		// And for no longer than the window is there.
		const never = cleanup.own(new ServerRegistry(new ModelFixture(cleanup).deps));
		const none = chooseServer(never, { server: 'b' }, () => true, { title });
		await never.stopAll();
		await assert.rejects(none, /Server "b" not found/);
	});

	it('asks where there are several', async () => {
		registry.update([definition('a'), definition('b')]);
		assert.equal((await chooseServer(registry, undefined, () => true, { title }))?.name, 'b');
		assert.deepEqual(asked, [[title, 'a', 'b']]);
	});
});
