/** Puts the one decision about calls together with what it reads, and with the person it asks. */
import { toMessage } from '../../base/errors.js';
import { Owner } from '../../base/lifecycle.js';
import type { Documents } from '../../host/documents.js';
import { callGrants, WorkspaceGrants } from '../../host/grants.js';
import type { Storage } from '../../host/guardFiles.js';
import type { KeptState } from '../../host/keptState.js';
import { Locks } from '../../host/locks.js';
import { jsonText, titleText } from '../../host/plainText.js';
import { Policies } from '../../host/policies.js';
import type { JsonObject, Tool } from '../../mcp/index.js';
import { type ApprovalQuestion, Approver } from '../../model/approver.js';
import type { Grant } from '../../model/approval.js';
import type { AuditLog } from '../../model/auditLog.js';
import { Calls } from '../../model/calls.js';
import type { Environment } from '../../model/environment.js';
import { holdsSecret } from '../../model/keptArguments.js';
import { areInstructionsChanged } from '../../model/pins.js';
import type { ServerDefinition } from '../../model/serverDefinition.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import type { PendingRequests } from '../../model/pendingRequests.js';
import type { Roots, Trust } from '../../model/serverPorts.js';
import { type ToolWarning, warningsOf } from '../../model/toolWarnings.js';
import { auditEntry } from './audit.js';
import { ChangedTools } from './changedTools.js';
import { explainDecision } from './explain.js';
import { GuardDiagnostics } from './guardDiagnostics.js';
import { addRule, openPolicy, type RuleSubject } from './rules.js';
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
	/** The form for a tool's arguments. */
	readonly edit: SheetDeps['edit'];
}

/** Owns everything about approvals but their commands. */
export class Approval extends Owner {
	/** The one door of every call. */
	readonly calls: Calls;
	/** Whether others than the person may have nothing of a server. */
	readonly deniesServer: Approver['deniesServer'];
	readonly locks: Locks;
	readonly grants: WorkspaceGrants<Grant>;
	readonly policies: Policies;
	readonly changed: ChangedTools;
	readonly audit: AuditLog;
	private readonly waiting: PendingApprovals;

	constructor(private readonly deps: ApprovalDeps) {
		super();
		const { context, registry, environment, roots, trust } = deps;
		const files = this.own(new GuardDiagnostics(context));
		this.locks = this.own(new Locks(context, files.onDidChange));
		this.grants = this.own(new WorkspaceGrants(deps.state, callGrants));
		this.policies = new Policies(context);
		this.audit = deps.audit;
		this.changed = this.own(new ChangedTools(registry, this.locks));
		const sheet = this.sheetDeps();
		this.waiting = this.own(
			new PendingApprovals({
				registry,
				pending: deps.pending,
				show: (question, seen, signal, back) => showSheet(question, seen, signal, back, sheet),
			}),
		);
		this.own(this.grants.onDidChange(() => this.waiting.decideAgain()));
		const approver = new Approver({
			policies: this.policies,
			locks: this.locks,
			grants: this.grants,
			isTrusted: () => trust.isTrusted(),
			roots: definition => roots.list(definition),
			ignoresCase: environment.ignoresCase,
			open: signal => this.waiting.open(signal),
			onPinFailed: (definition, error) =>
				this.serverOf(definition)?.log.warn(`What was approved could not be written down: ${toMessage(error)}`),
		});
		this.calls = this.own(new Calls(approver, () => registry.isClosing));
		this.deniesServer = definition => approver.deniesServer(definition);
		this.own(this.calls.onDidDecide(it => this.audit.write(auditEntry(it, value => this.redact(value)))));
	}

	/** What the person knows a server by. */
	label(definition: ServerDefinition): string {
		const server = this.serverOf(definition);
		return server ? this.deps.registry.label(server) : definition.name;
	}

	/** The evaluation of a call, as a document. */
	async explain(question: ApprovalQuestion, hasArguments: boolean): Promise<void> {
		const whose = this.label(question.request.definition);
		const title = titleText(question.request.tool.name, whose);
		await this.deps.documents.show(title, explainDecision(question, whose, hasArguments), hasArguments);
	}

	/**
	 * Makes a rule of a call, now or from a record of it; true if it was written. A file of the team names no secrets.
	 * @param schema of the tool, if it is known
	 */
	addRule(subject: RuleSubject, schema: JsonObject = {}): Promise<boolean> {
		const args = subject.arguments;
		const hasSecret = jsonText(this.redact(args)) !== jsonText(args) || holdsSecret(schema, args);
		return addRule(this.policies, { ...subject, arguments: hasSecret ? {} : args });
	}

	/** Whether what a running server says of itself is other than when one of its tools was approved, or nobody can tell. */
	async saysAnother({ definition, client }: Server): Promise<boolean> {
		const lock = await this.locks.read(definition);
		return lock.kind !== 'read' || areInstructionsChanged(lock.lock, definition.name, client?.session.instructions);
	}

	/** Takes the secrets of every server out. */
	redact<T>(value: T): T {
		return this.deps.registry.servers.reduce((it, { redactor }) => redactor?.data(it) ?? it, value);
	}

	private sheetDeps(): SheetDeps {
		const { documents, edit } = this.deps;
		return {
			documents,
			edit,
			label: definition => this.label(definition),
			warnings: question => this.warningsOf(question),
			openPolicy: ({ request, decision }) => openPolicy(this.policies, request.definition, decision.reason),
			addRule: async ({ request: { definition, tool, arguments: args } }) => {
				const isAdded = await this.addRule({ definition, tool: tool.name, arguments: args }, tool.inputSchema);
				if (isAdded) {
					this.waiting.decideAgain();
				}
				return isAdded;
			},
			explain: question => this.explain(question, true),
		};
	}

	private warningsOf({ request }: ApprovalQuestion): ToolWarning[] {
		const others = this.deps.registry.servers
			.filter(it => it.definition.id !== request.definition.id)
			.map(server => ({ server: this.deps.registry.label(server), tools: toolsOf(server) }));
		return warningsOf({ ...request, others, hasSecret: text => this.redact(text) !== text });
	}

	private serverOf({ id }: ServerDefinition): Server | undefined {
		return this.deps.registry.servers.find(it => it.definition.id === id);
	}
}

function toolsOf({ catalog }: Server): readonly Tool[] {
	return catalog?.tools.kind === 'loaded' ? catalog.tools.items : [];
}
