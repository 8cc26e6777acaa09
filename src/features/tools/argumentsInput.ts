/**
 * How a person gives the arguments of a tool: field by field, or as a JSON document where fields cannot say it, and
 * from one to the other without losing what was typed.
 */
import * as vscode from 'vscode';
import { canonicalJson, type Form, isObject, type JsonObject, type PatternMatcher } from '../../mcp/index.js';
import type { SchemaValidator, Tool } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { Documents } from '../../editor/documents/documents.js';
import { draftValues, type FormDraft, runForm } from '../../editor/forms/formPick.js';
import type { FormWay } from '../../editor/forms/formReview.js';
import { parseJson } from '../../editor/documents/jsonDocuments.js';
import { titleText } from '../../editor/ui/plainText.js';
import { describeTime } from '../../editor/l10n/timeText.js';
import type { ArgumentsDocuments } from './argumentsDocument.js';
import { type ArgumentsForm, argumentsForm } from './argumentsForm.js';
import type { GivenArguments, LastArguments } from './lastArguments.js';

export interface ArgumentsInputDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly argumentsDocuments: ArgumentsDocuments;
	readonly last: LastArguments;
	readonly validator: SchemaValidator;
}

/** The last draft of a tool's form, and the caller it counts as. */
interface KeptDraft extends Pick<GivenArguments, 'caller'> {
	readonly draft: FormDraft;
	/** Whether the tool was called with it; otherwise the form was closed. */
	readonly isCalled: boolean;
	/** When, in milliseconds since 1970. */
	readonly time: number;
}

export class ArgumentsInput {
	/** Kept until the window closes. */
	private readonly drafts = new Map<string, KeptDraft>();
	/** What was made of arguments that somebody else has given, for as long as these are asked about. */
	private readonly edits = new WeakMap<JsonObject, FormDraft>();

	constructor(private readonly deps: ArgumentsInputDeps) {}

	/**
	 * The arguments, or `undefined` if the person left, or went on in a document.
	 * @param from arguments to begin with, instead of what was typed last
	 */
	async ask(server: Server, tool: Tool, from?: GivenArguments): Promise<GivenArguments | undefined> {
		const { argumentsDocuments, last } = this.deps;
		const form = argumentsForm(tool.inputSchema);
		if (form.isNested) {
			const draft = this.drafts.get(keyOf(server, tool))?.draft;
			const first = (draft && draftArguments(form, draft)) ?? last.get(server, tool)?.args ?? {};
			await (from
				? argumentsDocuments.open(server, tool, from.args)
				: argumentsDocuments.openLatest(server, tool, first));
			return undefined;
		}
		return this.askByForm(server, tool, from);
	}

