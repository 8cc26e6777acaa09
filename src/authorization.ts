/** The root of the bundle that signs in, loaded when the first server asks who we are: `mcp/auth/engine.ts`. */
import { OAuthEngine } from './mcp/auth/authEngine.js';
import type { AuthEngine, AuthEngineOptions } from './mcp/index.js';

export function createAuthEngine(options: AuthEngineOptions): AuthEngine {
	return new OAuthEngine(options);
}
