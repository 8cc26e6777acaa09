/**
 * Calls that became tasks, until their ends are known: the id is kept in the workspace's state, and a server that still
 * knows it gives the result to the next session. Of one that has forgotten it only the history tells.
 */
import { isAbort } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import type { KeptList, KeptState } from '../../editor/storage/keptState.js';
import { isObject, type JsonObject, McpError, RpcError, type Tool } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import { isCaller } from '../../core/history/historyEntry.js';
import { withoutSecretArguments } from '../../core/text/keptArguments.js';
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
	/** Who has called. */
	readonly caller: Caller;
	/** Milliseconds since 1970. */
	readonly startedAt: number;
}

/** Waits for the end of a task and tells it. Rejects as the client's `resumeTask` does where nobody was told. */
export type FollowTask = (server: Server, task: OpenTask) => Promise<void>;

export class OpenTasks extends Owner {
	/** Those whose ends somebody waits for. */
	private readonly followed = new Set<string>();
	private readonly kept: KeptList<OpenTask>;

	constructor(
		registry: Pick<ServerRegistry, 'onDidChange' | 'servers'>,
		state: KeptState,
		private readonly follow: FollowTask,
	) {
		super();
		this.kept = state.list(key, isTask);
		this.own(registry.onDidChange(server => this.resume(server ? [server] : registry.servers)));
	}

	/** A call has become a task, or is still one. */
	async opened(server: Server, tool: Tool, taskId: string, args: JsonObject, caller: Caller): Promise<void> {
		const id = idOf(server, taskId);
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
			startedAt: Date.now(),
		};
		await this.kept.keep([...this.kept.entries, task].slice(-maxTasks));
	}

	/** Nobody waits for it any more. @param error what it failed with, if it did */
	async ended(server: Server, taskId: string, error: unknown): Promise<void> {
		this.followed.delete(idOf(server, taskId));
		if (isEnd(error)) {
			const { id } = server.definition;
			await this.kept.keep(this.kept.entries.filter(it => it.server !== id || it.taskId !== taskId));
		}
	}

	private resume(servers: readonly Server[]): void {
		for (const server of servers) {
			for (const task of server.client ? this.kept.entries.filter(it => it.server === server.definition.id) : []) {
				const id = idOf(server, task.taskId);
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

/** Whether there is nothing to wait for any more. What a broken connection has lost may still come to its end. */
export function isEnd(error: unknown): boolean {
	return (
		error === undefined ||
		error instanceof RpcError ||
		isAbort(error) ||
		(error instanceof McpError && !['closed', 'network', 'http', 'sessionLost', 'timeout'].includes(error.failure.code))
	);
}

function idOf(server: Server, taskId: string): string {
	return `${server.definition.id}/${taskId}`;
}

function isTask(task: unknown): task is OpenTask {
	return (
		isObject(task) &&
		typeof task['server'] === 'string' &&
		typeof task['tool'] === 'string' &&
		typeof task['taskId'] === 'string' &&
		typeof task['startedAt'] === 'number' &&
		isObject(task['arguments']) &&
		isCaller(task['caller'])
	);
}
