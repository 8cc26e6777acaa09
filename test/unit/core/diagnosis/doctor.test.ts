import * as assert from 'node:assert/strict';
import type { Found, Situation } from '../../../../src/core/diagnosis/diagnosis.js';
import {
	examine,
	type ServerMachine,
	shellPathFirst,
	type ShellPath,
} from '../../../../src/core/diagnosis/diagnosis.js';
import type { ServerFailure } from '../../../../src/core/servers/serverState.js';

const missing = (command: string): ServerFailure => ({
	kind: 'protocol',
	failure: { code: 'spawn', command, errno: 'ENOENT' },
});

/** A machine with files at full paths; records the requests to it. */
class TestMachine implements ServerMachine {
	readonly platform = 'linux';
	readonly asked: string[] = [];
	shell: ShellPath = { kind: 'known', shell: '/bin/zsh', path: '/h/bin:/usr/bin' };

	constructor(private readonly files: readonly string[]) {}

	mergePaths(first: string, second: string): string {
		return `${first}+${second}`;
	}

	shellPath(reload: boolean): Promise<ShellPath> {
		this.asked.push(reload ? 'shell anew' : 'shell');
		return Promise.resolve(this.shell);
	}

	find(command: string, path: string, folder: string): Promise<Found | undefined> {
		this.asked.push(`find ${command} on ${path} in ${folder}`);
		const found = [command, ...path.split(':').map(it => `${it}/${command}`)].find(it => this.files.includes(it));
		return Promise.resolve(found === undefined ? undefined : { path: found, interpreter: undefined });
	}

	findElsewhere(command: string): Promise<readonly Found[]> {
		this.asked.push(`elsewhere ${command}`);
		return Promise.resolve(
			this.files.includes(`/v/${command}`) ? [{ path: `/v/${command}`, interpreter: undefined }] : [],
		);
	}
}

function situation(failure: ServerFailure, stderr: readonly string[] = []): Situation {
	const launch = { kind: 'stdio', command: 'x', args: [], cwd: undefined, env: {}, envFile: undefined } as const;
	return { failure, launch, stderr, noise: [] };
}

const place = { path: '/usr/bin', folder: '/w' };

describe('examination', () => {
	it('asks the shell again for a missing command, and finds one that was installed since', async () => {
		const machine = new TestMachine(['/h/bin/uvx', '/v/uvx']);
		const { diagnosis, search } = await examine(situation(missing('uvx')), place, machine);
		assert.deepEqual(diagnosis.cause, { code: 'onlyOnShellPath', program: 'uvx', path: '/h/bin/uvx' });
		assert.deepEqual(
			search?.elsewhere.map(it => it.path),
			['/v/uvx'],
		);
		assert.deepEqual(machine.asked, [
			'find uvx on /usr/bin in /w',
			'shell anew',
			'elsewhere uvx',
			'find uvx on /h/bin:/usr/bin in /w',
		]);
	});

	it('goes on where the shell says nothing', async () => {
		const machine = new TestMachine(['/v/uvx']);
		machine.shell = { kind: 'unknown', shell: '/bin/nu', why: 'unsupported' };
		const { diagnosis } = await examine(situation(missing('uvx')), place, machine);
		assert.deepEqual(diagnosis.cause, { code: 'offPath', program: 'uvx', path: '/v/uvx' });
	});

	it('runs no shell for a path, nor where nothing is missing', async () => {
		const machine = new TestMachine([]);
		await examine(situation(missing('./bin/x')), place, machine);
		await examine(
			situation({ kind: 'exited', exitCode: 1, signal: undefined }, ['API_KEY is not set']),
			place,
			machine,
		);
		assert.deepEqual(machine.asked, ['find ./bin/x on /usr/bin in /w']);
	});

	it('the PATH of the shell goes before that of the editor; without it there is none', async () => {
		const machine = new TestMachine([]);
		const environment = { home: '/h', hostName: 'h', ignoresCase: false, get: () => '/usr/bin', inherited: () => ({}) };
		assert.equal(await shellPathFirst(machine, environment), '/h/bin:/usr/bin+/usr/bin');
		machine.shell = { kind: 'unknown', shell: '', why: 'failed' };
		assert.equal(await shellPathFirst(machine, environment), undefined);
		assert.deepEqual(machine.asked, ['shell', 'shell']);
	});
});
