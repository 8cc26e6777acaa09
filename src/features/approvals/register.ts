/** Registers the commands about approvals, and writes reads, prompts, and requests of servers to the audit log. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommands } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { auditExchange } from './audit.js';
import { type ApprovalCommandsDeps, approvalCommands } from './commands.js';

const commandIds = [
	Commands.explainTool,
	Commands.reviewTool,
	Commands.manageApprovals,
	Commands.openPolicy,
	Commands.pinTools,
	Commands.exportAudit,
] as const;
export type ApprovalCommand = (typeof commandIds)[number];

export function registerApproval(deps: ApprovalCommandsDeps): Disposable {
	const { registry, approval, exchanges } = deps;
	const owned = new DisposableStore();
	owned.add(
		exchanges.onDidEnd(it =>
			approval.audit.write(auditExchange(it, (value, server) => registry.redact(value, server))),
		),
	);
	owned.add(registerCommands(commandIds, () => approvalCommands(deps)));
	return owned;
}
