// Whatever a server has started ends with it, in whatever session: with real processes, and as other systems list them.
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { hasMark, listProcesses, markName, type ProcessSource } from '../../../../src/node/process/processTable.js';
import { ProcessTree } from '../../../../src/node/process/processTree.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { skip } from '../../../support/skip.js';
import { stdioBench } from '../../../support/stdioBench.js';
import { eventually, isAlive, next } from '../../../support/waiting.js';

/** A process as `/proc` has it. */
interface Shown {
	readonly pid: number;
	readonly parent: number;
	readonly group?: number;
	readonly start?: number;
	readonly state?: string;
	readonly mark?: string;
	readonly command?: readonly string[];
}

function linux(shown: readonly Shown[]): ProcessSource {
	const find = (path: string): Shown => {
		const it = shown.find(({ pid }) => path.startsWith(`/proc/${pid}/`));
		if (!it) {
			throw Object.assign(new Error(path), { code: 'ENOENT' });
		}
		return it;
	};
	return {
		platform: 'linux',
		readFolder: () => ['self', 'cpuinfo', '1', '9999', ...shown.map(it => String(it.pid))],
		readText: path => {
			const { pid, parent, group = pid, start = pid, state = 'S', mark, command = ['a'] } = find(path);
			if (path.endsWith('cmdline')) {
				return `${command.join('\0')}\0`;
			}
			return path.endsWith('environ')
				? `A=1\0${mark === undefined ? '' : `${markName}=${mark}\0`}B=2\0`
				: `${pid} (a) S 1 (b) ${state} ${parent} ${group} 7 0 -1 4194304 102 0 0 0 1 2 3 4 20 0 1 0 ${start} 3133440 410\n`;
		},
		run: () => assert.fail(),
	};
}

