/** The dependencies of the pages of tools, prompts and resource templates, for one server without an editor. */
import type { Event } from '../../src/base/lifecycle.js';
import type { MessageRing } from '../../src/core/messages/messageRing.js';
import { Completions } from '../../src/core/search/completions.js';
import type { Server } from '../../src/core/servers/server.js';
import type { RunPageDeps } from '../../src/editor/pages/runPage.js';
import { AjvValidator } from '../../src/mcp/schema/ajvValidator.js';
import { extensionUri } from './barePage.js';

/** @param onDidChange fires when the pages should refresh */
export function pageDeps(server: Server, onDidChange: Event<void>, messages: MessageRing, documents = {}): RunPageDeps {
	const ajv = new AjvValidator();
	const deps = {
		registry: {
			onDidChange,
			current: () => server,
			label: () => 'garden',
			labelOf: () => 'garden',
			redact: (value: unknown) => value,
			configured: Promise.resolve(),
			serverOf: () => server,
		},
		documents,
		validator: {
			check: async (schema: unknown, value: unknown) => ajv.check(JSON.stringify(schema), JSON.stringify(value)),
		},
		completions: new Completions(),
		context: { extensionUri },
		messages,
	};
	return deps as unknown as RunPageDeps;
}
