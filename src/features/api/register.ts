/** Makes the API for other extensions. Their calls go through approval and history like all calls. */
import type { AnsweredCall, Call } from '../../core/calls/calls.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { Api, type MakeCall } from './api.js';

export interface ApiFeatureDeps {
	readonly registry: ServerRegistry;
	readonly tools: { callFor(call: Call, options: Parameters<MakeCall>[1]): Promise<Pick<AnsweredCall, 'result'>> };
}

export function registerApi({ registry, tools }: ApiFeatureDeps): Api {
	return new Api({ registry, makeCall: async (call, options) => (await tools.callFor(call, options)).result });
}
