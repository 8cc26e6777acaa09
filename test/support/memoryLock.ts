/** Locked definitions in memory, in the place of a lock file. */
import * as assert from 'node:assert/strict';
import { AbortError } from '../../src/base/errors.js';
import type { Tool } from '../../src/mcp/index.js';
import type { LockStore, WrittenLocks } from '../../src/core/approvals/approver.js';
import { type ParsedLock, findLockProblem, addToLock } from '../../src/core/approvals/toolLock.js';
import type { ServerDefinition } from '../../src/core/config/serverDefinition.js';

export class MemoryLock implements LockStore {
	/** What is in the file. */
	parsed: ParsedLock = { kind: 'read', lock: {} };
	/** Why nothing can be written. */
	error: Error | undefined;

	constructor(private readonly file: string) {}

	/** Names of the locked tools of a server. */
	names(server = 'garden'): string[] {
		return this.parsed.kind === 'read' ? Object.keys(this.parsed.lock[server]?.tools ?? {}) : ['broken'];
	}

	read(): Promise<ParsedLock> {
		return Promise.resolve(this.parsed);
	}

	lock(
		{ name }: ServerDefinition,
		tools: readonly Tool[],
		instructions: string | undefined,
		signal?: AbortSignal,
	): Promise<WrittenLocks> {
		if (signal?.aborted) {
			return Promise.reject(new AbortError());
		}
		const isTooMuch = tools.some(tool => findLockProblem({ server: name, tool, instructions }) !== undefined);
		if (this.error ?? isTooMuch) {
			return Promise.reject(this.error ?? new Error('too large'));
		}
		assert.ok(this.parsed.kind === 'read', 'written over what cannot be read');
		const before = this.names(name);
		const lock = tools.reduce((it, tool) => addToLock(it, { server: name, tool, instructions }), this.parsed.lock);
		this.parsed = { kind: 'read', lock };
		return Promise.resolve({ file: this.file, added: tools.map(it => it.name).filter(it => !before.includes(it)) });
	}
}
