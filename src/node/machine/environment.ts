/** The environment of the extension host, and its network. */
import { homedir, hostname, networkInterfaces } from 'node:os';

/** Implements the core's `Environment` port with Node. */
export class NodeEnvironment {
	readonly home: string = homedir();
	readonly hostName: string = hostname();
	readonly ignoresCase: boolean = process.platform === 'win32' || process.platform === 'darwin';

	/** The value of an environment variable. */
	get(name: string): string | undefined {
		return process.env[name];
	}

	/**
	 * The environment that servers inherit: ours without the variables that the editor sets for its own processes. With
	 * `ELECTRON_RUN_AS_NODE`, a server that is an Electron app would not start as one.
	 */
	inherited(): Record<string, string> {
		const entries = Object.entries(process.env as Record<string, string>);
		return Object.fromEntries(entries.filter(([name]) => !/^(ELECTRON_|VSCODE_)/i.test(name)));
	}
}

/** The machine's own addresses as a text, which changes with the network. */
export function networkNow(): string {
	const addresses = Object.values(networkInterfaces()).flatMap(it => it ?? []);
	return addresses
		.filter(it => !it.internal && !it.address.startsWith('fe80:'))
		.map(it => it.address)
		.sort()
		.join(' ');
}
