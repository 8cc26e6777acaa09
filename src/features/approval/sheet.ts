/**
 * Asks a person about a call: where they did not start it, first a notification, which never takes the focus; then the
 * sheet with every fact. Whatever disappears is a denial of this one call.
 */
import * as vscode from 'vscode';
import { onAbort, raceAbort, type Sequencer } from '../../base/async.js';
import type { Documents } from '../../host/documents.js';
import { accepted } from '../../host/formPick.js';
import { notificationText, quickInputText, titleText, visibleJson } from '../../host/plainText.js';
import { askForOne, back } from '../../host/quickInput.js';
import type { JsonObject, Tool } from '../../mcp/index.js';
import { isAttended } from '../../model/approval.js';
import type { ApprovalAnswer, ApprovalQuestion } from '../../model/approver.js';
import { holdsSecret } from '../../model/keptArguments.js';
import type { ServerDefinition } from '../../model/serverDefinition.js';
import type { ToolWarning } from '../../model/toolWarnings.js';
import { showChange } from './definitionText.js';
import { type FactItem, factItems } from './facts.js';

export interface SheetDeps {
	readonly documents: Documents;
	/** One question at a time, whatever it is about. */
	readonly questions: Sequencer;
	/** What the person knows the server by. */
	readonly label: (definition: ServerDefinition) => string;
	readonly warnings: (question: ApprovalQuestion) => readonly ToolWarning[];
	/** Gives other arguments, or none if the person leaves the form. */
	readonly edit: (whose: string, tool: Tool, args: JsonObject) => Promise<JsonObject | undefined>;
	readonly openPolicy: (question: ApprovalQuestion) => Promise<void>;
	/** True if the policy is another now. */
	readonly addRule: (question: ApprovalQuestion) => Promise<boolean>;
	readonly explain: (question: ApprovalQuestion) => Promise<void>;
}

type Choice =
	| FactItem['choice']
	| 'once'
	| 'session'
	| 'always'
	| 'edit'
	| 'deny'
	| 'denyAlways'
	| 'addRule'
	| 'explain';

interface SheetItem extends vscode.QuickPickItem {
	readonly choice?: Choice;
}

/** The first line is none of them: Enter alone allows nothing here either. */
interface AlwaysItem extends vscode.QuickPickItem {
	readonly about?: 'arguments' | 'tool' | 'server';
}

const denied: ApprovalAnswer = { kind: 'deny', lasts: 'once' };

/** @param isAgain whether the person is at it already */
export async function askApproval(
	question: ApprovalQuestion,
	signal: AbortSignal,
	isAgain: boolean,
	deps: SheetDeps,
): Promise<ApprovalAnswer> {
	const { caller, definition, tool } = question.request;
	if (!isAttended(caller) && !isAgain) {
		const { t } = vscode.l10n;
		const review = t('Review');
		const whose = notificationText(deps.label(definition));
		const what = t('{0}: {1} waits for you.', whose, notificationText(tool.name));
		const choice = vscode.window.showInformationMessage(what, review, t('Deny'));
		// A message cannot be withdrawn: nobody waits for that of a call that was given up.
		void choice.then(chosen => {
			if (chosen === review && signal.aborted) {
				void vscode.window.showInformationMessage(
					t('{0}: {1} does not wait any more.', whose, notificationText(tool.name)),
				);
			}
		});
		if ((await raceAbort(Promise.resolve(choice), signal)) !== review) {
			return denied;
		}
	}
	return deps.questions.run(() => new Sheet(question, signal, deps).show());
}

class Sheet {
	/** Whether the person knows what they would allow. */
	private isSeen: boolean;
	private readonly whose: string;
	private readonly title: string;
	private readonly warnings: readonly ToolWarning[];

	constructor(
		private readonly question: ApprovalQuestion,
		private readonly signal: AbortSignal,
		private readonly deps: SheetDeps,
	) {
		const { definition, tool } = question.request;
		this.isSeen = question.input.pin !== 'changed';
		this.whose = deps.label(definition);
		this.warnings = deps.warnings(question);
		this.title = vscode.l10n.t('Allow "{0}" on {1}?', quickInputText(tool.name, 60), quickInputText(this.whose, 40));
	}

