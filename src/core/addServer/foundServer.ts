/**
 * The servers that are found in a text, or the reason why there are none. Types only, because the readers of texts are a
 * bundle of their own (`serverReader.ts`).
 */
import type { ServerEntry } from '../config/serverEntry.js';
import type { ServerInput } from '../config/serverInputs.js';
import type { CommandLineProblem } from './shellWords.js';

/** A server that was found in a text. */
export interface FoundServer {
	/** The name in the text. */
	readonly name: string | undefined;
	readonly entry: ServerEntry;
	/** Keys of the text that `mcp.json` doesn't allow. */
	readonly leftOut: readonly string[];
	/** Values that the server can do without, and that the entry leaves out. */
	readonly optional?: readonly OptionalValue[];
	/** The same server with inputs for some of its optional values, which are added to the inputs of the text. */
	withOptional?(names: ReadonlySet<string>): FoundServer;
}

export interface OptionalValue {
	/** The name of the variable, header or argument. */
	readonly name: string;
	readonly description: string;
	readonly isSecret: boolean;
}

export interface FoundServers {
	readonly servers: readonly FoundServer[];
	/** The definitions of inputs in the text. */
	readonly inputs: readonly ServerInput[];
	/** Whether the servers are ways to run the same server, of which the person needs one. */
	readonly areAlternatives?: boolean;
}

export type PasteProblem =
	| CommandLineProblem
	| { readonly code: 'empty' | 'tooLong' | 'url' }
	/** The text looks like JSON, but isn't. */
	| { readonly code: 'json'; readonly offset: number }
	/** The text looks like another format, but isn't valid. */
	| { readonly code: 'format'; readonly format: TextFormat }
	/** The text is JSON that is nested too deeply. */
	| { readonly code: 'tooDeep' }
	/** The text has no server. */
	| { readonly code: 'noServer' }
	/** The text is a file that is known, such as `package.json`, and has no server. */
	| { readonly code: 'otherFile'; readonly file: string }
	/** The link belongs to a product, and can't be read. */
	| { readonly code: 'link'; readonly product: string }
	/** The server is in an MCP bundle, which has to be unpacked. */
	| { readonly code: 'bundle' }
	/** The server is a package of a registry whose packages can't be run by one command. */
	| { readonly code: 'package'; readonly registry: string }
	/** The package serves HTTP, so the person has to start it. */
	| { readonly code: 'httpPackage'; readonly command: string; readonly url: string }
	/** The command installs a package, or adds a server to another client, instead of starting a server. */
	| { readonly code: 'installs'; readonly command: string };

export type TextFormat = 'JSON' | 'TOML' | 'YAML';

export type Pasted =
	| ({ readonly kind: 'servers' } & FoundServers)
	| { readonly kind: 'problem'; readonly problem: PasteProblem };

/** The servers of one client, or of one of its projects. */
export interface ClientServers {
	/** The folder that uses the servers; `undefined` for all folders. */
	readonly project: string | undefined;
	readonly servers: readonly FoundServer[];
	readonly inputs: readonly ServerInput[];
}

/** Finds servers in texts of other programs. Never throws. */
export interface ServerReader {
	/** The servers in a text of any kind. */
	parsePasted(text: string): Pasted;
	/** The servers in a client's file; `undefined` if the file isn't valid or exceeds a limit. Leaves out groups without servers. */
	readClientFile(text: string, format: TextFormat): ClientServers[] | undefined;
}

export function failed(problem: PasteProblem): Pasted {
	return { kind: 'problem', problem };
}

export function found(servers: readonly FoundServer[], inputs: readonly ServerInput[] = []): Pasted {
	return { kind: 'servers', servers, inputs };
}
