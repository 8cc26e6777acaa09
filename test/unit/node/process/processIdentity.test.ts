import * as assert from 'node:assert/strict';
import {
	describeProcess,
	locateProcess,
	type ProcessHost,
	type ProcessIdentity,
} from '../../../../src/node/process/processIdentity.js';
import { skip } from '../../../support/skip.js';

const isKnownHere = ['linux', 'darwin', 'win32'].includes(process.platform);

/** A machine that answers what it is told to; everything else fails with `ENOENT`. */
function machine(
	platform: NodeJS.Platform,
	answers: Readonly<Record<string, string | number | Error | undefined>>,
): ProcessHost {
	const answer = (key: string): string | number => {
		const it = answers[key] ?? Object.assign(new Error(key), { code: 'ENOENT' });
		if (it instanceof Error) {
			throw it;
		}
		return it;
	};
	return {
		platform,
		readText: async path => String(answer(path)),
		readLink: async path => String(answer(path)),
		run: async (command, args) => {
			const it = answer([command, ...args].join(' '));
			return typeof it === 'number' ? { code: it, stdout: '' } : { code: 0, stdout: it };
		},
	};
}

const stat = (name: string, state = 'S', start = '821059'): string =>
	`42 (${name}) ${state} 1 42 42 0 -1 4194304 102 0 0 0 1 2 3 4 20 0 1 0 ${start} 3133440 410 184\n`;
const linux = {
	'/proc/sys/kernel/random/boot_id': 'b00t\n',
	'/proc/self/ns/pid': 'pid:[4026531836]',
	'/proc/42/stat': stat('node'),
};
const boot = 'b00t pid:[4026531836]';
const ps = '/bin/ps -o stat= -o lstart= -p 42';
const sysctl = '/usr/sbin/sysctl -n kern.bootsessionuuid';
const darwin = { [ps]: 'Ss   Sat Nov  1 03:37:24 2026\n', [sysctl]: 'B00T\n' };
const powerShell =
	'powershell.exe -NoProfile -NonInteractive -Command $p = Get-Process -Id 42 -ErrorAction SilentlyContinue; ' +
	`if ($p) { $p.StartTime.ToFileTimeUtc() } else { 'gone' }`;
const denied = Object.assign(new Error('denied'), { code: 'EACCES' });

describe('describeProcess', () => {
	for (const [name, platform, answers, expected] of [
		['Linux', 'linux', linux, { pid: 42, startTime: '821059', boot }],
		['a name with blanks and parentheses', 'linux', { ...linux, '/proc/42/stat': stat('a) S 1 (b') }, '821059'],
		['a zombie', 'linux', { ...linux, '/proc/42/stat': stat('node', 'Z') }, undefined],
		['what cannot be read', 'linux', { ...linux, '/proc/42/stat': 'x' }, undefined],
		['no process', 'linux', { ...linux, '/proc/42/stat': denied }, undefined],
		['no boot', 'linux', { '/proc/42/stat': stat('node') }, undefined],
		['macOS', 'darwin', darwin, { pid: 42, startTime: 'Sat Nov 1 03:37:24 2026', boot: 'B00T' }],
		['a zombie of macOS', 'darwin', { ...darwin, [ps]: 'Z    Sat Nov  1 03:37:24 2026\n' }, undefined],
		['no process on macOS', 'darwin', { ...darwin, [ps]: 1 }, undefined],
		['Windows', 'win32', { [powerShell]: '134092341234567890\r\n' }, '134092341234567890'],
		['no process on Windows', 'win32', { [powerShell]: 'gone\r\n' }, undefined],
		['another one’s process on Windows', 'win32', { [powerShell]: '' }, undefined],
		['Windows without PowerShell', 'win32', {}, undefined],
		['a system that we do not know', 'aix', linux, undefined],
	] as const) {
		it(name, async () => {
			const identity = await describeProcess(42, machine(platform, answers));
			assert.deepEqual(typeof expected === 'string' ? identity?.startTime : identity, expected);
		});
	}

	it('knows no process by the numbers that mean groups or all', async () => {
		const reads = machine('linux', { ...linux, '/proc/0/stat': stat('a'), '/proc/1/stat': stat('b') });
		for (const pid of [0, 1, -1, -42, 4.2, Number.NaN]) {
			assert.equal(await describeProcess(pid, reads), undefined, String(pid));
		}
	});

	it('names a real process, the same each time', async function () {
		if (!isKnownHere) {
			skip(this, 'nothing is known here of when a process started');
		}
		this.timeout(20_000);
		const [one, two] = [await describeProcess(process.pid), await describeProcess(process.pid)];
		assert.deepEqual(one, two);
		assert.equal(one && (await locateProcess(one)), 'running');
		const parent = await describeProcess(process.ppid);
		assert.notDeepEqual(parent, one);
	});
});

describe('locateProcess', () => {
	const identity: ProcessIdentity = { pid: 42, startTime: '821059', boot };
	for (const [name, platform, answers, of, expected] of [
		['the very same', 'linux', linux, {}, 'running'],
		['a pid that was given to another', 'linux', linux, { startTime: '821058' }, 'gone'],
		['a pid that nobody has', 'linux', { ...linux, '/proc/42/stat': undefined }, {}, 'gone'],
		['a zombie', 'linux', { ...linux, '/proc/42/stat': stat('node', 'Z') }, {}, 'gone'],
		['another boot', 'linux', linux, { boot: 'other pid:[4026531836]' }, 'elsewhere'],
		['another container', 'linux', linux, { boot: 'b00t pid:[4026532999]' }, 'elsewhere'],
		['what we may not see', 'linux', { ...linux, '/proc/42/stat': denied }, {}, 'unknown'],
		['a system without /proc', 'linux', {}, {}, 'unknown'],
		['macOS', 'darwin', darwin, { startTime: 'Sat Nov 1 03:37:24 2026', boot: 'B00T' }, 'running'],
		['nobody on macOS', 'darwin', { ...darwin, [ps]: 1 }, { boot: 'B00T' }, 'gone'],
		['macOS without ps', 'darwin', { [sysctl]: 'B00T' }, { boot: 'B00T' }, 'unknown'],
		['a ps that fails', 'darwin', { [sysctl]: 'B00T', [ps]: 2 }, { boot: 'B00T' }, 'unknown'],
		['Windows', 'win32', { [powerShell]: '821059' }, { boot: 'win32' }, 'running'],
		['nobody on Windows', 'win32', { [powerShell]: 'gone' }, { boot: 'win32' }, 'gone'],
		['Windows without PowerShell', 'win32', {}, { boot: 'win32' }, 'unknown'],
		['a record that was written elsewhere', 'darwin', darwin, {}, 'elsewhere'],
	] as const) {
		it(`${name}: ${expected}`, async () => {
			const here = machine(platform, answers);
			assert.equal(await locateProcess({ ...identity, ...of }, here), expected);
		});
	}
});
