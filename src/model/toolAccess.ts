/** PURE: which tools there are to run at all, before anybody asks whether a call is allowed. */
import type { Tool } from '../mcp/index.js';
import type { Approval } from './approver.js';
import type { Server } from './server.js';

/** The person has switched it off: for everyone, until they switch it on again. */
export class ToolDisabledError extends Error {
	override readonly name = 'ToolDisabledError';

	constructor(readonly tool: string) {
		super(`The tool ${JSON.stringify(tool)} is disabled.`);
	}
}

/** The server has no tool of that name: nobody could say what it is that would be allowed. */
export class UnknownToolError extends Error {
	override readonly name = 'UnknownToolError';

	constructor(readonly tool: string) {
		super(`There is no tool ${JSON.stringify(tool)}.`);
	}
}

/** A rule keeps everything of a server from others than the person. */
export class ReadDeniedError extends Error {
	override readonly name = 'ReadDeniedError';

	constructor() {
		super('A rule denies everything of this server.');
	}
}

/** The person, or a rule of theirs, does not want this call. */
export class CallDeniedError extends Error {
	override readonly name = 'CallDeniedError';

	constructor(readonly approval: Approval) {
		super('The call was denied.');
	}
}

export function isToolDisabled({ options }: Pick<Server, 'options'>, { name }: Pick<Tool, 'name'>): boolean {
	return options.disabledTools.includes(name);
}

/** The person keeps it from models: to them it does not exist. */
export function isHiddenFromModels({ options }: Pick<Server, 'options'>, { name }: Pick<Tool, 'name'>): boolean {
	return options.hiddenFromModels.includes(name);
}

/** Whether a model may know of it. */
export function isForModels(server: Pick<Server, 'options'>, tool: Pick<Tool, 'name'>): boolean {
	return !isToolDisabled(server, tool) && !isHiddenFromModels(server, tool);
}

/** @throws ToolDisabledError */
export function assertEnabled(server: Pick<Server, 'options'>, name: string): void {
	if (isToolDisabled(server, { name })) {
		throw new ToolDisabledError(name);
	}
}
