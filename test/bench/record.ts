/**
 * What approving and remembering a call cost, in this process: `node record.js decide|open|add`, prints milliseconds.
 * `decide`: one decision of a policy with 1,000 rules, over 10,000 tools, each looked at as if for the first time and then
 * again. `open`: the first page of a history of 100,000 calls. `add`: one call more in such a history.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { nullLogger } from '../../src/base/log.js';
import { type ApprovalInput, decideApproval } from '../../src/core/approvals/approval.js';
import type { EndedCall } from '../../src/core/calls/calls.js';
import { History } from '../../src/core/history/history.js';
import { historyEntryOf } from '../../src/core/history/historyEntry.js';
import { emptyPolicy, type PolicyRule } from '../../src/core/approvals/policy.js';
import { Journal } from '../../src/node/journal.js';

const tools = 10_000;
const rules = 1000;
const entries = 100_000;
/** As the extension has it; see `extension.ts`. */
const historySize = { maxFileBytes: 1024 * 1024, maxFiles: 64 };

function decide(): number {
	const kinds = ['ask', 'deny', 'allow'] as const;
	const policy = {
		rules: Array.from({ length: rules }, (_, index): PolicyRule => {
			const decision = kinds[index % 3] ?? 'ask';
			return { decision, servers: [`*server-${index % 7}`], tools: [`read_*_${index}`, `write_${index}*`] };
		}),
		otherwise: 'ask',
	} as const;
	const inputs = Array.from({ length: tools }, (_, index): ApprovalInput => {
		const tool = index % 2 === 0 ? `read_notes_${index}` : `list_${index}`;
		return {
			caller: { kind: 'model' },
			serverId: 'id',
			facts: {
				server: `my-server-${index % 7}`,
				tool,
				annotations: undefined,
				pathScope: { roots: ['project'], outside: [], unclear: [] },
				scopeOf: () => ({ roots: ['project'], outside: [], unclear: [] }),
			},
			argumentsKey: '{"path":"a/b.txt"}',
			isTrusted: true,
			definitionPolicy: { kind: 'read', policy },
			userPolicy: { kind: 'read', policy: emptyPolicy },
			lock: 'same',
			definitionHash: 'f',
			grants: [],
		};
	});
	let asked = 0;
	const startedAt = process.cpuUsage();
	for (const input of [...inputs, ...inputs]) {
		asked += decideApproval(input).kind === 'ask' ? 1 : 0;
	}
	const ms = cpuSince(startedAt) / (2 * tools);
	if (asked === 0 || asked === 2 * tools) {
		throw new Error(`The rules decide nothing: ${asked}`);
	}
	return ms;
}

async function withHistory<T>(use: (history: History, journal: Journal) => Promise<T>): Promise<T> {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-bench-'));
	try {
		const lines = Array.from(
			{ length: entries },
			(_, index) =>
				`${JSON.stringify(historyEntryOf({ kind: 'call', ...call(index) }, `old-${index}`, same, String))}\n`,
		);
		for (let file = 0, at = 0; at < lines.length; file++) {
			const text: string[] = [];
			for (let bytes = 0; bytes < historySize.maxFileBytes && at < lines.length; at++) {
				text.push(lines[at] ?? '');
				bytes += lines[at]?.length ?? 0;
			}
			fs.writeFileSync(path.join(folder, `${String(file).padStart(15, '0')}.jsonl`), text.join(''));
		}
		const journal = new Journal(folder, historySize);
		const history = new History({
			journal,
			isKept: () => true,
			describeError: String,
			log: nullLogger,
			redact: it => it,
		});
		const result = await use(history, journal);
		history.dispose();
		return result;
	} finally {
		fs.rmSync(folder, { recursive: true });
	}
}

/** The elapsed time: a person waits for the disk as well. */
function open(): Promise<number> {
	return withHistory(async history => {
		const startedAt = performance.now();
		while (history.hasMore && history.entries.length < 200) {
			await history.loadMore();
		}
		return performance.now() - startedAt;
	});
}

function add(): Promise<number> {
	return withHistory(async (history, journal) => {
		const count = 2000;
		const calls = Array.from({ length: count }, (_, index) => call(index));
		await history.loadMore();
		const startedAt = process.cpuUsage();
		calls.forEach(it => history.record({ kind: 'call', ...it }));
		await journal.append('{}');
		return cpuSince(startedAt) / count;
	});
}

function cpuSince(startedAt: NodeJS.CpuUsage): number {
	const { user, system } = process.cpuUsage(startedAt);
	return (user + system) / 1000;
}

function same<T>(value: T): T {
	return value;
}

function call(index: number): EndedCall {
	const args = { path: `notes/${index}.txt`, encoding: 'utf8' };
	const server = {
		definition: { id: 'file:///work/.vscode/mcp.json#filesystem', name: 'filesystem' },
		log: { warn: (): void => undefined },
	};
	return {
		time: 1_700_000_000_000 + index,
		durationMs: index % 100,
		caller: { kind: 'model' },
		server: server as unknown as EndedCall['server'],
		inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
		tool: 'read_text_file',
		title: 'Read Text File',
		arguments: args,
		approval: {
			isAllowed: true,
			arguments: args,
			decision: { kind: 'allow', reason: { kind: 'byDefault' } },
			answer: undefined,
		},
		end: {
			kind: 'answered',
			result: { content: [{ type: 'text', text: 'What stands in the note, a line or two.' }], isError: false },
		},
	};
}

async function main(): Promise<void> {
	const what = process.argv[2];
	const ms = what === 'decide' ? decide() : what === 'open' ? await open() : await add();
	process.stdout.write(String(ms));
}

void main();
