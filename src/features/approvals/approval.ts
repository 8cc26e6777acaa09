/**
 * Makes and connects everything that decides about tool calls: the calls (`core/calls/calls.ts`), the decision
 * (`core/approvals/approver.ts`) with its policies, kept definitions and grants, and the sheet that asks the person.
 */
import { type Disposable, Owner } from '../../base/lifecycle.js';
import type { Documents } from '../../editor/documents/documents.js';
import { WorkspaceGrants } from '../../editor/storage/grants.js';
import type { Storage } from '../../editor/storage/guardFiles.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import type { Permissions } from '../../editor/permissions.js';
import { Policies } from './policies.js';
import { canonicalJson, type JsonObject, type SchemaValidator } from '../../mcp/index.js';
import { type ApprovalQuestion, Approver } from '../../core/approvals/approver.js';
import type { Grant } from '../../core/approvals/approval.js';
import { Calls } from '../../core/calls/calls.js';
import { Interactions } from '../../core/calls/interactions.js';
import { RunningCalls } from '../../core/calls/runningCalls.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Environment } from '../../core/launch/environment.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Roots, Trust } from '../../core/servers/serverPorts.js';
import { isAuthoredHere } from '../../editor/workspace/authoredServers.js';
import { ApprovedTools } from './approvedTools.js';
import { ChangedTools } from './changedTools.js';
import { GuardDiagnostics } from './guardDiagnostics.js';
import { approvedCalls } from './manage.js';
import { addRule, type AddRuleOptions, openPolicy, type RuleSubject } from './rules.js';
import { PendingApprovals } from './pendingApprovals.js';
import { type ApprovalSheetDeps, showApprovalSheet } from './sheet.js';
import { ToolUpdates } from './toolUpdates.js';

export interface ApprovalDeps {
	readonly context: Storage;
	readonly state: EditorState;
	readonly userState: EditorState;
	readonly permissions: Permissions;
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly environment: Environment;
	readonly roots: Roots;
	readonly trust: Trust;
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
	readonly approved: ApprovedTools;
	readonly approver: Approver;
	readonly grants: WorkspaceGrants<Grant>;
	readonly policies: Policies;
	readonly changed: ChangedTools;
	readonly updates: ToolUpdates;
	private readonly waiting: PendingApprovals;

	constructor(private readonly deps: ApprovalDeps) {
		super();
		const { context, registry, environment, roots, trust } = deps;
		const files = this.own(new GuardDiagnostics(context));
		const { state, userState } = deps;
		this.approved = this.own(new ApprovedTools({ state, userState, onDidChangeFile: files.onDidChange }));
		this.grants = this.own(new WorkspaceGrants(state, 'grants'));
		this.own(deps.permissions.register(approvedCalls(this.grants, id => registry.labelOf({ id }))));
		this.policies = new Policies(context);
		this.waiting = this.own(
			new PendingApprovals({
				registry,
				pending: deps.pending,
				show: (...shown) => showApprovalSheet(...shown, this.sheetDeps()),
			}),
		);
		this.own(this.grants.onDidChange(() => this.waiting.decideAgain()));
		const isAuthored = (it: ServerDefinition): Promise<boolean> => isAuthoredHere(it, environment);
		this.approver = new Approver({
			policies: this.policies,
			tools: this.approved,
			grants: this.grants,
			isTrusted: () => trust.isTrusted(),
			isAuthored,
			roots: definition => roots.list(definition),
			ignoresCase: environment.ignoresCase,
			open: signal => this.waiting.open(signal),
		});
		this.changed = this.own(new ChangedTools(registry, this.approved, isAuthored));
		this.updates = this.own(new ToolUpdates({ ...deps, approved: this.approved, changed: this.changed }));
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
	}

	/** Owns a registration. */
	hold(registration: Disposable): void {
		this.own(registration);
	}

	/** Asks for a rule about a tool, and writes it to the policy. True if it was written. */
	addRule(subject: RuleSubject, options: AddRuleOptions = {}): Promise<boolean> {
		return addRule(this.policies, subject, this.deps.registry.labelOf(subject.definition), options);
	}

	private sheetDeps(): ApprovalSheetDeps {
		const { documents, edit, registry } = this.deps;
		return {
			documents,
			edit,
			label: definition => registry.labelOf(definition),
			secrets: question => this.secretsIn(question),
			openPolicy: ({ request, decision }) => openPolicy(this.policies, request.definition, decision.reason),
			addRule: (question, signal) => this.addRuleFor(question, { preserveFocus: true, signal }),
		};
	}

	/** Asks for a rule about a waiting call; if one was written, the waiting calls are decided again. */
	private async addRuleFor(question: ApprovalQuestion, options: AddRuleOptions): Promise<boolean> {
		const isAdded = await this.addRule(subjectOf(question), options);
		if (isAdded) {
			this.waiting.decideAgain();
		}
		return isAdded;
	}

	private secretsIn({ request }: ApprovalQuestion): string[] {
		const { registry } = this.deps;
		const server = registry.serverOf(request.definition);
		return argumentsWithSecrets(request.arguments, text => registry.redact(text, server) !== text);
	}
}

/** Names of the arguments with a secret in the name or the value. @param hasSecret whether a text contains a secret */
export function argumentsWithSecrets(args: JsonObject, hasSecret: (text: string) => boolean): string[] {
	return Object.entries(args)
		.filter(([name, value]) => hasSecret(name) || hasSecret(typeof value === 'string' ? value : canonicalJson(value)))
		.map(([name]) => name);
}

function subjectOf({ request: { definition, tool } }: ApprovalQuestion): RuleSubject {
	return { definition, tool: tool.name };
}
