/**
 * The sheet on which a person approves a call: arguments, facts, and choices. Closing the sheet decides nothing. A call
 * can be allowed only after everything that the sheet doesn't show exactly has been opened.
 */
import * as vscode from 'vscode';
import { onAbort } from '../../base/async.js';
import type { Documents } from '../../editor/documents/documents.js';
import { jsonText, titleText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { accepted, askForOne, back, closeInput, hideInput } from '../../editor/ui/quickInput.js';
import { openForSheet, type SheetReturn } from '../../editor/ui/sheetReturn.js';
import type { JsonObject, Tool } from '../../mcp/index.js';
import type { ApprovedScope } from '../../core/approvals/approval.js';
import type { ApprovalAnswer, ApprovalQuestion } from '../../core/approvals/approver.js';
import { withoutSecretArguments } from '../../core/text/callArguments.js';
import type { ReviewEnd } from '../../core/requests/pendingRequests.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { showChange } from './definitionText.js';
import { type FactItem, factItems, factsText, titleRoom } from './facts.js';
import type { OpenedViews } from './pendingApprovals.js';

export interface ApprovalSheetDeps {
	readonly documents: Documents;
	/** The server's label. */
	readonly label: (definition: ServerDefinition) => string;
	/** Names of the arguments that contain a server's secret. */
	readonly secrets: (question: ApprovalQuestion) => readonly string[];
	/** Edits the arguments in a form; `undefined` if the person leaves it. */
	readonly edit: (
		serverLabel: string,
		tool: Tool,
		args: JsonObject,
		signal: AbortSignal,
	) => Promise<JsonObject | undefined>;
	/** Opens the policy at the rule that decided. */
	readonly openPolicy: (question: ApprovalQuestion) => Promise<void>;
	/** True if a rule was added. */
	readonly addRule: (question: ApprovalQuestion, signal: AbortSignal) => Promise<boolean>;
}

type Choice = FactItem['choice'] | 'once' | 'session' | 'always' | 'edit' | 'deny' | 'denyAlways' | 'addRule';

/** The view that the person must open before the call can be allowed; `tooLarge` if it can't be shown. */
type Gate = 'showDiff' | 'showAll' | 'tooLarge';

interface SheetItem extends vscode.QuickPickItem {
	readonly choice?: Choice;
}

/** An item without `about` goes back. It is the first, so that Enter alone allows nothing. */
interface AlwaysItem extends vscode.QuickPickItem {
	readonly about?: ApprovedScope;
}

/** Shows the sheet of one request. Resolves with the answer, or with how the sheet was closed without one. */
export function showApprovalSheet(
	question: ApprovalQuestion,
	opened: OpenedViews,
	signal: AbortSignal,
	sheetReturn: SheetReturn,
	deps: ApprovalSheetDeps,
): Promise<ApprovalAnswer | ReviewEnd> {
	return new Sheet(question, opened, signal, sheetReturn, deps).show();
}

class Sheet {
	private readonly serverLabel: string;
	private readonly title: string;
	private readonly secrets: readonly string[];
	/** The full view, made on first use; its text is undefined if the call is too large to be shown. */
	private full: { readonly text: string | undefined } | undefined;

	constructor(
		private readonly question: ApprovalQuestion,
		/** Updated here when the person opens a view. */
		private readonly opened: OpenedViews,
		private readonly signal: AbortSignal,
		private readonly sheetReturn: SheetReturn,
		private readonly deps: ApprovalSheetDeps,
	) {
		const { definition, tool } = question.request;
		this.serverLabel = deps.label(definition);
		this.secrets = deps.secrets(question);
		this.title = vscode.l10n.t('Allow "{0}" on "{1}"?', toolName(tool.name, titleRoom), this.serverLabel);
	}

	async show(): Promise<ApprovalAnswer | ReviewEnd> {
		const { signal, title } = this;
		const pick = vscode.window.createQuickPick<SheetItem>();
		const aborted = onAbort(signal, () => pick.hide());
		try {
			pick.title = title;
			pick.placeholder = vscode.l10n.t('Review the call, then allow or deny it below');
			pick.ignoreFocusOut = true;
			while (!signal.aborted) {
				this.fill(pick);
				const item = await accepted(pick);
				if (!item) {
					return 'aside';
				}
				const answer = await this.answer(item.choice, pick);
				if (answer !== undefined) {
					return answer;
				}
			}
			return 'aside';
		} finally {
			aborted.dispose();
			closeInput(pick);
		}
	}

	/** Makes the first row active. It is a fact or opens a document, so Enter alone allows nothing. */
	private fill(pick: vscode.QuickPick<SheetItem>): void {
		const facts = factItems(this.question, this.secrets, this.serverLabel, this.opened.full);
		pick.value = '';
		pick.items = [...facts, ...this.choices(this.gate(facts))];
		pick.activeItems = pick.items.filter(it => it.kind !== vscode.QuickPickItemKind.Separator).slice(0, 1);
	}

	private gate(facts: readonly FactItem[]): Gate | undefined {
		const { question, opened } = this;
		if (question.input.lock === 'changed' && !opened.change) {
			return 'showDiff';
		}
		if (opened.full || !facts.some(it => it.choice === 'showAll')) {
			return undefined;
		}
		return this.fullText() === undefined ? 'tooLarge' : 'showAll';
	}

	/** The text of the full view; undefined if the call is too large to be shown. */
	private fullText(): string | undefined {
		this.full ??= { text: factsText(this.question, this.secrets, this.serverLabel) };
		return this.full.text;
	}

	private choices(gate: Gate | undefined): SheetItem[] {
		const { t } = vscode.l10n;
		const { comparison, decision } = this.question;
		// Without a readable policy and a stored definition, later changes would go unnoticed: only this call can be allowed.
		// A tool that differs from the lock file is always asked about.
		const mayLast =
			comparison.lock !== 'changed' && !['broken', 'unreadablePin', 'notPinned'].includes(decision.reason.kind);
		const allow = (label: string, choice: Choice, description?: string): SheetItem => {
			const iconPath = new vscode.ThemeIcon(gate ? 'lock' : 'check');
			switch (gate) {
				case 'showDiff':
					return { label, iconPath, choice: gate, description: t('Opens the change first') };
				case 'showAll':
					return { label, iconPath, choice: gate, description: t('Opens the full view first') };
				case 'tooLarge':
					return { label, iconPath, description: t('Too large to show') };
				case undefined:
					return { label, iconPath, choice, ...(description !== undefined && { description }) };
			}
		};
		return [
			{ label: t('Decision'), kind: vscode.QuickPickItemKind.Separator },
			allow(t('Allow Once'), 'once'),
			line(t('Deny'), 'close', 'deny'),
			...(mayLast
				? [
						allow(t('Allow for This Session'), 'session', t('Any arguments, until the window closes')),
						allow(t('Always Allow…'), 'always'),
					]
				: []),
			line(t('Always Deny'), 'circle-slash', 'denyAlways'),
			line(t('Edit Arguments…'), 'edit', 'edit'),
			line(t('Add Rule…'), 'law', 'addRule'),
			line(t('Show in Full'), 'json', 'showAll'),
		];
	}

	/** Carries out a choice. `undefined` if the sheet stays open. */
	private async answer(
		choice: Choice,
		pick: vscode.QuickPick<SheetItem>,
	): Promise<ApprovalAnswer | ReviewEnd | undefined> {
		const { question, deps, serverLabel } = this;
		const { tool, arguments: args } = question.request;
		switch (choice) {
			case 'once':
				return { kind: 'allow', arguments: args, lasts: 'once', about: 'tool' };
			case 'session':
				return { kind: 'allow', arguments: args, lasts: 'session', about: 'tool' };
			case 'always':
				return this.askAlways();
			case 'deny':
				return { kind: 'deny', lasts: 'once' };
			case 'denyAlways':
				return { kind: 'deny', lasts: 'workspace' };
			case 'edit': {
				const edited = await deps.edit(serverLabel, tool, args, this.signal);
				return edited && { kind: 'again', arguments: edited };
			}
			case 'addRule':
				return (await deps.addRule(question, this.signal)) ? { kind: 'again', arguments: args } : undefined;
			case 'showDiff':
				return this.open(pick, async () => {
					const change = await showChange(question, serverLabel, deps.documents);
					this.opened.change = true;
					return change;
				});
			case 'showAll':
				return this.open(pick, () => this.showAll());
			case 'openPolicy':
				return this.open(pick, () => deps.openPolicy(question).then(() => undefined));
			case undefined:
				return undefined;
		}
	}

	/** The full view counts as opened only once its document is shown. */
	private async showAll(): Promise<vscode.Uri> {
		const text = this.fullText();
		if (text === undefined) {
			throw new Error(vscode.l10n.t('The call is too large to be shown.'));
		}
		const { tool } = this.question.request;
		const title = titleText(vscode.l10n.t('{0} (request)', toolName(tool.name, 40)), this.serverLabel);
		const full = await this.deps.documents.show(title, text, true);
		this.opened.full = true;
		return full;
	}

	/** Closes the sheet, which covers the top of a document, and opens the document. The sheet returns as in `openForSheet`. */
	private async open(
		pick: vscode.QuickPick<SheetItem>,
		show: () => Promise<vscode.Uri | undefined>,
	): Promise<ReviewEnd | undefined> {
		const { tool } = this.question.request;
		await hideInput(pick);
		const message = vscode.l10n.t('"{0}" on {1} is waiting for your decision.', toolName(tool.name), this.serverLabel);
		return (await openForSheet(show, message, this.sheetReturn)) ? 'done' : undefined;
	}

	/** Asks what to allow always. `undefined` if the person goes back or closes the list: the sheet is shown again. */
	private async askAlways(): Promise<ApprovalAnswer | undefined> {
		const { t } = vscode.l10n;
		const { tool, tools, arguments: args } = this.question.request;
		const question = {
			title: this.title,
			placeholder: t('Select what to allow in this workspace'),
			canGoBack: true,
			signal: this.signal,
		};
		// A grant stores its arguments unredacted, and secrets belong in secret storage only.
		const kept = jsonText(withoutSecretArguments(tool.inputSchema, args));
		const hasSecret = this.secrets.length > 0 || kept !== jsonText(args);
		const chosen = await askForOne<AlwaysItem>(question, [
			{ label: t('Back'), description: t('Returns to the request') },
			...(hasSecret
				? []
				: [
						{
							label: t('These arguments'),
							description: t('This tool with exactly these arguments'),
							about: 'arguments' as const,
						},
					]),
			{ label: t('This tool'), description: t('With any arguments'), about: 'tool' },
			{
				label: t('This server'),
				description: t('All {0} current tools with their current definitions', tools.length),
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