	/** The same, with the form whatever the schema is. A form that began with what somebody else gave calls for them. */
	async askByForm(server: Server, tool: Tool, from?: GivenArguments): Promise<GivenArguments | undefined> {
		const key = keyOf(server, tool);
		const title = titleText(tool.name, this.deps.registry.label(server));
		const last = this.deps.last.get(server, tool);
		let before = from;
		for (;;) {
			const form = argumentsForm(tool.inputSchema, before?.args);
			const kept = this.drafts.get(key);
			const draft = before ? { values: form.toValues(before.args), texts: {} } : kept?.draft;
			const caller = (before ?? kept)?.caller ?? { kind: 'person' };
			const heading = before || !kept || isUntouched(kept, form.form) ? undefined : describeOrigin(kept);
			const empty = { id: 'empty', label: vscode.l10n.t('Start Empty'), icon: 'clear-all' };
			const outcome = await runForm({
				form: form.form,
				title,
				draft,
				submitLabel: vscode.l10n.t('Run'),
				submitIcon: 'play',
				matches: await this.matcherFor(form.form),
				ways: [
					...(heading === undefined ? [] : [empty]),
					...waysFrom(last?.args, draft && draftArguments(form, draft), form.form),
				],
				...(heading === undefined ? {} : { heading, isFieldFirst: tool.annotations?.readOnlyHint !== true }),
				hasUnshown: form.hasUnshown,
				showAll: values => this.deps.documents.showJson(title, draftArguments(form, { values, texts: {} })),
			});
			if (outcome.kind === 'submitted') {
				const draft = { values: outcome.values, texts: {} };
				this.drafts.set(key, { draft, caller, isCalled: true, time: Date.now() });
				const isUnseen = caller.kind === 'person' && form.hasUnshown;
				return { args: form.toArguments(outcome.values), caller: isUnseen ? { kind: 'history' } : caller };
			}
			if (outcome.kind === 'way' && outcome.id === 'empty') {
				this.drafts.delete(key);
				continue;
			}
			this.drafts.set(key, { draft: outcome.draft, caller, isCalled: false, time: Date.now() });
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
	 * The form with arguments that somebody else has given; `undefined` if the person leaves it. What they have typed is
	 * there when these arguments are edited again.
	 * @param whose server
	 */
	async edit(whose: string, tool: Tool, args: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined> {
		const title = titleText(tool.name, whose);
		const whole = argumentsForm(tool.inputSchema, args);
		const { form, hasUnshown, toArguments, toValues } = whole;
		const outcome = await runForm({
			form,
			title,
			signal,
			submitLabel: vscode.l10n.t('Use These Arguments'),
			submitIcon: 'check',
			draft: this.edits.get(args) ?? { values: toValues(args), texts: {} },
			matches: await this.matcherFor(form),
			hasUnshown,
			showAll: values => this.deps.documents.showJson(title, draftArguments(whole, { values, texts: {} })),
		});
		if (outcome.kind === 'submitted') {
			return toArguments(outcome.values);
		}
		this.edits.set(args, outcome.draft);
		return undefined;
	}

	/** The next form begins with these. They were allowed: others can write documents, and edits of calls are not all seen. */
	remember(server: Server, tool: Tool, { args, caller }: GivenArguments): void {
		const draft = { values: argumentsForm(tool.inputSchema).toValues(args), texts: {} };
		this.drafts.set(keyOf(server, tool), { draft, caller, isCalled: true, time: Date.now() });
	}

	/** Loads the engine of patterns for a form that has some. */
	private async matcherFor({ fields }: Form): Promise<PatternMatcher | undefined> {
		const hasPattern = fields.some(it => it.kind === 'string' && it.pattern !== undefined);
		return hasPattern ? this.deps.validator.matcher() : undefined;
	}
}

/** Whether a draft holds nothing that a new form would not hold: no values, or, of a form that was closed, its defaults. */
function isUntouched({ draft: { values, texts }, isCalled }: KeptDraft, { fields }: Form): boolean {
	const stated = isCalled ? [] : fields.filter(it => it.default !== undefined);
	const defaults = Object.fromEntries(stated.map(it => [it.name, it.default]));
	return Object.keys(texts).length === 0 && canonicalJson(values) === canonicalJson(defaults);
}

/** Tells the person that the form begins with values of an earlier form or call. */
function describeOrigin({ isCalled, time }: KeptDraft): string {
	const { t } = vscode.l10n;
	const when = describeTime(time);
	return isCalled ? t('Arguments of the last call, {0}', when) : t('Arguments you entered before, {0}', when);
}

function keyOf(server: Server, tool: Tool): string {
	return `${server.definition.id}/${tool.name}`;
}

/** Without fields there is nothing to write, and what was used last is offered where it is something else. */
function waysFrom(last: JsonObject | undefined, now: JsonObject | undefined, { fields }: Form): FormWay[] {
	const { t } = vscode.l10n;
	const isNew = last !== undefined && canonicalJson(last) !== canonicalJson(now ?? {});
	return [
		...(isNew ? [{ id: 'last', label: t('Use Last Arguments'), icon: 'history' }] : []),
		...(fields.length > 0 ? [{ id: 'document', label: t('Edit as JSON…'), icon: 'json' }] : []),
	];
}

/** Of a form with one field for all, what was typed into it and is no value of it yet; as an object if it is one. */
function unfinishedText({ toValues }: ArgumentsForm, { texts }: FormDraft): JsonObject | string | undefined {
	const [only] = Object.keys(toValues({}));
	const text = only === undefined ? undefined : texts[only];
	const value = text === undefined ? undefined : parseJson(text);
	return isObject(value) ? value : text;
}

/** What does not fit yet goes along as the text that it is: the document marks it. */
function draftArguments({ form, toArguments, toValues }: ArgumentsForm, draft: FormDraft): JsonObject {
	const { values } = draft;
	const whole = Object.keys(toValues({}));
	const [only] = whole;
	if (only !== undefined) {
		return isObject(values[only]) ? toArguments(values) : {};
	}
	return toArguments(draftValues(form, draft));
}
