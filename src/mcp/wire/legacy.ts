/** The codec of the legacy era: params and results are sent unchanged. */
import { isObject } from '../jsonrpc/messages.js';
import type { Codec } from './codec.js';

export function legacyCodec(revision: string): Codec {
	return {
		era: 'legacy',
		revision,
		acceptsRequests: true,
		// Spec 2025-03-26: "MUST support receiving JSON-RPC batches". Removed in 2025-06-18.
		acceptsBatches: revision === '2025-03-26',
		encodeRequest: (_method, params) => ({ params }),
		encodeNotification: (_method, params) => ({ params }),
		decodeResult(result) {
			// Spec 2025-11-25, tasks: the result of a task-augmented request is the task.
			const { task } = result;
			return isObject(task) && typeof task['taskId'] === 'string' && !('content' in result)
				? { kind: 'task', task }
				: { kind: 'complete', result };
		},
	};
}
