/** PURE: what is asked for. Spec 2025-11-25, scope selection strategy; 2026-07-28, step-up authorization flow. */
import { union } from './grant.js';
import type { AuthStep } from './steps.js';

export interface ScopeSources {
	/** What has been asked for or granted before. */
	readonly before: readonly string[] | undefined;
	readonly configured: readonly string[] | undefined;
	/** Of the challenge. */
	readonly demanded: readonly string[] | undefined;
	/** Of the metadata of the server. */
	readonly suggested: readonly string[] | undefined;
	/** Of the metadata of the authorization server. */
	readonly offered: readonly string[] | undefined;
	/** The server wants more than there is. */
	readonly isStepUp: boolean;
	/** A person signs in, who would not like to do so every hour. */
	readonly isPerson: boolean;
}

export interface ScopeChoice {
	/** Empty: the authorization server decides. */
	readonly scopes: readonly string[];
	readonly from: Extract<AuthStep, { kind: 'scopes' }>['from'];
}

const offline = 'offline_access';

export function chooseScopes(sources: ScopeSources): ScopeChoice {
	const { before, configured, demanded, suggested, offered, isStepUp, isPerson } = sources;
	// What was given before is asked for again: nothing that works now must stop working.
	const all = union(before, configured ?? demanded ?? suggested, isStepUp ? demanded : undefined);
	// Asked for only where it is offered, even if the server lists it. Where nothing is asked for, this alone would be
	// asking for nothing else.
	const scopes = all.filter(it => it !== offline);
	const isOffered = isPerson && offered?.includes(offline) === true && scopes.length > 0;
	return { scopes: isOffered ? [...scopes, offline] : scopes, from: fromOf(sources) };
}

function fromOf({ configured, demanded, suggested, isStepUp }: ScopeSources): ScopeChoice['from'] {
	if (isStepUp) {
		return 'stepUp';
	}
	if (configured) {
		return 'configuration';
	}
	if (demanded) {
		return 'challenge';
	}
	return suggested ? 'resource' : 'nothing';
}
