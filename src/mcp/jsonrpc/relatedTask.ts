/** Which task a message belongs to. Spec 2025-11-25, tasks: its `_meta` names the task. */
import { isObject, type JsonObject } from './messages.js';

/** Key of `_meta`. */
export const relatedTask = 'io.modelcontextprotocol/related-task';

/** The id of the task; `undefined` if the message belongs to none. */
export function relatedTaskOf({ _meta: meta }: JsonObject): string | undefined {
	const task = isObject(meta) ? meta[relatedTask] : undefined;
	return isObject(task) && typeof task['taskId'] === 'string' ? task['taskId'] : undefined;
}
