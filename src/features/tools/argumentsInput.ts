/** Asks for the arguments of a tool, by a form or a JSON document. Switching between them keeps unfinished input. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import {
	canonicalJson,
	type Form,
	isObject,
	type JsonObject,
	type SchemaValidator,
	type Tool,
} from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Documents } from '../../editor/documents/documents.js';
import {
	draftValues,
	type FormDraft,
	type FormOutcome,
	type FormRequest,
	runForm,
} from '../../editor/forms/formPick.js';
import type { FormAction } from '../../editor/forms/formReview.js';
import { parseJson } from '../../base/parseJson.js';
import { titleText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { describeTime } from '../../editor/l10n/timeText.js';
import type { ArgumentsDocuments } from './argumentsDocument.js';
import { type ArgumentsForm, argumentsForm } from './argumentsForm.js';
import { type GivenArguments, type LastArguments, toolKey } from './lastArguments.js';

export interface ArgumentsInputDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly argumentsDocuments: ArgumentsDocuments;
	readonly last: LastArguments;
	readonly validator: SchemaValidator;
}

/** The last draft of a tool's form, and the caller for whom it would be called. */
interface KeptDraft extends Pick<GivenArguments, 'caller'> {
	readonly draft: FormDraft;
	/** The arguments that the draft began with. Those without a field are sent too. */
	readonly from: JsonObject | undefined;
	/** Whether the tool was called with it; otherwise the form was closed. */
	readonly isCalled: boolean;
	/** When, in milliseconds since 1970. */
	readonly time: number;
}

export class ArgumentsInput {
	/** Kept until the window closes. */
	private readonly drafts = new Map<string, KeptDraft>();
	/** Drafts of changed arguments of a call that waits for approval, by the arguments of the call. */
	private readonly edits = new WeakMap<JsonObject, FormDraft>();

	constructor(private readonly deps: ArgumentsInputDeps) {}

	/**
	 * Asks for arguments; `undefined` if the person left or continues in a document.
	 * @param from initial arguments, instead of the last draft
	 */
	async ask(server: Server, tool: Tool, from?: GivenArguments): Promise<GivenArguments | undefined> {
		const { argumentsDocuments, last } = this.deps;
		const form = argumentsForm(tool.inputSchema);
		if (form.isNested) {
			const draft = this.drafts.get(toolKey(server, tool))?.draft;
			const first = (draft && draftArguments(form, draft)) ?? last.get(server, tool)?.args ?? {};
			await (from
				? argumentsDocuments.open(server, tool, from.args)
				: argumentsDocuments.openLatest(server, tool, first));
			return undefined;
		}
		return this.askByForm(server, tool, from);
	}

	/** Like `ask`, but always with the form. @param from initial arguments; the call counts as one of their caller */
	async askByForm(server: Server, tool: Tool, from?: GivenArguments): Promise<GivenArguments | undefined> {
		const key = toolKey(server, tool);
		const title = titleText(toolName(tool.name, 60), this.deps.registry.label(server));
		const last = this.deps.last.get(server, tool);
		let before = from;
		for (;;) {
			const kept = this.drafts.get(key);
			const from = before ? before.args : kept?.from;
			const form = argumentsForm(tool.inputSchema, from);
			const draft = before ? { values: form.toValues(before.args), texts: {} } : kept?.draft;
			const caller = (before ?? kept)?.caller ?? { kind: 'person' };
			const heading = before || !kept || isUntouched(kept, form.form) ? undefined : describeOrigin(kept);
			const empty = { id: 'empty', label: vscode.l10n.t('Start Empty'), icon: 'clear-all' };
			const outcome = await this.runForm(form, title, {
				draft,
				submitLabel: vscode.l10n.t('Run'),
				submitIcon: 'play',
				actions: [
					...(heading === undefined ? [] : [empty]),
					...actionsFor(last?.args, draft && draftArguments(form, draft), form.form),
				],
				...(heading === undefined ? {} : { heading, isFieldFirst: tool.annotations?.readOnlyHint !== true }),
			});
			if (outcome.kind === 'submitted') {
				const draft = { values: outcome.values, texts: {} };
				this.drafts.set(key, { draft, from, caller, isCalled: true, time: clock.now() });
				const isUnseen = caller.kind === 'person' && form.hasUnshown;
				return { args: form.toArguments(outcome.values), caller: isUnseen ? { kind: 'history' } : caller };
			}
			if (outcome.kind === 'action' && outcome.id === 'empty') {
				this.drafts.delete(key);
				continue;
			}
			this.drafts.set(key, { draft: outcome.draft, from, caller, isCalled: false, time: clock.now() });
			if (outcome.kind === 'left') {
				return undefined;
			}
			if (outcome.id === 'document') {
				const first = unfinishedText(form, outcome.draft) ?? draftArguments(form, outcome.draft);
				await this.deps.argumentsDocuments.open(server, tool, first);
				return undefined;
			}
			before = last;
		}
	}

