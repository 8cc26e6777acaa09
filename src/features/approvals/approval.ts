/**
 * Makes and connects everything that decides about tool calls: the calls (`core/calls/calls.ts`), the decision
 * (`core/approvals/approver.ts`) with its policies, locks and grants, the sheet that asks the person, and the audit log.
 */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { type Disposable, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { callGrants, WorkspaceGrants } from '../../editor/storage/grants.js';
import { guardFileOf, seenFileOf, type Storage } from '../../editor/storage/guardFiles.js';
import type { VersionedState } from '../../editor/storage/versionedState.js';
import { LockFiles } from '../../editor/storage/lockFiles.js';
import { describeError } from '../../editor/l10n/messages.js';
import { titleText } from '../../editor/ui/plainText.js';
import { Policies } from './policies.js';
import type { SchemaValidator } from '../../mcp/index.js';
import { type ApprovalQuestion, Approver } from '../../core/approvals/approver.js';
import { covers, type Grant } from '../../core/approvals/approval.js';
import { AuditLog } from '../../core/history/auditLog.js';
import type { LineJournal } from '../../core/history/journal.js';
import { Calls } from '../../core/calls/calls.js';
import { Interactions } from '../../core/calls/interactions.js';
import { RunningCalls } from '../../core/calls/runningCalls.js';
import type { Environment } from '../../core/launch/environment.js';
import { itemsOf } from '../../core/servers/catalog.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Roots, Trust } from '../../core/servers/serverPorts.js';
import { type ToolWarning, warningsOf } from '../../core/approvals/toolWarnings.js';
import { auditEntry, auditExchange } from './audit.js';
import type { OpenedPage, PageAction, ShowPage } from '../../webviews/page/protocol.js';
import { ChangedTools } from './changedTools.js';
import { decisionPage, policyReason } from './decisionPage.js';
import { GuardDiagnostics } from './guardDiagnostics.js';
import { reportLocked } from './lockTools.js';
import { addRule, type AddRuleOptions, openPolicy, type RuleSubject } from './rules.js';
import { PendingApprovals } from './pendingApprovals.js';
import { type ApprovalSheetDeps, showApprovalSheet } from './sheet.js';

export interface ApprovalDeps {
	readonly context: Storage;
	readonly state: VersionedState;
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly showPage: ShowPage;
	readonly environment: Environment;
	readonly roots: Roots;
	readonly trust: Trust;
	/** Where the audit log is kept. */
	readonly journal: LineJournal;
	readonly log: Logger;
	readonly pending: PendingRequests;
	readonly validator: SchemaValidator;
	/** Shows the form for a tool's arguments. */
	readonly edit: ApprovalSheetDeps['edit'];
}

/** Owns everything it makes. */
export class Approval extends Owner {
	/** Every tool call is made here. */
	readonly calls: Calls;
	readonly running: RunningCalls;
	/** Reads of resources, and requests of servers. */
	readonly interactions: Interactions;
	/** The lock files beside the definitions of servers. */
	readonly locks: LockFiles;
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
		const fileOf: LockFiles['fileOf'] = async ({ source }) => guardFileOf(source, 'mcp-lock.json', context);
		this.locks = this.own(new LockFiles({ fileOf, onDidChangeFile: files.onDidChange, isReplaced: false }));
		const seen = this.own(
			new LockFiles({ fileOf: it => seenFileOf(it, context), onDidChangeFile: files.onDidChange, isReplaced: true }),
		);
		this.grants = this.own(new WorkspaceGrants(deps.state, callGrants));
		this.policies = new Policies(context);
		this.audit = new AuditLog(deps.journal, deps.log);
		this.waiting = this.own(
			new PendingApprovals({
				registry,
				pending: deps.pending,
				show: (...shown) => showApprovalSheet(...shown, this.sheetDeps()),
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
			onDidLock: (definition, written) => reportLocked(definition, written),
			onLockFailed: (definition, place, error) => {
				registry.serverOf(definition)?.log.warn(`A tool's definition was not stored (${place}): ${toMessage(error)}`);
				if (place === 'lock') {
					const { t } = vscode.l10n;
					void vscode.window.showWarningMessage(t("mcp-lock.json wasn't written. {0}", describeError(error)));
				}
			},
		});
		this.changed = this.own(new ChangedTools(registry, this.approver, [this.locks.onDidChange, seen.onDidChange]));
		this.calls = this.own(
			new Calls(
				this.approver,
				() => registry.isClosing,
				// Spec, tools: "Clients SHOULD validate structured results against this schema".
				async ({ outputSchema }, { structuredContent }) =>
					outputSchema && structuredContent !== undefined
						? deps.validator.check(outputSchema, structuredContent)
						: undefined,
			),
		);
		this.running = this.own(new RunningCalls(this.calls));
		this.interactions = this.own(
			new Interactions(
				({ definition }, what) => this.approver.deniesServer(definition, what),
				() => registry.isClosing,
			),
		);
		const redact: ServerRegistry['redact'] = (value, server) => registry.redact(value, server);
		this.own(this.calls.onDidDecide(it => this.audit.write(auditEntry(it, redact))));
		this.own(this.interactions.onDidEnd(it => this.audit.write(auditExchange(it, redact))));
	}

	/** Owns a registration. */
	hold(registration: Disposable): void {
		this.own(registration);
	}

	/** Explains which decisions calls of a tool get, from several callers and without arguments. */
	async explainTool(server: Server, tool: string): Promise<void> {
		const look = (): Promise<ApprovalQuestion> =>
			this.calls.evaluate({ caller: { kind: 'person' }, server, tool, arguments: {} });
		const show = (question: ApprovalQuestion, isRead: boolean): void => {
			const addRule = async (): Promise<void> => {
				if (await this.addRule(subjectOf(question))) {
					show(await look(), false);
				}
			};
			this.explain(question, { hasArguments: false, addRule, isRead });
		};
		show(await look(), true);
	}

	private explain(
		question: ApprovalQuestion,
		how: { readonly hasArguments: boolean; readonly addRule: PageAction['run']; readonly isRead: boolean },
	): OpenedPage {
		const { t } = vscode.l10n;
		const { tool, definition } = question.request;
		const serverLabel = this.deps.registry.labelOf(definition);
		const reason = policyReason(question, how.hasArguments);
		const hasGrants = question.input.grants.some(it => covers(it, question.input));
		const manage = {
			label: t('Manage Approvals'),
			run: () => vscode.commands.executeCommand(Commands.manageApprovals),
		};
		return this.deps.showPage({
			// A request has a page of its own, which is closed with it.
			key: how.hasArguments ? undefined : 'decision',
			name: titleText(t('{0} (decision)', tool.name), serverLabel),
			content: decisionPage(question, serverLabel, how.hasArguments),
			actions: [
				...(reason
					? [{ label: t('Open Policy'), run: () => openPolicy(this.policies, definition, reason, false) }]
					: []),
				{ label: t('Add Rule…'), run: how.addRule },
				...(hasGrants ? [manage] : []),
			],
			isRead: how.isRead,
		});
	}

	/** Asks for a rule about a tool, and writes it to the policy. True if it was written. */
	addRule(subject: RuleSubject, options: AddRuleOptions = {}): Promise<boolean> {
		return addRule(this.policies, subject, options);
	}

	private sheetDeps(): ApprovalSheetDeps {
		const { documents, edit, registry } = this.deps;
		return {
			documents,
			edit,
			label: definition => registry.labelOf(definition),
			warnings: question => this.warningsOf(question),
			openPolicy: ({ request, decision }) => openPolicy(this.policies, request.definition, decision.reason),
			addRule: (question, signal) => this.addRuleFor(question, { preserveFocus: true, signal }),
			explain: question =>
				this.explain(question, { hasArguments: true, addRule: () => this.addRuleFor(question), isRead: true }),
		};
	}

	/** Asks for a rule about a waiting call; if one was written, the waiting calls are decided again. */
	private async addRuleFor(question: ApprovalQuestion, options?: AddRuleOptions): Promise<boolean> {
		const isAdded = await this.addRule(subjectOf(question), options);
		if (isAdded) {
			this.waiting.decideAgain();
		}
		return isAdded;
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

function subjectOf({ request: { definition, tool } }: ApprovalQuestion): RuleSubject {
	return { definition, tool: tool.name };
}
