/** The accounts at servers at a URL, which are kept from run to run, with the steps of their sign-ins. */
import { clock } from '../../base/clock.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { AuthState, AuthStep, Authorizer } from '../../mcp/index.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerLog } from './serverLog.js';

/**
 * How a person may be asked to sign in: `none` never; `onStart` at once, because they have just started the server; `onUse`
 * by a message first, because they use it.
 */
export type Interactivity = 'none' | 'onStart' | 'onUse';

export interface AccountRequest {
	readonly definition: ServerDefinition;
	/** The URL without variables. */
	readonly url: string;
	readonly log: ServerLog;
	readonly interactivity: () => Interactivity;
}

export interface TimedStep {
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly step: AuthStep;
}

/** Number of steps that are kept. */
const maxSteps = 500;

/** The account at one server. `Accounts` owns it. */
export class Account extends Owner {
	private readonly kept: TimedStep[] = [];
	readonly authorizer: Authorizer;
	readonly log: ServerLog;
	/** Set by the latest run. */
	interactivity: () => Interactivity;

	constructor(
		readonly url: string,
		{ interactivity, ...request }: AccountRequest,
		create: (request: AccountRequest) => Authorizer,
		onDidChange: () => void,
		onDidChangeIdentity: () => void,
	) {
		super();
		this.interactivity = interactivity;
		this.log = request.log;
		this.authorizer = this.own(create({ ...request, interactivity: () => this.interactivity() }));
		this.own(this.authorizer.onDidChange(onDidChange));
		this.own(this.authorizer.onDidChangeIdentity(onDidChangeIdentity));
		this.own(
			this.authorizer.onDidStep(step => {
				this.kept.push({ at: clock.now(), step });
				this.kept.splice(0, this.kept.length - maxSteps);
			}),
		);
	}

	get state(): AuthState {
		return this.authorizer.state;
	}

	/** The latest steps in order. */
	get steps(): readonly TimedStep[] {
		return this.kept;
	}
}

export class Accounts extends Owner {
	private readonly _onDidChange = this.own(new Emitter<string>());
	/** The id of a definition. Its account was replaced, or has a new state. */
	readonly onDidChange: Event<string> = this._onDidChange.event;

	private readonly _onDidChangeIdentity = this.own(new Emitter<string>());
	/** The id of a definition. Someone else may have signed in to its server, or the person has signed out. */
	readonly onDidChangeIdentity: Event<string> = this._onDidChangeIdentity.event;

	private readonly accounts = new Map<string, Account>();

	constructor(private readonly create: (request: AccountRequest) => Authorizer) {
		super();
	}

	/** The account for a server that starts: the previous one if its URL and log are the same, or a new one. */
	open(request: AccountRequest): Account {
		const { id } = request.definition;
		const before = this.accounts.get(id);
		// A changed definition has a new log, which redacts its secrets.
		if (before?.url === request.url && before.log === request.log) {
			before.interactivity = request.interactivity;
			return before;
		}
		before?.dispose();
		const account = new Account(
			request.url,
			request,
			this.create,
			() => this._onDidChange.fire(id),
			() => this._onDidChangeIdentity.fire(id),
		);
		this.accounts.set(id, account);
		return account;
	}

	/** `undefined` for a server that was never started. */
	of({ id }: ServerDefinition): Account | undefined {
		return this.accounts.get(id);
	}

	/** Disposes the account of a definition that no longer exists. */
	close(id: string): void {
		this.accounts.get(id)?.dispose();
		this.accounts.delete(id);
	}

	override dispose(): void {
		for (const account of this.accounts.values()) {
			account.dispose();
		}
		this.accounts.clear();
		super.dispose();
	}
}
