/**
 * Arguments of tools that travel in HTTP headers as well (`x-mcp-header`). Spec 2026-07-28, server/tools:
 * over HTTP a tool whose annotations are invalid must be left out.
 */
import type { Logger } from '../../base/log.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import { type ParamHeader, paramHeaders, readParamHeaders } from '../transport/httpHeaders.js';
import type { Tool } from '../wire/types.js';

export class ToolHeaders {
	/** Only tools that have some. */
	private readonly byTool = new Map<string, readonly ParamHeader[]>();

	constructor(private readonly log: Logger) {}

	/** The tools that may be called, and remembers what they want in headers. */
	accept(tools: readonly Tool[]): Tool[] {
		this.byTool.clear();
		return tools.filter(tool => {
			const { headers, problems } = readParamHeaders(tool.inputSchema);
			const [problem] = problems;
			if (problem) {
				this.log.warn(`Left out the tool ${JSON.stringify(tool.name)}: x-mcp-header at ${problem.at}: ${problem.why}.`);
				return false;
			}
			if (headers.length > 0) {
				this.byTool.set(tool.name, headers);
			}
			return true;
		});
	}

	/** The headers for one call. */
	for(tool: string, args: JsonObject): Readonly<Record<string, string>> | undefined {
		const headers = this.byTool.get(tool);
		return headers && paramHeaders(headers, args);
	}
}
