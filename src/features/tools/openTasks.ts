/**
 * Keeps the ids of calls that have become tasks in the state of the workspace, so that the next session can get their
 * results. If the server doesn't know a task any longer, only the history shows that.
 */
import { clock } from '../../base/clock.js';
import { isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import { type EditorState, StateList } from '../../editor/storage/editorState.js';
import { type JsonObject, McpError, RpcError, type Tool } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import { withoutSecretArguments } from '../../core/text/callArguments.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

const key = 'openTasks';
const maxTasks = 20;

export interface OpenTask {
	readonly server: string;
	readonly tool: string;
	readonly taskId: string;
	/** Without secrets. */
	readonly arguments: JsonObject;

	readonly caller: Caller;
	/** Milliseconds since 1970. */
	readonly startedAt: number;
}

/** Waits for the end of a task and shows it. Rejects as the client's `resumeTask` if the end wasn't shown. */
export type FollowTask = (server: Server, task: OpenTask) => Promise<void>;

export class OpenTasks extends Owner {
	/** Keys of the tasks that are waited for. */
	private readonly followed = new Set<string>();
	private readonly kept: StateList<OpenTask>;

	constructor(
		registry: Pick<ServerRegistry, 'onDidChange' | 'servers'>,
		state: EditorState,
		private readonly follow: FollowTask,
	) {
		super();
		this.kept = new StateList(state, key);
		this.own(registry.onDidChange(server => this.resume(server ? [server] : registry.servers)));
	}

	/** Keeps a task. Can be called again for the same task. */
	async opened(server: Server, tool: Tool, taskId: string, args: JsonObject, caller: Caller): Promise<void> {
		const id = taskKey(server, taskId);
		if (this.followed.has(id)) {
			return;
		}
		this.followed.add(id);
		const task: OpenTask = {
			server: server.definition.id,
			tool: tool.name,
			taskId,
			arguments: withoutSecretArguments(tool.inputSchema, args),
			caller,
			startedAt: clock.now(),
		};
		await this.kept.keep([...this.kept.entries, task].slice(-maxTasks));
	}

	/** Ends waiting for a task. It is dropped if it has ended. @param error of the task, if it failed */
	async ended(server: Server, taskId: string, error: unknown): Promise<void> {
		this.followed.delete(taskKey(server, taskId));
		if (isEnd(error)) {
			const { id } = server.definition;
			await this.kept.keep(this.kept.entries.filter(it => it.server !== id || it.taskId !== taskId));
		}
	}

	private resume(servers: readonly Server[]): void {
		for (const server of servers) {
			for (const task of server.client ? this.kept.entries.filter(it => it.server === server.definition.id) : []) {
				const id = taskKey(server, task.taskId);
				if (!this.followed.has(id)) {
					this.followed.add(id);
					void this.follow(server, task).then(
						() => this.ended(server, task.taskId, undefined),
						(error: unknown) => this.ended(server, task.taskId, error),
					);
				}
			}
		}
	}
}

/** Whether a task has ended, and not only the connection. @param error of waiting for the task, if it failed */
export function isEnd(error: unknown): boolean {
	return (
		error === undefined ||
		error instanceof RpcError ||
		isAbort(error) ||
		(error instanceof McpError && !['closed', 'network', 'http', 'sessionLost', 'timeout'].includes(error.failure.code))
	);
}

function taskKey(server: Server, taskId: string): string {
	return `${server.definition.id}/${taskId}`;
}
