/** The task that a message belongs to. Spec 2025-11-25, tasks: `_meta` names it. */
import { isObject, type JsonObject, toObject } from './messages.js';

/** The key in `_meta`. */
export const relatedTask = 'io.modelcontextprotocol/related-task';

/** The id of the task; `undefined` if there is none. */
export function relatedTaskOf({ _meta: meta }: JsonObject): string | undefined {
	const task = isObject(meta) ? meta[relatedTask] : undefined;
	return isObject(task) && typeof task['taskId'] === 'string' ? task['taskId'] : undefined;
}

/** The result with the task in its `_meta`. */
export function withRelatedTask(result: JsonObject, task: unknown): JsonObject {
	return { ...result, _meta: { ...toObject(result['_meta']), [relatedTask]: task } };
}
