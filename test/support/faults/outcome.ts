// What came of something a client was asked, as plain data: a value, one of our typed errors, or a mistake of ours.
import { isAbort } from '../../../src/base/errors.js';
import { McpError, type McpFailure, RpcError } from '../../../src/mcp/index.js';

export type Outcome =
	| { readonly value: unknown }
	| { readonly failure: McpFailure }
	| { readonly rpc: readonly [code: number, message: string] }
	| { readonly aborted: true }
	/** No error that callers are promised. */
	| { readonly mistake: string };

export async function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
	try {
		return { value: await promise };
	} catch (error) {
		if (error instanceof McpError) {
			return { failure: error.failure };
		}
		if (error instanceof RpcError) {
			return { rpc: [error.code, error.message] };
		}
		return isAbort(error)
			? { aborted: true }
			: { mistake: error instanceof Error ? (error.stack ?? '') : String(error) };
	}
}

/** `outcomeOf`, which must have come by then. */
export async function outcomeWithin(promise: Promise<unknown>, ms: number): Promise<Outcome> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<Outcome>(resolve => {
		timer = setTimeout(resolve, ms, { mistake: `nothing came of it within ${ms} ms` });
	});
	try {
		return await Promise.race([outcomeOf(promise), late]);
	} finally {
		clearTimeout(timer);
	}
}