describe('a tree of processes', () => {
	const tree = (shown: readonly Shown[], options = {}): ProcessTree =>
		new ProcessTree(42, { source: linux(shown), ...options });
	const pids = (it: ProcessTree): number[] => it.members().map(({ pid }) => pid);
	const root: Shown = { pid: 42, parent: 7 };

	const rows: readonly (readonly [string, readonly Shown[], readonly number[], object?])[] = [
		['nothing', [root, { pid: 43, parent: 7 }], []],
		['children and theirs, whatever their group', [{ pid: 44, parent: 43 }, root, { pid: 43, parent: 42 }], [43, 44]],
		['what has lost its parent, but not its group', [root, { pid: 43, parent: 1, group: 42 }], [43]],
		['no zombie', [root, { pid: 43, parent: 42, state: 'Z' }], []],
		['nothing that is older than its parent', [root, { pid: 43, parent: 42, start: 41 }], []],
		['what is marked', [root, { pid: 43, parent: 1, mark: 'm' }, { pid: 44, parent: 43 }], [43, 44], { mark: 'm' }],
		['nothing that is marked as another’s', [root, { pid: 43, parent: 1, mark: 'n' }], [], { mark: 'm' }],
		['nothing marked that is older', [root, { pid: 43, parent: 1, start: 41, mark: 'm' }], [], { mark: 'm' }],
		[
			'not the browser of the person, which a page of the server has started',
			[
				root,
				{ pid: 43, parent: 1, mark: 'm', command: ['/usr/lib/firefox/firefox', 'https://a.example/'] },
				{ pid: 44, parent: 43, mark: 'm', command: ['/usr/lib/firefox/firefox-bin', '-contentproc'] },
			],
			[],
			{ mark: 'm' },
		],
		[
			'not what others share, with what it has started: agents, daemons, editors',
			[
				root,
				{ pid: 43, parent: 1, mark: 'm', command: ['gpg-agent', '--homedir', '/h', '--daemon'] },
				{ pid: 44, parent: 1, mark: 'm', command: ['tmux: server'] },
				{ pid: 45, parent: 44, mark: 'm', command: ['-bash'] },
				{ pid: 46, parent: 1, mark: 'm', command: ['/usr/share/code/code', '--unity-launch'] },
				{ pid: 47, parent: 1, mark: 'm', command: ['/usr/bin/codegen'] },
			],
			[47],
			{ mark: 'm' },
		],
		[
			'not the pages of that browser, nor what was opened from it',
			[
				root,
				{ pid: 43, parent: 1, mark: 'm', command: ['/opt/google/chrome/chrome', '--profile-directory=Default'] },
				{ pid: 44, parent: 43, mark: 'm', command: ['/proc/self/exe', '--type=utility'] },
				{ pid: 45, parent: 43, mark: 'm', command: ['/opt/google/chrome/chrome --type=renderer --lang=a/b'] },
				{ pid: 46, parent: 43, group: 43, mark: 'm', command: ['/usr/bin/evince', 'a.pdf'] },
				{ pid: 47, parent: 46, mark: 'm' },
			],
			[],
			{ mark: 'm' },
		],
		[
			'the pages of a browser that has ended',
			[root, { pid: 45, parent: 1, mark: 'm', command: ['/opt/google/chrome/chrome --type=renderer --lang=a/b'] }],
			[45],
			{ mark: 'm' },
		],
		[
			'not the editor that we run in, and what runs in it',
			[
				root,
				{ pid: 43, parent: 42, mark: 'm' },
				{ pid: process.ppid, parent: 1, start: 50, mark: 'm' },
				{ pid: process.pid, parent: process.ppid, start: 51, mark: 'm' },
				{ pid: 7_000_001, parent: process.ppid, mark: 'm' },
				{ pid: 7_000_002, parent: process.pid, mark: 'm' },
			],
			[43],
			{ mark: 'm' },
		],
		[
			'what was left to an ancestor of us',
			[root, { pid: process.ppid, parent: 1, start: 50 }, { pid: 7_000_001, parent: process.ppid, mark: 'm' }],
			[7_000_001],
			{ mark: 'm' },
		],
		[
			'a browser that the server drives',
			[
				root,
				{ pid: 43, parent: 42, command: ['/opt/chrome', '--user-data-dir=/tmp/p', '--remote-debugging-pipe'] },
				{ pid: 44, parent: 43, command: ['/opt/chrome', '--type=renderer'] },
			],
			[43, 44],
		],
		['not ourselves', [root, { pid: process.pid, parent: 42, start: 99 }], []],
		['not the children of another that has its pid', [root, { pid: 43, parent: 42 }], [], { startTime: '41' }],
		['not the group of another that has its pid', [root, { pid: 43, parent: 1, group: 42 }], [], { startTime: '41' }],
		[
			'what was seen before its root ended, and its group',
			[
				{ pid: 43, parent: 1, group: 42 },
				{ pid: 44, parent: 1, group: 42 },
			],
			[43, 44],
			{ startTime: '42', members: [{ pid: 43, startTime: '43' }] },
		],
		[
			'nothing whose pid was given to another since',
			[root, { pid: 43, parent: 1 }],
			[],
			{ members: [{ pid: 43, startTime: '5' }] },
		],
	];
	for (const [name, shown, expected, options] of rows) {
		it(`has ${name}`, () => {
			assert.deepEqual(
				pids(tree(shown, options)).toSorted((a, b) => a - b),
				expected,
			);
		});
	}

	it('remembers who was in it when their parents are gone', () => {
		const shown: Shown[] = [root, { pid: 43, parent: 42 }, { pid: 44, parent: 43 }];
		const it = tree(shown);
		assert.deepEqual(pids(it), [43, 44]);
		shown.splice(
			0,
			3,
			{ pid: 42, parent: 7 },
			{ pid: 44, parent: 1 },
			{ pid: 45, parent: 44 },
			{ pid: 46, parent: 42 },
		);
		it.endRoot();
		assert.deepEqual([pids(it), it.hasRoot()], [[44, 45], false]);
	});

	it('signals each once, the group of the root only if that is meant', () => {
		const signalled: unknown[] = [];
		const shown: readonly Shown[] = [root, { pid: 43, parent: 42, group: 42 }, { pid: 44, parent: 42 }];
		const kill = mock.method(process, 'kill', (pid: number, signal: string) => signalled.push([pid, signal]) > 0);
		const any = [
			tree(shown).signal('SIGTERM', { besidesGroup: true }),
			tree(shown).signal('SIGKILL'),
			tree([root]).signal('SIGKILL'),
		];
		kill.mock.restore();
		assert.deepEqual(signalled, [
			[44, 'SIGTERM'],
			[43, 'SIGKILL'],
			[44, 'SIGKILL'],
		]);
		assert.deepEqual(any, [true, true, false]);
	});

	it('is known on macOS by what ps lists, to the second', () => {
		const day = 'Sat Nov  1 03:37:2';
		const lines = [
			`    1     0     1 Ss   ${day}0 2026`,
			`   42     7    42 S+   ${day}4 2026`,
			`   43    42    43 Ss   ${day}4 2026`,
			`  144    43   144 Z    ${day}4 2026`,
			`  145    43   145 S    ${day}3 2026`,
		];
		const source: ProcessSource = {
			platform: 'darwin',
			readText: () => assert.fail(),
			readFolder: () => assert.fail(),
			run: (...asked) => {
				assert.deepEqual(asked, [
					'/bin/ps',
					['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='],
				]);
				return lines.join('\n');
			},
		};
		const [member, ...others] = new ProcessTree(42, { source }).members();
		assert.deepEqual([member, others], [{ pid: 43, parent: 42, group: 43, startTime: 'Sat Nov 1 03:37:24 2026' }, []]);
	});

	it('is empty where the system does not say', () => {
		const silent = { ...linux([root]), readFolder: () => assert.fail() };
		assert.deepEqual(listProcesses(silent), []);
		assert.deepEqual(listProcesses({ ...silent, platform: 'win32' }), []);
		assert.equal(hasMark(43, 'm', linux([])), false);
	});
});

describe('what a server has started in sessions of their own', function () {
	this.timeout(20_000);
	const cleanup = leakCheck();
	const { watch } = stdioBench(cleanup);

	for (const how of ['close', 'dispose', 'crash'] as const) {
		it(`ends with it: ${how}`, async function () {
			if (process.platform !== 'linux') {
				skip(this, 'elsewhere a process that has lost its parent before anybody looked is not found');
			}
			const { transport } = watch('daemon', { graceMs: 100 });
			const told = next(transport.onDidReceive);
			await transport.start();
			const { pids } = ((await told).value as { params: { pids: number[] } }).params;
			cleanup.later(async () => pids.filter(isAlive).forEach(it => process.kill(it, 'SIGKILL')));
			assert.deepEqual(pids.map(isAlive), [true, true]);
			if (how === 'crash') {
				const ended = next(transport.onDidEnd);
				process.kill(transport.pid ?? 0, 'SIGKILL');
				await ended;
			} else if (how === 'close') {
				await transport.close();
			} else {
				transport.dispose();
			}
			await eventually(() => !pids.some(isAlive), 'both are gone');
			await eventually(() => !isAlive(transport.pid ?? 0), 'Server "is gone"');
		});
	}
});
