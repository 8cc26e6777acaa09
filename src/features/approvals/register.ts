/** Makes the parts that decide about tool calls, and registers their commands. */
import { registerCommands } from '../../editor/commands.js';
import { Approval, type ApprovalDeps } from './approval.js';
import { approvalCommands } from './commands.js';

export function registerApproval(deps: ApprovalDeps): Approval {
	const { registry, documents, permissions } = deps;
	const approval = new Approval(deps);
	approval.hold(registerCommands(approvalCommands({ registry, documents, permissions, approval })));
	return approval;
}
