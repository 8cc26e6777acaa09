/** The legacy era: parameters and results are what they look like. */
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { Codec, Decoded, Encoded } from './codec.js';

export class LegacyCodec implements Codec {
	readonly era = 'legacy';
	readonly acceptsRequests = true;
	readonly acceptsBatches: boolean;

	constructor(readonly revision: string) {
		// Spec 2025-03-26: "MUST support receiving JSON-RPC batches"; removed again by 2025-06-18.
		this.acceptsBatches = revision === '2025-03-26';
	}

	encodeRequest(_method: string, params: JsonObject): Encoded {
		return { params };
	}

	encodeNotification(_method: string, params: JsonObject): Encoded {
		return { params };
	}

	decodeResult(result: JsonObject): Decoded {
		// Spec 2025-11-25, tasks: a task-augmented request is answered with the task it became.
		const { task } = result;
		return isObject(task) && typeof task['taskId'] === 'string' && !('content' in result)
			? { kind: 'task', task }
			: { kind: 'complete', result };
	}
}
