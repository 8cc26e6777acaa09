/**
 * Wires the approval of tool calls: the decision (`core/approvals/approver.ts`), the files and answers that it reads, the sheet
 * that asks the person, and the audit log. The commands are in `commands.ts`.
 */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import type { Documents } from '../../editor/documents/documents.js';
import { callGrants, WorkspaceGrants } from '../../editor/storage/grants.js';
import { guardFileOf, seenFileOf, type Storage } from '../../editor/storage/guardFiles.js';
import type { KeptState } from '../../editor/storage/keptState.js';
import { Locks } from '../../editor/storage/locks.js';
import { describeError } from '../../editor/l10n/messages.js';
import { jsonText, titleText } from '../../editor/ui/plainText.js';
import { Policies } from '../../editor/storage/policies.js';
import type { JsonObject, SchemaValidator } from '../../mcp/index.js';
import { type ApprovalQuestion, Approver } from '../../core/approvals/approver.js';
import type { Grant } from '../../core/approvals/approval.js';
import type { AuditLog } from '../../core/history/auditLog.js';
import { Calls } from '../../core/calls/calls.js';
import type { Environment } from '../../core/launch/environment.js';
import { holdsSecret } from '../../core/text/keptArguments.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Roots, Trust } from '../../core/servers/serverPorts.js';
import { checkStructured } from './structuredCheck.js';
import { type ToolWarning, warningsOf } from '../../core/approvals/toolWarnings.js';
import { auditEntry } from './audit.js';
import { ChangedTools } from './changedTools.js';
import { explainDecision } from './explain.js';
import { GuardDiagnostics } from './guardDiagnostics.js';
import { tellPinned } from './pinTools.js';
import { addRule, type AddRuleOptions, openPolicy, type RuleSubject } from './rules.js';
import { PendingApprovals } from './pendingApprovals.js';
import { type SheetDeps, showSheet } from './sheet.js';

export interface ApprovalDeps {
	readonly context: Storage;
	readonly state: KeptState;
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly environment: Environment;
	readonly roots: Roots;
	readonly trust: Trust;
	readonly audit: AuditLog;
	readonly pending: PendingRequests;
	readonly validator: SchemaValidator;
	/** The form for a tool's arguments. */
	readonly edit: SheetDeps['edit'];
}

export class Approval extends Owner {
	/** Makes every tool call, whoever causes it. */
	readonly calls: Calls;
	/** The lock files beside the definitions of servers. */
	readonly locks: Locks;
	readonly approver: Approver;
	readonly grants: WorkspaceGrants<Grant>;
	readonly policies: Policies;
	readonly changed: ChangedTools;
	readonly audit: AuditLog;
	private readonly waiting: PendingApprovals;

	constructor(private readonly deps: ApprovalDeps) {
		super();
		const { context, registry, environment, roots, trust } = deps;
		const files = this.own(new GuardDiagnostics(context));
		const fileOf: Locks['fileOf'] = async ({ source }) => guardFileOf(source, 'mcp-lock.json', context);
		this.locks = this.own(new Locks({ fileOf, onDidChangeFile: files.onDidChange, isReplaced: false }));
		const seen = this.own(
			new Locks({ fileOf: it => seenFileOf(it, context), onDidChangeFile: files.onDidChange, isReplaced: true }),
		);
		this.grants = this.own(new WorkspaceGrants(deps.state, callGrants));
		this.policies = new Policies(context);
		this.audit = deps.audit;
		this.waiting = this.own(
			new PendingApprovals({
				registry,
				pending: deps.pending,
				show: (question, opened, signal, sheetReturn) =>
					showSheet(question, opened, signal, sheetReturn, this.sheetDeps()),
			}),
		);
		this.own(this.grants.onDidChange(() => this.waiting.decideAgain()));
		this.approver = new Approver({
			policies: this.policies,
			locks: this.locks,
			seen,
			grants: this.grants,
			isTrusted: () => trust.isTrusted(),
			roots: definition => roots.list(definition),
			ignoresCase: environment.ignoresCase,
			open: signal => this.waiting.open(signal),
			onDidPin: (definition, written) => tellPinned(definition, written),
			onPinFailed: (definition, place, error) => {
				registry.serverOf(definition)?.log.warn(`A tool's definition was not stored (${place}): ${toMessage(error)}`);
				if (place === 'lock') {
					const { t } = vscode.l10n;
					void vscode.window.showWarningMessage(t('mcp-lock.json was not written. {0}', describeError(error)));
				}
			},
		});
		this.changed = this.own(new ChangedTools(registry, this.approver, [this.locks.onDidChange, seen.onDidChange]));
		this.calls = this.own(
			new Calls(
				this.approver,
				() => registry.isClosing,
				(tool, result) => checkStructured(deps.validator, tool, result),
			),
		);
		this.own(
			this.calls.onDidDecide(it => this.audit.write(auditEntry(it, (value, server) => registry.redact(value, server)))),
		);
	}

	/**
	 * Opens a document that explains the decision. Resolves with its URI.
	 * @param hasArguments false to explain the tool alone, without the arguments of a call
	 */
	async explain(question: ApprovalQuestion, hasArguments: boolean): Promise<vscode.Uri> {
		const { tool, definition } = question.request;
		const whose = this.deps.registry.labelOf(definition);
		const title = titleText(vscode.l10n.t('{0} (decision)', tool.name), whose);
		return this.deps.documents.show(title, explainDecision(question, whose, hasArguments), hasArguments);
	}

	/**
	 * Asks for a rule about a call, and writes it to the policy. True if it was written. The arguments of a call that holds
	 * secrets are not offered: the policy is a file that a team shares.
	 * @param schema the tool's input schema, if it is known
	 */
	addRule(subject: RuleSubject, schema: JsonObject = {}, options: AddRuleOptions = {}): Promise<boolean> {
		const args = subject.arguments;
		const { registry } = this.deps;
		const redacted = registry.redact(args, registry.serverOf(subject.definition));
		const hasSecret = jsonText(redacted) !== jsonText(args) || holdsSecret(schema, args);
		return addRule(this.policies, { ...subject, arguments: hasSecret ? {} : args }, options);
	}

	/** Whether a running server's instructions differ from the pinned ones, or the pins can't be read. */
	areInstructionsNew({ definition, client }: Server): Promise<boolean> {
		return this.approver.areInstructionsNew(definition, client?.session.instructions);
	}

	private sheetDeps(): SheetDeps {
		const { documents, edit, registry } = this.deps;
		return {
			documents,
			edit,
			label: definition => registry.labelOf(definition),
			warnings: question => this.warningsOf(question),
			openPolicy: ({ request, decision }) => openPolicy(this.policies, request.definition, decision.reason),
			addRule: async ({ request: { definition, tool, arguments: args } }, signal) => {
				const subject = { definition, tool: tool.name, arguments: args };
				const isAdded = await this.addRule(subject, tool.inputSchema, { preserveFocus: true, signal });
				if (isAdded) {
					this.waiting.decideAgain();
				}
				return isAdded;
			},
			explain: question => this.explain(question, true),
		};
	}

	private warningsOf({ request }: ApprovalQuestion): ToolWarning[] {
		const { registry } = this.deps;
		const others = registry.servers
			.filter(it => it.definition.id !== request.definition.id)
			.map(server => ({ server: registry.label(server), tools: itemsOf(server.catalog?.tools) }));
		const server = registry.serverOf(request.definition);
		return warningsOf({ ...request, others, hasSecret: text => registry.redact(text, server) !== text });
	}
}
