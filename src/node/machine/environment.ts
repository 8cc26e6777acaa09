/** What the machine around the extension host looks like. */
import { homedir, hostname } from 'node:os';

/** The desktop and remote implementation of the model's `Environment` port. */
export class NodeEnvironment {
	readonly home: string = homedir();
	readonly hostName: string = hostname();
	readonly ignoresCase: boolean = process.platform === 'win32' || process.platform === 'darwin';

	/** The value of an environment variable, `undefined` if it is not set. */
	get(name: string): string | undefined {
		return process.env[name];
	}

	/**
	 * The environment a server inherits: ours, without what the editor set for its own processes
	 * (`ELECTRON_RUN_AS_NODE` alone would turn an Electron-based server into something else).
	 */
	inherited(): Record<string, string> {
		const result: Record<string, string> = {};
		for (const [name, value] of Object.entries(process.env)) {
			if (value !== undefined && !/^(ELECTRON_|VSCODE_)/i.test(name)) {
				result[name] = value;
			}
		}
		return result;
	}
}
