/**
 * The entry point of the bundle with Ajv, which is loaded when a schema is first checked. See
 * `mcp/schema/validator.ts`.
 */
import { AjvValidator } from './mcp/schema/ajvValidator.js';
import type { SchemaEngine } from './mcp/index.js';

export function createSchemaEngine(): SchemaEngine {
	return new AjvValidator();
}
