/** Lets a person change the arguments of a call that waits for approval, by the quick form. */
import * as vscode from 'vscode';
import { runForm, type FormDraft } from '../../editor/forms/formPick.js';
import type { Documents } from '../../editor/documents/documents.js';
import type { JsonObject, Tool } from '../../mcp/index.js';
import { titleText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { argumentsForm } from './argumentsForm.js';

export class ArgumentsInput {
	/** Drafts of changed arguments of a call that waits for approval, by the arguments of the call. */
	private readonly edits = new WeakMap<JsonObject, FormDraft>();

	constructor(private readonly documents: Documents) {}

	/**
	 * Lets the person change the arguments of another caller's call; `undefined` if they leave the form. The draft is
	 * kept until the call ends.
	 * @param serverLabel label of the server
	 */
	async edit(serverLabel: string, tool: Tool, args: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined> {
		const { form, toArguments, toValues } = argumentsForm(tool.inputSchema, args);
		const title = titleText(toolName(tool.name, 60), serverLabel);
		const outcome = await runForm({
			form,
			title,
			signal,
			submitLabel: vscode.l10n.t('Use These Arguments'),
			draft: this.edits.get(args) ?? { values: toValues(args), texts: {} },
			showAll: values => this.documents.showJson(title, toArguments(values)),
		});
		if (outcome.kind === 'submitted') {
			return toArguments(outcome.values);
		}
		this.edits.set(args, outcome.draft);
		return undefined;
	}
}
