/** Kept definitions of tools in memory, in place of the editor's state and of a lock file. */
import type { Tool } from '../../src/mcp/index.js';
import type { ToolStore } from '../../src/core/approvals/approver.js';
import {
	addToLock,
	compareTool,
	findLockProblem,
	type ParsedLock,
	type ToolComparison,
	type ToolLock,
} from '../../src/core/approvals/toolLock.js';
import type { ServerDefinition } from '../../src/core/config/serverDefinition.js';

export class MemoryTools implements ToolStore {
	/** The lock file. */
	lock: ParsedLock = { kind: 'read', lock: {} };
	/** What last ran here. */
	ran: ToolLock = {};
	/** Why nothing can be kept. */
	error: Error | undefined;

	/** Names of the tools of a server that ran here. */
	names(server = 'garden'): string[] {
		return Object.keys(this.ran[server]?.tools ?? {});
	}

	async compare(
		{ name: server }: ServerDefinition,
		tool: Tool,
		instructions: string | undefined,
	): Promise<ToolComparison> {
		return compareTool(this.lock, this.ran, { server, tool, instructions });
	}

	async accept({ name: server }: ServerDefinition, tool: Tool, instructions: string | undefined): Promise<void> {
		if (this.error) {
			throw this.error;
		}
		const part = { server, tool, instructions };
		this.ran = findLockProblem(part) === undefined ? addToLock(this.ran, part) : this.ran;
	}
}
