/** Opens policy files, if known at the rule that decided, and adds rules. `core/approvals/policy*.ts` read and match them. */
import * as vscode from 'vscode';
import { Settings } from '../../editor/contributions.js';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { createFile, openCurrent, saveAs } from '../../editor/documents/fileEdit.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import type { Policies } from './policies.js';
import { askForOne, chooseLine } from '../../editor/ui/quickInput.js';
import { assertUnlinked, exists } from '../../editor/documents/repositoryFiles.js';
import type { ApprovalReason, PolicyDecision } from '../../core/approvals/approval.js';
import { type NewRule, withRule } from '../../core/approvals/policyEdit.js';
import { parsePolicy } from '../../core/approvals/policyFile.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

/** The tool that a rule is made for. */
export interface RuleSubject {
	readonly definition: ServerDefinition;
	/** Name of the tool. */
	readonly tool: string;
}

/**
 * The policy file for a server, or the one that the person selects. Without any server or folder: the policy of the
 * person's settings. `undefined` if the person selects none.
 * @param argument the argument of a command: a server or its tree item, if any
 */
export async function choosePolicy(
	registry: ServerRegistry,
	policies: Policies,
	argument: unknown,
): Promise<vscode.Uri | undefined> {
	if (argument !== undefined) {
		const server = await chooseServer(registry, argument, () => true, { title: vscode.l10n.t('Open Policy') });
		return server && policies.fileOf(server.definition);
	}
	await registry.configured;
	const { workspaceFolders = [] } = vscode.workspace;
	// Policies that decide about a server come first.
	const files = [
		...registry.servers.map(it => policies.fileOf(it.definition)),
		...workspaceFolders.map(it => policies.fileOf({ source: folderSource(it) })),
	];
	const byUri = new Map(files.map(it => [it.toString(), it]));
	const [first = policies.ownFile()] = files;
	if (byUri.size <= 1) {
		return first;
	}
	const { t } = vscode.l10n;
	const items = Array.from(byUri, ([file, uri]) => {
		const servers = registry.servers.filter(it => policies.fileOf(it.definition).toString() === file);
		const folder = vscode.workspace.getWorkspaceFolder(uri);
		const ofSettings = servers.some(it => it.definition.source.kind === 'userSettings');
		const names = servers.map(it => registry.label(it)).join(', ');
		return {
			label: folder
				? t('Servers in folder {0}', quickPickText(folder.name, 60))
				: ofSettings
					? t('Servers in User Settings')
					: t('Servers in the workspace'),
			description: servers.length === 0 ? t('No servers yet') : names,
			uri,
		};
	});
	return (await chooseLine(items, t('Select a policy. A missing file is created.'), t('Open Policy')))?.uri;
}

function folderSource(folder: vscode.WorkspaceFolder): ServerDefinition['source'] {
	const folderUri = folder.uri.toString();
	const uri = vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json').toString();
	return { kind: 'vscodeFolder', uri, folderUri, folderName: folder.name };
}

/**
 * Opens the policy that decided, at the rule that decided; for the person's own policy, the setting.
 */
export async function openPolicy(
	policies: Policies,
	definition: ServerDefinition,
	reason: ApprovalReason | undefined,
	preserveFocus = true,
): Promise<void> {
	if (reason && 'source' in reason && reason.source === 'user') {
		await vscode.commands.executeCommand('workbench.action.openSettings', Settings.policy);
		return;
	}
	await openPolicyFile(policies.fileOf(definition), reason, preserveFocus);
}

/** Opens a policy file. A missing one is created, with an example in comments. */
export async function openPolicyFile(uri: vscode.Uri, reason?: ApprovalReason, preserveFocus = false): Promise<void> {
	await assertUnlinked(uri);
	if (!(await exists(uri))) {
		await createFile(uri, emptyPolicyText());
	}
	const document = await vscode.workspace.openTextDocument(uri);
	const { places, problems } = parsePolicy(document.getText());
	const place =
		reason?.kind === 'rule' ? places[reason.number - 1] : reason?.kind === 'broken' ? problems[0] : undefined;
	await show(document, place, preserveFocus);
}

