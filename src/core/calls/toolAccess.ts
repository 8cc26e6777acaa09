/** Whether a tool is disabled or hidden from models, which is checked before any approval; and the errors of denied access. */
import type { Tool } from '../../mcp/index.js';
import type { ApprovalOutcome } from '../approvals/approver.js';
import type { Server } from '../servers/server.js';

/** The person has disabled the tool, for every caller. */
export class ToolDisabledError extends Error {
	override readonly name = 'ToolDisabledError';

	constructor(readonly tool: string) {
		super(`The tool ${JSON.stringify(tool)} is disabled.`);
	}
}

/** The server has no tool of that name. */
export class UnknownToolError extends Error {
	override readonly name = 'UnknownToolError';

	constructor(readonly tool: string) {
		super(`There is no tool ${JSON.stringify(tool)}.`);
	}
}

/** Only the person may read the resource: a policy denies the server to others, or the server doesn't list the resource. */
export class ReadDeniedError extends Error {
	override readonly name = 'ReadDeniedError';

	constructor(readonly reason: 'rule' | 'unlisted') {
		super(reason === 'rule' ? 'A rule denies everything of this server.' : 'The server does not list this resource.');
	}
}

/** The person or a policy denied the call. */
export class CallDeniedError extends Error {
	override readonly name = 'CallDeniedError';

	constructor(
		readonly approval: ApprovalOutcome,
		readonly tool: string,
	) {
		super(`The call to ${JSON.stringify(tool)} was denied.`);
	}
}

export function isToolDisabled({ options }: Pick<Server, 'options'>, { name }: Pick<Tool, 'name'>): boolean {
	return options.disabledTools.includes(name);
}

/** Whether the person has hidden the tool from models. */
export function isHiddenFromModels({ options }: Pick<Server, 'options'>, { name }: Pick<Tool, 'name'>): boolean {
	return options.hiddenFromModels.includes(name);
}

/** Whether models see the tool: it is neither disabled nor hidden from them. */
export function isForModels(server: Pick<Server, 'options'>, tool: Pick<Tool, 'name'>): boolean {
	return !isToolDisabled(server, tool) && !isHiddenFromModels(server, tool);
}

/** @throws ToolDisabledError */
export function assertEnabled(server: Pick<Server, 'options'>, name: string): void {
	if (isToolDisabled(server, { name })) {
		throw new ToolDisabledError(name);
	}
}
