/** Chooses the scopes to request. Spec 2025-11-25, scope selection strategy; 2026-07-28, step-up authorization flow. */
import { mergeScopes } from './grant.js';
import type { AuthStep } from './signInSteps.js';

export interface ScopeSources {
	/** The scopes of earlier tokens, requested and granted. */
	readonly before: readonly string[] | undefined;
	readonly configured: readonly string[] | undefined;
	/** From the challenge. */
	readonly demanded: readonly string[] | undefined;
	/** From the metadata of the server. */
	readonly suggested: readonly string[] | undefined;
	/** From the metadata of the authorization server. */
	readonly offered: readonly string[] | undefined;
	/** The server demands more scopes than were granted. */
	readonly isStepUp: boolean;
	/** A person signs in, so a refresh token is wanted. */
	readonly isPerson: boolean;
}

export interface ScopeChoice {
	/** If empty, the authorization server chooses. */
	readonly scopes: readonly string[];
	readonly from: Extract<AuthStep, { kind: 'scopes' }>['from'];
}

const offline = 'offline_access';

/** The scopes to request, and where they are from. */
export function chooseScopes(sources: ScopeSources): ScopeChoice {
	const { before, configured, demanded, suggested, offered, isStepUp, isPerson } = sources;
	// Earlier scopes are requested again, so that nothing that works now stops working.
	const all = mergeScopes(before, configured ?? demanded ?? suggested, isStepUp ? demanded : undefined);
	// `offline_access` is requested only if the authorization server offers it, even if the server lists it; and never
	// alone, which would replace the default scopes.
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