	async show(): Promise<ApprovalAnswer> {
		const { signal, title } = this;
		const pick = vscode.window.createQuickPick<SheetItem>();
		const aborted = onAbort(signal, () => pick.hide());
		try {
			pick.title = title;
			pick.placeholder = vscode.l10n.t('Look at the arguments, then allow or deny');
			pick.ignoreFocusOut = true;
			const facts = factItems(this.question, this.warnings);
			this.fill(pick, facts);
			while (!signal.aborted) {
				const item = await accepted(pick);
				const answer = item ? await this.answer(item.choice) : denied;
				if (answer) {
					return signal.aborted ? denied : answer;
				}
				this.fill(pick, facts);
			}
			return denied;
		} finally {
			aborted.dispose();
			pick.dispose();
		}
	}

	/** The first line is a fact: Enter alone allows nothing. */
	private fill(pick: vscode.QuickPick<SheetItem>, facts: readonly FactItem[]): void {
		pick.value = '';
		pick.items = [...facts, ...this.choices()];
		pick.activeItems = pick.items.slice(0, 1);
	}

	private choices(): SheetItem[] {
		const { t } = vscode.l10n;
		const { kind } = this.question.decision.reason;
		// Where nobody can tell what would be allowed, nothing is allowed for later.
		const mayLast = kind !== 'broken' && kind !== 'unreadablePin' && kind !== 'notPinned';
		const allow = (label: string, choice: Choice): SheetItem => {
			const iconPath = new vscode.ThemeIcon('check');
			return this.isSeen
				? { label, iconPath, choice }
				: { label, iconPath, choice: 'showDiff', description: t('once its change was shown') };
		};
		const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
		return [
			separator,
			allow(t('Allow Once'), 'once'),
			...(mayLast ? [allow(t('Allow for This Session'), 'session'), allow(t('Always Allow…'), 'always')] : []),
			line(t('Edit Arguments…'), 'edit', 'edit'),
			line(t('Deny'), 'close', 'deny'),
			line(t('Always Deny'), 'circle-slash', 'denyAlways'),
			separator,
			line(t('Show Arguments in Full'), 'json', 'showArguments'),
			line(t('Explain Decision'), 'question', 'explain'),
			line(t('Add Rule…'), 'law', 'addRule'),
		];
	}

	/** What a line means; nothing if there is more to ask. */
	private async answer(choice: Choice): Promise<ApprovalAnswer | undefined> {
		const { question, deps, whose } = this;
		const { tool, arguments: args } = question.request;
		switch (choice) {
			case 'once':
				return { kind: 'allow', arguments: args, lasts: 'once', about: 'tool' };
			case 'session':
				return { kind: 'allow', arguments: args, lasts: 'session', about: 'tool' };
			case 'always':
				return this.askAlways();
			case 'deny':
				return denied;
			case 'denyAlways':
				return { kind: 'deny', lasts: 'workspace' };
			case 'edit': {
				const edited = await deps.edit(whose, tool, args);
				return edited && { kind: 'again', arguments: edited };
			}
			case 'addRule':
				return (await deps.addRule(question)) ? { kind: 'again', arguments: args } : undefined;
			case 'showDiff':
				await showChange(question, whose, deps.documents);
				this.isSeen = true;
				return undefined;
			case 'showArguments':
				await deps.documents.show(titleText(tool.name, whose), visibleJson(args));
				return undefined;
			case 'openPolicy':
				await deps.openPolicy(question);
				return undefined;
			case 'explain':
				await deps.explain(question);
				return undefined;
			case undefined:
				return undefined;
		}
	}

	/** For how much; going back, and whatever disappears, leads to the sheet again. */
	private async askAlways(): Promise<ApprovalAnswer | undefined> {
		const { t } = vscode.l10n;
		const { tool, tools, arguments: args } = this.question.request;
		const question = {
			title: this.title,
			placeholder: t('What to allow in this workspace from now on'),
			canGoBack: true,
		};
		// What is remembered is kept as it is, and secrets are kept in one place only.
		const hasSecret = this.warnings.some(it => it.kind === 'secret') || holdsSecret(tool.inputSchema, args);
		const chosen = await askForOne<AlwaysItem>(question, [
			{ label: t('Not Yet'), description: t('back to the question') },
			...(hasSecret
				? []
				: [
						{
							label: t('These Arguments'),
							description: t('this tool with exactly these'),
							about: 'arguments' as const,
						},
					]),
			{ label: t('This Tool'), description: t('whatever its arguments'), about: 'tool' },
			{
				label: t('This Server'),
				description: t('all {0} tools that it has now, as they are', tools.length),
				about: 'server',
			},
		]);
		return chosen === back || chosen?.about === undefined
			? undefined
			: { kind: 'allow', arguments: args, lasts: 'workspace', about: chosen.about };
	}
}

function line(label: string, icon: string, choice: Choice): SheetItem {
	return { label, iconPath: new vscode.ThemeIcon(icon), choice };
}
