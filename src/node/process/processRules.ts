/**
 * How processes are started and ended on each system. PURE: the platform is a parameter, so that the rules of
 * one system are tested on another.
 */

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** How a signal reaches a process and all it has started. */
export type EndStep =
	/** `process.kill` with the negative pid: the group that it leads. */
	| { readonly kind: 'signal'; readonly pid: number; readonly signal: EndSignal }
	| { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
	/** Nothing could be reached any more. */
	| { readonly kind: 'none' };

/** Options of `spawn` that give a server a group to end it by, and no window. */
export function spawnRules(platform: NodeJS.Platform): { readonly windowsHide: boolean; readonly detached: boolean } {
	// Detached on Windows means a console of its own, with a window; trees are found by their parents there.
	return { windowsHide: true, detached: platform !== 'win32' };
}

/**
 * The environment of a server: on Windows its shell, which runs `.cmd` files, and the scripts that it starts do not look
 * for programs in the working directory either.
 */
export function spawnEnvironment(
	platform: NodeJS.Platform,
	env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
	const name = 'NoDefaultCurrentDirectoryInExePath';
	const isSet = Object.keys(env).some(it => it.toUpperCase() === name.toUpperCase());
	return platform !== 'win32' || isSet ? env : { ...env, [name]: '1' };
}

/**
 * What to send, one after another with time between, to a server that does not end at the end of its stdin.
 * Windows has no polite signal: Node's SIGTERM ends the process there as firmly as SIGKILL, and it alone.
 */
export function endSignals(platform: NodeJS.Platform): readonly EndSignal[] {
	return platform === 'win32' ? ['SIGKILL'] : ['SIGTERM', 'SIGKILL'];
}

/**
 * How to end the process `pid` and all it has started. After its exit, `hasExited`, its group still exists
 * while anything is left in it; a tree of Windows is known by its root alone, whose pid may be another's by then.
 */
export function endStep(
	platform: NodeJS.Platform,
	pid: number,
	signal: EndSignal,
	{ hasExited = false }: { readonly hasExited?: boolean } = {},
): EndStep {
	// -0 would be our own group, and -1 all that we may signal.
	if (!Number.isSafeInteger(pid) || pid <= 1) {
		return { kind: 'none' };
	}
	if (platform !== 'win32') {
		return { kind: 'signal', pid: -pid, signal };
	}
	return hasExited
		? { kind: 'none' }
		: { kind: 'command', command: 'taskkill', args: ['/pid', String(pid), '/T', '/F'] };
}
