/** What the extension needs of the extension host that it runs in. `extension.ts` supplies it. */
import type { Disposable, Event } from '../base/lifecycle.js';
import type { Logger } from '../base/log.js';
import type { ClientFiles } from '../core/addServer/otherClients.js';
import type { Machine } from '../core/diagnosis/doctor.js';
import type { LineJournal } from '../core/history/journal.js';
import type { Environment } from '../core/launch/environment.js';
import type { ProgramFinder } from '../core/launch/launchSnapshot.js';
import type { ResolvedProcess } from '../core/launch/resolvedServer.js';
import type { AuthorizerOptions, HttpFetch, LazyValidatorOptions, Transport } from '../mcp/index.js';
import type { LoopbackPages } from './auth/pages.js';
import type { Ports } from './workspace/debugging.js';

/** How the server that comes with the extension is started: what would stand in a file. */
export interface DemoEntry {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** What every process is started with. */
export interface StdioSettings {
	readonly maxMessageBytes: number;
	readonly onStderr: (line: string) => void;
}

/** What differs between the kinds of extension host. */
export interface Platform {
	readonly environment: Environment;
	/** Of what belongs to no server. */
	readonly log: Logger;
	/** Where programs are; for servers that do not start. */
	readonly machine: Machine & ProgramFinder;
	/** What other clients have configured. */
	readonly clientFiles: ClientFiles;
	/** The server that comes with the extension; undefined where no server can run as a child process. */
	readonly demo: DemoEntry | undefined;
	/** Makes the transport of a server that runs as a child process. */
	readonly stdio: (launch: ResolvedProcess, options: StdioSettings) => Transport;
	/** Where calls are kept, if the workspace has a place for it, and what was decided about them. */
	readonly journals: { readonly history: LineJournal | undefined; readonly audit: LineJournal };
	/** Disposed with everything else. */
	readonly fetch: HttpFetch & Disposable;
	/** Fires when the machine has slept, or is in another network; nothing of before waits in `fetch` by then. */
	readonly onDidWake: Event<void>;
	readonly ports: Ports;
	/** Listens for a browser of this machine; undefined where nothing can listen. */
	readonly loopback: LoopbackPages | undefined;
	/** Loads what signing in takes, which is a bundle of its own. */
	readonly loadAuthorization: AuthorizerOptions['load'];
	/** Loads Ajv, which is a bundle of its own. */
	readonly loadValidator: LazyValidatorOptions['load'];
}
