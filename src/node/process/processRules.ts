/** How processes are started and ended on each system. The platform is a parameter, so that tests run on any system. */

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** How a process and its descendants are signalled. */
export type EndStep =
	/** `process.kill` with a negative process id: the group of that id. */
	| { readonly kind: 'signal'; readonly pid: number; readonly signal: EndSignal }
	| { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] }
	/** There is nothing to signal. */
	| { readonly kind: 'none' };

/** Options of `spawn` that give a server its own process group and no window. */
export function spawnRules(platform: NodeJS.Platform): { readonly windowsHide: boolean; readonly detached: boolean } {
	// On Windows, a detached process gets a console window, and descendants are found by their parents.
	return { windowsHide: true, detached: platform !== 'win32' };
}

/**
 * The environment of a server. On Windows, it keeps the shell that runs `.cmd` files from looking for programs in the
 * working directory.
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
 * The signals for a server that doesn't end when its stdin is closed, in order, with a pause after each. On Windows, Node's
 * SIGTERM kills like SIGKILL, and only the process itself.
 */
export function endSignals(platform: NodeJS.Platform): readonly EndSignal[] {
	return platform === 'win32' ? ['SIGKILL'] : ['SIGTERM', 'SIGKILL'];
}

/**
 * How to end a process and its descendants. If `hasExited`, the process group still exists while a member is running; on
 * Windows, the tree can only be found by its root, whose process id may have been reused.
 */
export function endStep(
	platform: NodeJS.Platform,
	pid: number,
	signal: EndSignal,
	{ hasExited = false }: { readonly hasExited?: boolean } = {},
): EndStep {
	// -0 is our own group, and -1 means every process.
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
