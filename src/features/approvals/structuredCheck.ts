/** What a tool's structured content is against the promise of its tool. */
import type { SchemaCheck, SchemaValidator, Tool, ToolResult } from '../../mcp/index.js';

/**
 * Spec, tools: "Clients SHOULD validate structured results against this schema". `undefined` where there is nothing
 * to compare.
 */
export async function checkStructured(
	validator: SchemaValidator,
	{ outputSchema }: Tool,
	{ structuredContent }: ToolResult,
): Promise<SchemaCheck | undefined> {
	return outputSchema && structuredContent !== undefined ? validator.check(outputSchema, structuredContent) : undefined;
}
