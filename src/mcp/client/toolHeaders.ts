/**
 * Tool arguments that are also sent in HTTP headers (`x-mcp-header`). Spec 2026-07-28, server/tools: over HTTP, a
 * tool with invalid annotations must be left out.
 */
import type { Logger } from '../../base/log.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import { type ParamHeader, paramHeaders, readParamHeaders } from '../transport/httpHeaders.js';
import type { Tool } from '../wire/types.js';

export class ToolHeaders {
	/** Contains only tools with such arguments. */
	private readonly byTool = new Map<string, readonly ParamHeader[]>();

	constructor(private readonly log: Logger) {}

	/** Returns the tools with valid annotations, and remembers their headers for `for`. */
	accept(tools: readonly Tool[]): Tool[] {
		this.byTool.clear();
		return tools.filter(tool => {
			const { headers, problems } = readParamHeaders(tool.inputSchema);
			const [problem] = problems;
			if (problem) {
				this.log.warn(`Left out the tool ${JSON.stringify(tool.name)}: x-mcp-header at ${problem}.`);
				return false;
			}
			if (headers.length > 0) {
				this.byTool.set(tool.name, headers);
			}
			return true;
		});
	}

	/** The headers for one call; `undefined` if the tool needs none. */
	for(tool: string, args: JsonObject): Readonly<Record<string, string>> | undefined {
		const headers = this.byTool.get(tool);
		return headers && paramHeaders(headers, args);
	}
}
