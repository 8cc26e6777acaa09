/**
 * Asks for the arguments of a prompt or the variables of a resource template, one after the other, with the server's
 * suggestions. Typed text survives the Back button and the disappearance of the quick input.
 */
import { canonicalJson, type CompletionReference } from '../../mcp/index.js';
import type { Completions } from '../../core/search/completions.js';
import type { Server } from '../../core/servers/server.js';
import type { TextEditing } from '../documents/textEditing.js';
import { type FormDraft, runSteps } from './formPick.js';
import type { FormField, TextValues } from './suggestedStep.js';

export type ArgumentValues = TextValues;

/** An argument of a prompt, or a variable of a resource template. All texts are untrusted. */
export interface ArgumentSpec {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
	readonly required?: boolean;
}

export interface ArgumentsRequest {
	readonly server: Server;
	readonly ref: CompletionReference;
	/** Names the prompt or template and its server. Made by `titleText`. */
	readonly title: string;
	/** The server's label. */
	readonly serverLabel: string;
	/** The arguments to ask for, in this order, unless they are in `given`. */
	readonly arguments: readonly ArgumentSpec[];
	/** Values that aren't asked for. */
	readonly given?: ArgumentValues;
	/** Initial texts, instead of those that were typed last. */
	readonly first?: ArgumentValues;
	/** Whether the first question has a Back button. */
	readonly canGoBack?: boolean;
	/** Describes what is wrong with a value; `undefined` if it is valid. */
	readonly check?: (name: string, value: string) => string | undefined;
	/** Describes the result of the values so far, such as a URI. */
	readonly preview?: (values: ArgumentValues) => string | undefined;
}

/** Arguments that are left out are absent. */
export type ArgumentsOutcome =
	| { readonly kind: 'given'; readonly values: ArgumentValues }
	| { readonly kind: 'back' | 'left' };

export class ArgumentInputs {
	/** Typed texts of inputs that disappeared, kept until the window closes. */
	private readonly drafts = new Map<string, FormDraft>();

	constructor(
		private readonly completions: Completions,
		private readonly editing: TextEditing,
	) {}

	/** Asks for the arguments that aren't given. If all are given, the person is asked for nothing. */
	async ask(request: ArgumentsRequest): Promise<ArgumentsOutcome> {
		const { server, ref, title, given = {}, first, canGoBack = false } = request;
		const key = canonicalJson([server.definition.id, ref]);
		const { values = {}, texts = {} } = this.drafts.get(key) ?? {};
		const names = Object.keys(first ?? {});
		const outcome = await runSteps({
			title,
			canGoBack,
			form: {
				fields: request.arguments
					.filter(it => !Object.hasOwn(given, it.name))
					.map(it => this.toField(it, given, request)),
			},
			draft: {
				values: { ...values, ...first },
				texts: Object.fromEntries(Object.entries(texts).filter(([name]) => !names.includes(name))),
			},
		});
		if (outcome.kind === 'submitted') {
			this.drafts.delete(key);
			// All fields are texts.
			return { kind: 'given', values: { ...given, ...(outcome.values as ArgumentValues) } };
		}
		this.drafts.set(key, outcome.draft);
		return { kind: outcome.kind === 'back' ? 'back' : 'left' };
	}

	private toField(
		{ name, title, description, required = false }: ArgumentSpec,
		given: ArgumentValues,
		{ server, ref, serverLabel, check, preview }: ArgumentsRequest,
	): FormField {
		return {
			kind: 'string',
			minLength: undefined,
			maxLength: undefined,
			format: undefined,
			name,
			title,
			description,
			required,
			nullable: false,
			isSecret: false,
			default: undefined,
			suggestions: {
				completions: this.completions,
				editing: this.editing,
				serverLabel,
				subject: before => ({ server, ref, argument: name, values: { ...given, ...before } }),
				check: value => check?.(name, value),
				preview: values => preview?.({ ...given, ...values }),
			},
		};
	}
}
