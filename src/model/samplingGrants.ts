/** PURE: what a server may ask models for without a person, and what a person is asked about nevertheless. */
import { isObject } from '../mcp/index.js';
import type { SamplingRequest } from './sampling.js';

/** An answer for later requests of one server. What is narrower than a request does not cover it. */
export interface SamplingGrant {
	readonly id: string;
	/** The id of the server's definition. */
	readonly serverId: string;
	/** Of this model only. */
	readonly model?: string;
	/** Of at most so many tokens. */
	readonly maxTokens?: number;
	/** Whether tools may be offered to the model. */
	readonly allowsTools: boolean;
	/** Each answer is shown before the server gets it. */
	readonly reviewsAnswer: boolean;
	/** Until the window closes, or until it is taken back. */
	readonly lasts: 'session' | 'workspace';
	/** When it was given; milliseconds. */
	readonly time: number;
}

/** A request, and the model that it leads to. */
export interface SamplingFacts {
	readonly serverId: string;
	readonly request: SamplingRequest;
	readonly model: string;
	/** How many requests the server has made within one operation. */
	readonly count: number;
}

/** The grant that covers it; of several the one with the fewest questions. */
export function grantFor(
	grants: readonly SamplingGrant[],
	facts: SamplingFacts,
	maxPerOperation: number,
): SamplingGrant | undefined {
	if (facts.count > maxPerOperation) {
		return undefined;
	}
	const fitting = grants.filter(it => covers(it, facts));
	return fitting.find(it => !it.reviewsAnswer) ?? fitting[0];
}

function covers(grant: SamplingGrant, { serverId, request, model }: SamplingFacts): boolean {
	const usesTools = request.tools.length > 0 && request.toolChoice !== 'none';
	return (
		grant.serverId === serverId &&
		(grant.model === undefined || grant.model === model) &&
		(grant.maxTokens === undefined || request.maxTokens <= grant.maxTokens) &&
		(grant.allowsTools || !usesTools)
	);
}

/** What was kept may have been written by another version. */
export function isSamplingGrant(value: unknown): value is SamplingGrant {
	return (
		isObject(value) &&
		typeof value['id'] === 'string' &&
		typeof value['serverId'] === 'string' &&
		(value['model'] === undefined || typeof value['model'] === 'string') &&
		(value['maxTokens'] === undefined || Number.isFinite(value['maxTokens'])) &&
		typeof value['allowsTools'] === 'boolean' &&
		typeof value['reviewsAnswer'] === 'boolean' &&
		value['lasts'] === 'workspace' &&
		Number.isFinite(value['time'])
	);
}
