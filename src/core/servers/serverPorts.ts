/** What a server needs of the rooms above and beside it. */
import type { Disposable, Event } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { Implementation, Limits, LoggingLevel, LogMessage, Root, Transport, WireEvent } from '../../mcp/index.js';
import type { Accounts, Interactivity } from './accounts.js';
import type { ElicitationPort } from '../requests/elicitations.js';
import type { Questions } from '../requests/questions.js';
import type { SamplingPort } from '../requests/samplings.js';
import type { IconLoader } from './iconLoader.js';
import type { LaunchSnapshot } from '../launch/launchSnapshot.js';
import type { Redactor } from '../text/redactor.js';
import type { ResolvedEndpoint, ResolvedProcess, ResolvedServer, ResolveRequest } from '../launch/resolvedServer.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerOptions } from '../config/serverOptions.js';

/** Where one server's log goes. */
export interface ServerLog extends Logger, Disposable {
	/** The least severe level worth asking the server for. */
	readonly level: LoggingLevel;
	readonly onDidChangeLevel: Event<LoggingLevel>;
	/** Every line passes it. What else is shown of a server passes it too. */
	readonly redactor: Redactor;
	/** A line the server sent by `notifications/message`. */
	message(message: LogMessage): void;
	stderr(line: string): void;
	/** Subscribes to the wire as long as someone wants to read it. */
	tap(onDidTransfer: Event<WireEvent>): Disposable;
	/** Brings the log before the person. */
	show(): void;
}

/** The folders servers may know of. */
export interface Roots {
	/** What a server is told, by what was last seen of the disk. */
	list(server: ServerDefinition): readonly Root[];
	/** Looks at the disk, where folders may vanish without a word. Never rejects. */
	refresh(): Promise<void>;
	readonly onDidChange: Event<void>;
}

/** Whether anything of this workspace may run. Trust is only ever granted while a window is open. */
export interface Trust {
	isTrusted(): boolean;
	readonly onDidGrant: Event<void>;
}

export interface ServerDeps {
	readonly clientInfo: Implementation;
	readonly roots: Roots;
	readonly trust: Trust;
	/** Milliseconds a request may go without answer or progress, where a server's options do not say. */
	readonly timeoutMs: () => number;
	/** What the person has set for a server, asked whenever it matters. */
	readonly options: (definition: ServerDefinition) => ServerOptions;
	/** Milliseconds between two pings in the legacy era; 0 for none. */
	readonly pingMs: () => number;
	/** Who we are at servers at a URL. */
	readonly accounts?: Pick<Accounts, 'of' | 'onDidChange' | 'close'>;
	readonly createLog: (definition: ServerDefinition) => ServerLog;
	/** The machine has slept, or is in another network. */
	readonly onDidWake: Event<void>;
	/** What a server may cost, asked at each start. */
	readonly limits: () => Limits;
	/**
	 * Asks a person about a definition that they have not seen as it is, before anything of it is run. Gives what it
	 * stood for when it was allowed: that is what is run.
	 * @throws ConsentNeededError if it was not allowed, or nobody may be asked
	 * @throws AbortError once the request's signal aborts
	 */
	readonly consent: (definition: ServerDefinition, request: ResolveRequest) => Promise<LaunchSnapshot>;
	/**
	 * Fills in what the definition leaves open, and asks for what is missing.
	 * @throws UnresolvedVariableError, NotOnDiskError, EnvFileError, InputCommandError
	 * @throws InputNeededError if a value is missing and was not given
	 * @throws AbortError once the request's signal aborts
	 */
	readonly resolve: (
		definition: ServerDefinition,
		request: ResolveRequest,
		snapshot: LaunchSnapshot,
	) => Promise<ResolvedServer>;
	/** Asks a person what servers want to know; without it none may ask. */
	readonly elicitations?: ElicitationPort;
	/** Asks models for servers; without it none may ask. */
	readonly samplings?: SamplingPort;
	/** What servers have asked, and nobody has answered. */
	readonly questions?: Pick<Questions, 'withdraw'>;
	/** Gets the icon of a server, for the tree. */
	readonly icons: Pick<IconLoader, 'load'>;
	/** Makes the transport of a server that runs as a child process. */
	readonly stdio: (launch: ResolvedProcess, limits: Limits, onStderr: (line: string) => void) => Transport;
	/** Makes the transports of a server at a URL. */
	readonly http: (launch: ResolvedEndpoint, limits: Limits, log: ServerLog, whose: HttpRun) => HttpTransports;
}

/** Whose transports they are to be. */
export interface HttpRun {
	readonly definition: ServerDefinition;
	/** How a person may be asked to sign in. */
	readonly interactivity: () => Interactivity;
}

/** The two ways to a server at a URL. */
export interface HttpTransports {
	readonly streamable: () => Transport;
	/** HTTP+SSE of 2024-11-05. */
	readonly legacySse: () => Transport;
	/** Someone else has signed in: results that were private to the account before must not be used again. */
	readonly onDidChangeIdentity?: Event<void> | undefined;
}