	/**
	 * Lets the person change the arguments of another caller's call; `undefined` if they leave the form. The draft is
	 * kept until the call ends.
	 * @param serverLabel label of the server
	 */
	async edit(serverLabel: string, tool: Tool, args: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined> {
		const form = argumentsForm(tool.inputSchema, args);
		const outcome = await this.runForm(form, titleText(toolName(tool.name, 60), serverLabel), {
			signal,
			submitLabel: vscode.l10n.t('Use These Arguments'),
			submitIcon: 'check',
			draft: this.edits.get(args) ?? { values: form.toValues(args), texts: {} },
		});
		if (outcome.kind === 'submitted') {
			return form.toArguments(outcome.values);
		}
		this.edits.set(args, outcome.draft);
		return undefined;
	}

	/** Keeps the arguments of an allowed call as the draft of the next form. */
	remember(server: Server, tool: Tool, { args, caller }: GivenArguments): void {
		const draft = { values: argumentsForm(tool.inputSchema).toValues(args), texts: {} };
		this.drafts.set(toolKey(server, tool), { draft, from: args, caller, isCalled: true, time: clock.now() });
	}

	private async runForm(
		whole: ArgumentsForm,
		title: string,
		request: Omit<FormRequest, 'form' | 'title' | 'validator' | 'hasUnshown' | 'showAll'>,
	): Promise<FormOutcome> {
		const { form, hasUnshown } = whole;
		const { validator } = this.deps;
		const showAll = (values: JsonObject): Promise<void> =>
			this.deps.documents.showJson(title, draftArguments(whole, { values, texts: {} }));
		return runForm({ ...request, form, title, validator, hasUnshown, showAll });
	}
}

/** Whether a draft equals a new form: it is empty, or that of a closed form with only the defaults. */
function isUntouched({ draft: { values, texts }, isCalled }: KeptDraft, { fields }: Form): boolean {
	const stated = isCalled ? [] : fields.filter(it => it.default !== undefined);
	const defaults = Object.fromEntries(stated.map(it => [it.name, it.default]));
	return Object.keys(texts).length === 0 && canonicalJson(values) === canonicalJson(defaults);
}

/** Says that the form begins with values of an earlier form or call. */
function describeOrigin({ isCalled, time }: KeptDraft): string {
	const { t } = vscode.l10n;
	const when = describeTime(time);
	return isCalled ? t('Arguments of the last call, {0}', when) : t('Arguments you entered before, {0}', when);
}

/** Offers the last arguments if they differ, and a JSON document if there are arguments. */
function actionsFor(last: JsonObject | undefined, now: JsonObject | undefined, { fields }: Form): FormAction[] {
	const { t } = vscode.l10n;
	const isNew = last !== undefined && canonicalJson(last) !== canonicalJson(now ?? {});
	return [
		...(isNew ? [{ id: 'last', label: t('Use Last Arguments'), icon: 'history' }] : []),
		...(fields.length > 0 ? [{ id: 'document', label: t('Edit as JSON…'), icon: 'json' }] : []),
	];
}

/** The unfinished text of a form with one field for all arguments, as an object if it is one. */
function unfinishedText({ toValues }: ArgumentsForm, { texts }: FormDraft): JsonObject | string | undefined {
	const [only] = Object.keys(toValues({}));
	const text = only === undefined ? undefined : texts[only];
	const value = text === undefined ? undefined : parseJson(text);
	return isObject(value) ? value : text;
}

/** The arguments of a draft. Texts that aren't valid values are included, so that the document shows the mistake. */
function draftArguments({ form, toArguments, toValues }: ArgumentsForm, draft: FormDraft): JsonObject {
	const { values } = draft;
	const whole = Object.keys(toValues({}));
	const [only] = whole;
	if (only !== undefined) {
		return isObject(values[only]) ? toArguments(values) : {};
	}
	return toArguments(draftValues(form, draft));
}
