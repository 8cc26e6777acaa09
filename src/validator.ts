/** The root of the bundle that holds Ajv, loaded when the first schema is checked: `mcp/schema/validator.ts`. */
import { AjvValidator } from './mcp/schema/ajvValidator.js';
import type { SchemaEngine } from './mcp/index.js';

export function createSchemaEngine(): SchemaEngine {
	return new AjvValidator();
}
