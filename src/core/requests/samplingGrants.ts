/** Grants for sampling requests without a review, and which requests each grant covers. */
import { type SamplingRequest, usesTools } from './samplingRequest.js';

/** Number of requests of a server within one operation that need no review if a grant covers them. */
export const maxPerOperation = 10;

/** A permission for later requests of one server. */
export interface SamplingGrant {
	readonly id: string;
	/** The id of the server's definition. */
	readonly serverId: string;
	/** Only requests that select this model are covered. */
	readonly model: string;
	/** Only requests for at most this many tokens are covered. */
	readonly maxTokens: number;
	/** Whether requests that offer tools to the model are covered. */
	readonly allowsTools: boolean;
	/** Until the window closes, or until it is revoked. */
	readonly lasts: 'session' | 'workspace';
	/** When it was given; milliseconds since 1970. */
	readonly time: number;
}

/** A request, and the model that is selected for it. */
export interface SamplingFacts {
	readonly serverId: string;
	readonly request: SamplingRequest;
	readonly model: string;
	/** How many requests the server has made within one operation. */
	readonly count: number;
}

/** The first grant that covers a request; `undefined` for more than `maxPerOperation` requests in one operation. */
export function grantFor(grants: readonly SamplingGrant[], facts: SamplingFacts): SamplingGrant | undefined {
	return facts.count > maxPerOperation ? undefined : grants.find(it => covers(it, facts));
}

function covers(grant: SamplingGrant, { serverId, request, model }: SamplingFacts): boolean {
	return (
		grant.serverId === serverId &&
		grant.model === model &&
		request.maxTokens <= grant.maxTokens &&
		(grant.allowsTools || !usesTools(request))
	);
}
