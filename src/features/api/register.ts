/** Makes the API for other extensions. Their calls go through approval, history and audit log like all calls. */
import type { AnsweredCall, Call } from '../../core/calls/calls.js';
import type { Interactions } from '../../core/calls/interactions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { Api } from './api.js';
import type { CallTool } from './serverConnection.js';

export interface ApiFeatureDeps {
	readonly registry: ServerRegistry;
	readonly interactions: Interactions;
	readonly tools: { callFor(call: Call, options: Parameters<CallTool>[1]): Promise<Pick<AnsweredCall, 'result'>> };
}

export function registerApi({ registry, interactions, tools }: ApiFeatureDeps): Api {
	return new Api({
		registry,
		interactions,
		callTool: async (call, options) => (await tools.callFor(call, options)).result,
	});
}
