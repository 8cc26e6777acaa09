/** The services that depend on the kind of extension host. `extension.ts` supplies them. */
import type { Disposable, Event } from '../base/lifecycle.js';
import type { Logger } from '../base/log.js';
import type { ServerReader } from '../core/addServer/foundServer.js';
import type { ClientFiles } from '../core/addServer/otherClients.js';
import type { ServerMachine } from '../core/diagnosis/diagnosis.js';
import type { LineJournal } from '../core/history/history.js';
import type { Environment } from '../core/launch/environment.js';
import type { ProgramFinder } from '../core/launch/launchSnapshot.js';
import type { ResolvedProcess } from '../core/launch/resolvedServer.js';
import type { AuthorizerOptions, HttpFetch, SchemaEngine, Transport } from '../mcp/index.js';
import type { LoopbackPages } from './auth/externalBrowser.js';
import type { Ports } from './workspace/debugging.js';

/** The configuration of the demo server, as in `mcp.json`. */
export interface DemoEntry {
	readonly command: string;
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

/** Settings that are the same for all processes of servers. */
export interface StdioSettings {
	readonly maxMessageBytes: number;
	readonly onStderr: (line: string) => void;
}

export interface Platform {
	readonly environment: Environment;
	/** The log for messages that belong to no server. */
	readonly log: Logger;
	/** Finds programs, and diagnoses servers that don't start. */
	readonly machine: ServerMachine & ProgramFinder;
	/** Reads the configuration files of other clients. */
	readonly clientFiles: ClientFiles;
	/** Loads the bundle that finds servers in texts of other programs. */
	readonly loadServerReader: () => Promise<ServerReader>;
	/** The demo server; undefined if no server can run as a child process. */
	readonly demo: DemoEntry | undefined;
	/** Creates the transport of a server that runs as a child process. The caller disposes it. */
	readonly stdio: (launch: ResolvedProcess, options: StdioSettings) => Transport;
	/** The files of the history; `undefined` without a place in the workspace. */
	readonly historyJournal: LineJournal | undefined;
	/** Disposed by `compose`. */
	readonly fetch: HttpFetch & Disposable;
	/** Fires when the machine woke up or changed its network. `fetch` has dropped its earlier connections then. */
	readonly onDidWake: Event<void>;
	readonly ports: Ports;
	/** Serves pages to a browser on this machine; undefined if this environment can't listen. */
	readonly loopback: LoopbackPages | undefined;
	/** Loads the bundle of the sign-in engine. */
	readonly loadAuthorization: AuthorizerOptions['load'];
	/** Starts the thread that checks values by JSON Schemas. */
	readonly startValidator: () => SchemaEngine;
}
