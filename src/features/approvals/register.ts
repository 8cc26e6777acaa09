/** Makes the parts that decide about tool calls, and registers their commands. */
import { registerCommands } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { Approval, type ApprovalDeps } from './approval.js';
import { approvalCommands } from './commands.js';

const commandIds = [
	Commands.explainTool,
	Commands.reviewTool,
	Commands.manageApprovals,
	Commands.openPolicy,
	Commands.lockTools,
	Commands.exportAudit,
] as const;
export type ApprovalCommand = (typeof commandIds)[number];

export function registerApproval(deps: ApprovalDeps): Approval {
	const { registry, documents } = deps;
	const approval = new Approval(deps);
	approval.hold(registerCommands(commandIds, () => approvalCommands({ registry, documents, approval })));
	return approval;
}
