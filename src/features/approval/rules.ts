/** Policies as people work on them: opened at a rule, and made longer by one. */
import * as vscode from 'vscode';
import { Settings } from '../../host/contributions.js';
import { openCurrent, saveAs } from '../../host/fileEdit.js';
import { quickInputText, quickPickText } from '../../host/plainText.js';
import type { Policies } from '../../host/policies.js';
import { askForOne } from '../../host/quickInput.js';
import type { JsonObject } from '../../mcp/index.js';
import type { ApprovalReason } from '../../model/approval.js';
import type { PolicyDecision } from '../../model/policy.js';
import { canNameArguments, type NewRule, withRule } from '../../model/policyEdit.js';
import { parsePolicy } from '../../model/policyFile.js';
import type { ServerDefinition } from '../../model/serverDefinition.js';

/** A call that a rule may be made of; any that there was. */
export interface RuleSubject {
	readonly definition: ServerDefinition;
	/** Its name. */
	readonly tool: string;
	readonly arguments: JsonObject;
}

/** Leads to the policy that decided, or would; one that is not there is begun. */
export async function openPolicy(
	policies: Policies,
	definition: ServerDefinition,
	reason: ApprovalReason | undefined,
): Promise<void> {
	if (reason && 'source' in reason && reason.source === 'user') {
		await vscode.commands.executeCommand('workbench.action.openSettings', Settings.policy);
		return;
	}
	const uri = policies.fileOf(definition);
	if (!(await exists(uri))) {
		await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{\n\t"rules": []\n}\n'));
	}
	const document = await vscode.workspace.openTextDocument(uri);
	const { places, problems } = parsePolicy(document.getText());
	const place =
		reason?.kind === 'rule' ? places[reason.number - 1] : reason?.kind === 'broken' ? problems[0] : undefined;
	await show(document, place);
}

/** Asks what the rule is to say, writes it first into the policy beside the server, and shows it. True if it is there. */
export async function addRule(policies: Policies, subject: RuleSubject): Promise<boolean> {
	const { t } = vscode.l10n;
	const rule = await askForRule(subject);
	if (!rule) {
		return false;
	}
	const uri = policies.fileOf(subject.definition);
	if (!(await exists(uri))) {
		await vscode.workspace.fs.writeFile(uri, new Uint8Array());
	}
	const document = await openCurrent(uri);
	const text = withRule(document.getText(), rule);
	if (text === undefined) {
		void vscode.window.showWarningMessage(t('mcp-policy.json has a mistake. Correct it first; nothing was written.'));
		await show(document, parsePolicy(document.getText()).problems[0]);
		return false;
	}
	if (!(await saveAs(document, text))) {
		throw new Error(t('The editor could not save mcp-policy.json.'));
	}
	await show(document, parsePolicy(text).places[0]);
	return true;
}

async function askForRule({ definition, tool, arguments: args }: RuleSubject): Promise<NewRule | undefined> {
	const { t } = vscode.l10n;
	const { name: server } = definition;
	const title = t('Add a rule for "{0}" on {1}', quickInputText(tool, 60), quickInputText(server, 40));
	const scopes: readonly (readonly [label: string, rule: Omit<NewRule, 'decision'>])[] = [
		[quickPickText(tool, 60), { server, tool }],
		...(canNameArguments(args)
			? [[t('{0} with these arguments', quickPickText(tool, 60)), { server, tool, arguments: args }] as const]
			: []),
		[t('every tool of {0}', quickPickText(server, 60)), { server }],
	];
	const words: Readonly<Record<PolicyDecision, string>> = { allow: t('Allow'), ask: t('Ask about'), deny: t('Deny') };
	const items = (['ask', 'deny', 'allow'] as const).flatMap(decision =>
		scopes.map(([what, rule]) => ({
			label: `${words[decision]} ${what}`,
			// A rule looks at what it names: whatever else a call is given is free.
			...(rule.arguments ? { description: t('and any others beside them') } : {}),
			rule: { decision, ...rule },
		})),
	);
	const chosen = await askForOne({ title, placeholder: t('What the rule is to say') }, items);
	return typeof chosen === 'object' ? chosen.rule : undefined;
}

async function show(
	document: vscode.TextDocument,
	place: { readonly offset: number; readonly length: number } | undefined,
): Promise<void> {
	const selection =
		place && new vscode.Range(document.positionAt(place.offset), document.positionAt(place.offset + place.length));
	await vscode.window.showTextDocument(document, {
		preserveFocus: true,
		preview: false,
		...(selection && { selection }),
	});
}

async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}
