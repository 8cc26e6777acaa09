// What is asked of a server that has a fault, and what may come of it.
import type { Client, McpFailure } from '../../../src/mcp/index.js';
import type { Outcome } from './outcome.js';

/** The time-out of calls whose answer never comes. */
export const callTimeoutMs = 500;

export const right: Outcome = { value: 'right' };
export const closed: Outcome = { failure: { code: 'closed' } };

export function timedOut(method: string): Outcome {
	return { failure: { code: 'timeout', method, ms: callTimeoutMs } };
}

export function network(why: string): Outcome {
	return { failure: { code: 'network', why } };
}

export function invalid(why: string, method = 'tools/call'): Outcome {
	return { failure: { code: 'invalidResult', method, why } };
}

export function tooLarge(limit: number): Outcome {
	return { failure: { code: 'tooLarge', limit } };
}

export function refused(status: number): { failure: McpFailure } {
	return { failure: { code: 'http', status, error: undefined, challenge: undefined } };
}

/** The text of the answer, or its length where it is long. */
export async function call(client: Client, signal?: AbortSignal, timeoutMs = 20_000): Promise<unknown> {
	const { content } = await client.callTool('fault', {}, { signal, timeoutMs });
	const [block] = content;
	const text = block?.type === 'text' ? block.text : JSON.stringify(content);
	return text.length > 100 ? text.length : text;
}
