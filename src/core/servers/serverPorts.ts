/** The ports through which a server uses the editor, the platform and other subjects of the core. */
import type { Event } from '../../base/lifecycle.js';
import type { Implementation, Limits, Recorder, Root, Transport } from '../../mcp/index.js';
import type { Accounts, Interactivity } from './accounts.js';
import type { Elicitations } from '../requests/elicitations.js';
import type { Questions } from '../requests/questions.js';
import type { Samplings } from '../requests/samplings.js';
import type { ServerLog } from './serverLog.js';
import type { LaunchSnapshot } from '../launch/launchSnapshot.js';
import type { ResolvedEndpoint, ResolvedProcess, ResolvedServer, ResolveRequest } from '../launch/resolvedServer.js';
import type { MessageSource } from '../messages/wireRecord.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerOptions } from '../config/serverOptions.js';

/** The workspace folders that servers get as roots. */
export interface Roots {
	/** The roots for a server, as last read from the disk. */
	list(server: ServerDefinition): readonly Root[];
	/** Looks at the disk again, as the editor doesn't report every deleted folder. Never rejects. */
	refresh(): Promise<void>;
	readonly onDidChange: Event<void>;
}

/** Workspace Trust. The editor reloads a window whose trust is withdrawn, so it can only be granted. */
export interface Trust {
	isTrusted(): boolean;
	readonly onDidGrant: Event<void>;
}

export interface ServerDeps {
	readonly clientInfo: Implementation;
	readonly roots: Roots;
	readonly trust: Trust;
	/** The person's options for a server; read at each use. */
	readonly options: (definition: ServerDefinition) => ServerOptions;
	/** The accounts at servers at a URL. */
	readonly accounts?: Pick<Accounts, 'of' | 'onDidChange' | 'onDidChangeIdentity' | 'close'>;
	readonly createLog: (definition: ServerDefinition) => ServerLog;
	/** The machine woke up, or changed its network. */
	readonly onDidWake: Event<void>;
	/** Read at each start. */
	readonly limits: (definition: ServerDefinition) => Limits;
	/**
	 * Asks the person for consent to a new or changed definition, before anything of it is run. Resolves with the snapshot
	 * that they have seen, which must be used for the start.
	 * @throws ConsentNeededError if consent was denied
	 * @throws AbortError once the request's signal aborts
	 */
	readonly consent: (definition: ServerDefinition, request: ResolveRequest) => Promise<LaunchSnapshot>;
	/**
	 * Fills in the variables of a definition, and asks the person for missing inputs, and for consent to an environment file
	 * whose path depends on an input.
	 * @throws UnresolvedVariableError, UnsetVariableError, NotOnDiskError, EnvFileError, InputCommandError, ConsentNeededError
	 * @throws InputNeededError if the value of an input is missing
	 * @throws AbortError once the request's signal aborts
	 */
	readonly resolve: (
		definition: ServerDefinition,
		request: ResolveRequest,
		snapshot: LaunchSnapshot,
	) => Promise<ResolvedServer>;
	/** Without it, the capability isn't declared. */
	readonly elicitations?: Pick<Elicitations, 'handlersFor' | 'complete' | 'didEndCalls'>;
	/** Without it, the capability isn't declared. */
	readonly samplings?: Pick<Samplings, 'handlersFor'>;
	/** The open questions of servers. */
	readonly questions?: Pick<Questions, 'isMuted' | 'withdraw'>;
	/** Keeps what a client sends and receives. */
	readonly messages?: { recorderFor(source: MessageSource): Recorder };
	/** Creates the transport of a server that runs as a child process. */
	readonly stdio: (launch: ResolvedProcess, limits: Limits, onStderr: (line: string) => void) => Transport;
	/** Creates the transports of a server at a URL. */
	readonly http: (launch: ResolvedEndpoint, limits: Limits, log: ServerLog, run: HttpRun) => HttpTransports;
}

/** The run that HTTP transports are created for. */
export interface HttpRun {
	readonly definition: ServerDefinition;
	/** How a person may be asked to sign in. */
	readonly interactivity: () => Interactivity;
}

export interface HttpTransports {
	readonly streamable: () => Transport;
	/** HTTP+SSE of 2024-11-05. */
	readonly legacySse: () => Transport;
	/** The account has changed: results of the previous account must not be used. */
	readonly onDidChangeIdentity?: Event<void> | undefined;
}