function emptyPolicyText(): string {
	const { t } = vscode.l10n;
	const lines = [
		'{',
		'\t"rules": [',
		`\t\t// ${t('For example, ask before every call of a tool that may delete or overwrite something:')}`,
		'\t\t// { "decision": "ask", "annotations": { "destructiveHint": true } }',
		'\t]',
		'}',
	];
	return `${lines.join('\n')}\n`;
}

export interface AddRuleOptions {
	/** Whether the focus stays where it is when the policy is shown. */
	readonly preserveFocus?: boolean;
	/** Withdraws the question for the rule. */
	readonly signal?: AbortSignal;
}

/**
 * Asks for a rule, writes it as the first rule of the server's policy, and shows it. True if it was written.
 * @param serverLabel the server's label
 */
export async function addRule(
	policies: Policies,
	subject: RuleSubject,
	serverLabel: string,
	{ preserveFocus = false, signal }: AddRuleOptions,
): Promise<boolean> {
	const { t } = vscode.l10n;
	const rule = await askForRule(subject, serverLabel, signal);
	if (!rule || signal?.aborted === true) {
		return false;
	}
	const uri = policies.fileOf(subject.definition);
	await assertUnlinked(uri);
	if (!(await exists(uri))) {
		await createFile(uri, '');
	}
	const document = await openCurrent(uri);
	const text = withRule(document.getText(), rule);
	if (text === undefined) {
		void vscode.window.showWarningMessage(
			t("The rule wasn't added because mcp-policy.json has errors. Fix the file and try again."),
		);
		await show(document, parsePolicy(document.getText()).problems[0], preserveFocus);
		return false;
	}
	if (!(await saveAs(document, text))) {
		throw new Error(t("mcp-policy.json couldn't be saved."));
	}
	await show(document, parsePolicy(text).places[0], preserveFocus);
	return true;
}

async function askForRule(
	{ definition, tool }: RuleSubject,
	serverLabel: string,
	signal: AbortSignal | undefined,
): Promise<NewRule | undefined> {
	const { t } = vscode.l10n;
	const { name: server } = definition;
	const shownTool = toolName(tool, 60);
	const title = t('Rule for "{0}" on "{1}"', shownTool, serverLabel);
	const items = (['ask', 'deny', 'allow'] as const).flatMap(decision => {
		const [ofTool, ofServer] = ruleLabels(decision, shownTool, serverLabel);
		return [
			{ label: ofTool, rule: { decision, server, tool } },
			{ label: ofServer, rule: { decision, server } },
		];
	});
	const chosen = await askForOne({ title, placeholder: t('Select a rule'), ...(signal && { signal }) }, items);
	return typeof chosen === 'object' ? chosen.rule : undefined;
}

/** Labels of rules about a tool, and about all tools of a server. */
function ruleLabels(decision: PolicyDecision, shownTool: string, serverLabel: string): readonly [string, string] {
	const { t } = vscode.l10n;
	switch (decision) {
		case 'allow':
			return [t('Allow "{0}"', shownTool), t('Allow every tool of "{0}"', serverLabel)];
		case 'ask':
			return [t('Ask about "{0}"', shownTool), t('Ask about every tool of "{0}"', serverLabel)];
		case 'deny':
			return [t('Deny "{0}"', shownTool), t('Deny every tool of "{0}"', serverLabel)];
	}
}

async function show(
	document: vscode.TextDocument,
	place: { readonly offset: number; readonly length: number } | undefined,
	preserveFocus: boolean,
): Promise<void> {
	const selection =
		place && new vscode.Range(document.positionAt(place.offset), document.positionAt(place.offset + place.length));
	await vscode.window.showTextDocument(document, {
		preserveFocus,
		preview: false,
		...(selection && { selection }),
	});
}
