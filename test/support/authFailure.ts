// Why a request failed, as a test compares it.
import { isAbort } from '../../src/base/errors.js';
import { AuthError } from '../../src/mcp/auth/failure.js';
import { type AuthFailure, McpError } from '../../src/mcp/index.js';

/** The failure of authorization, or what else it was. */
export async function authFailureOf(failing: Promise<unknown>): Promise<AuthFailure | string> {
	try {
		return `no failure: ${String(await failing)}`;
	} catch (error) {
		if (error instanceof McpError && error.failure.code === 'authorization') {
			return error.failure.failure;
		}
		if (error instanceof AuthError) {
			return error.failure;
		}
		return isAbort(error) ? 'AbortError' : String(error);
	}
}
