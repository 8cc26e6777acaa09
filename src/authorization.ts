/**
 * The entry point of the bundle for sign-in, which is loaded when a server first requires authorization. See
 * `mcp/auth/ports.ts`.
 */
import { OAuthEngine } from './mcp/auth/authEngine.js';
import type { AuthEngine, AuthEngineOptions } from './mcp/index.js';

export function createAuthEngine(options: AuthEngineOptions): AuthEngine {
	return new OAuthEngine(options);
}
