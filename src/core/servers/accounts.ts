/** Who we are at each server at a URL, from run to run, and what happened while signing in. */
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { AuthState, AuthStep, Authorizer } from '../../mcp/index.js';
import type { ServerDefinition } from '../config/serverDefinition.js';
import type { ServerLog } from './serverPorts.js';

/**
 * How a person may be asked to sign in: not at all, at once because they have just started the server, or by a message
 * first because they use it.
 */
export type Interactivity = 'none' | 'onStart' | 'onUse';

/** What an account is made for. */
export interface AccountRequest {
	readonly definition: ServerDefinition;
	/** With every variable filled in. */
	readonly url: string;
	readonly log: ServerLog;
	readonly interactivity: () => Interactivity;
}

export interface TimedStep {
	/** Milliseconds since 1970. */
	readonly at: number;
	readonly step: AuthStep;
}

/** Steps that are kept: what came before is of no more help. */
const maxSteps = 500;

/** One server's. */
export class Account extends Owner {
	private readonly kept: TimedStep[] = [];
	readonly authorizer: Authorizer;
	readonly log: ServerLog;
	/** Of the run that goes on, or was the last. */
	interactivity: () => Interactivity;

	constructor(
		readonly url: string,
		{ interactivity, ...request }: AccountRequest,
		create: (request: AccountRequest) => Authorizer,
		onDidChange: () => void,
	) {
		super();
		this.interactivity = interactivity;
		this.log = request.log;
		this.authorizer = this.own(create({ ...request, interactivity: () => this.interactivity() }));
		this.own(this.authorizer.onDidChange(onDidChange));
		this.own(
			this.authorizer.onDidStep(step => {
				this.kept.push({ at: Date.now(), step });
				this.kept.splice(0, this.kept.length - maxSteps);
			}),
		);
	}

	get state(): AuthState {
		return this.authorizer.state;
	}

	/** Everything that happened, in order. */
	get steps(): readonly TimedStep[] {
		return this.kept;
	}
}

export class Accounts extends Owner {
	private readonly _onDidChange = this.own(new Emitter<string>());
	/** Tells the id of the definition whose account is another, or in another state. */
	readonly onDidChange: Event<string> = this._onDidChange.event;

	private readonly accounts = new Map<string, Account>();

	constructor(private readonly create: (request: AccountRequest) => Authorizer) {
		super();
	}

	/** The account of a server that is started; the one it had, unless it is at another URL now. */
	open(request: AccountRequest): Account {
		const { id } = request.definition;
		const before = this.accounts.get(id);
		// A definition that has changed has a log of its own, which hides its secrets.
		if (before?.url === request.url && before.log === request.log) {
			before.interactivity = request.interactivity;
			return before;
		}
		before?.dispose();
		const account = new Account(request.url, request, this.create, () => this._onDidChange.fire(id));
		this.accounts.set(id, account);
		return account;
	}

	/** Undefined for a server that was never started. */
	of({ id }: ServerDefinition): Account | undefined {
		return this.accounts.get(id);
	}

	/** Its definition is gone; one with the same id is another server. */
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
