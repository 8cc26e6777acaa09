/**
 * Asks for the arguments of a prompt or the variables of a resource template, one after the other, with the server's
 * suggestions. Typed text survives the Back button and the disappearance of the quick input.
 */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { canonicalJson, type CompletionReference } from '../../mcp/index.js';
import type { Completions } from '../../core/search/completions.js';
import type { Server } from '../../core/servers/server.js';
import { argumentSources } from './argumentSources.js';
import { type ArgumentAnswer, type ArgumentSpec, type ArgumentStep, askArgument } from './argumentStep.js';
import { describeError } from '../l10n/messages.js';
import { notificationText } from '../ui/plainText.js';
import type { TextEditing } from '../documents/textEditing.js';

export type ArgumentValues = Readonly<Record<string, string>>;

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
	/** The texts of questions that disappeared, until the window closes. */
	private readonly drafts = new Map<string, Map<string, string>>();

	constructor(
		private readonly completions: Completions,
		private readonly editing: TextEditing,
	) {}

	/** Asks for the arguments that aren't given. If all are given, the person is asked for nothing. */
	async ask(request: ArgumentsRequest): Promise<ArgumentsOutcome> {
		const { given = {} } = request;
		const key = canonicalJson([request.server.definition.id, request.ref]);
		const steps = request.arguments.filter(it => !Object.hasOwn(given, it.name));
		const texts = new Map([...(this.drafts.get(key) ?? []), ...Object.entries(request.first ?? {})]);
		for (let index = 0; index < steps.length;) {
			const argument = steps[index];
			if (!argument) {
				break;
			}
			// Later arguments may have a text of an earlier form, which the person hasn't confirmed now.
			const before = valuesOf(given, texts, steps.slice(0, index));
			const answer = await this.askOne(request, argument, before, {
				text: texts.get(argument.name) ?? '',
				step: { number: index + 1, total: steps.length },
				canGoBack: index > 0 || request.canGoBack === true,
			});
			if (answer.kind === 'answered') {
				if (answer.value === undefined) {
					texts.delete(argument.name);
				} else {
					texts.set(argument.name, answer.value);
				}
				index++;
				continue;
			}
			texts.set(argument.name, answer.text);
			if (answer.kind === 'left' || index === 0) {
				this.drafts.set(key, texts);
				return { kind: answer.kind };
			}
			index--;
		}
		this.drafts.delete(key);
		return { kind: 'given', values: valuesOf(given, texts, steps) };
	}

	/** Asks for one argument. A text from a source becomes the initial text of the question, which is asked again. */
	private async askOne(
		request: ArgumentsRequest,
		argument: ArgumentSpec,
		values: ArgumentValues,
		step: Pick<ArgumentStep, 'text' | 'step' | 'canGoBack'>,
	): Promise<Exclude<ArgumentAnswer, { kind: 'source' }>> {
		const { server, ref, title, serverLabel, check, preview } = request;
		const { name } = argument;
		let { text } = step;
		for (;;) {
			const answer = await askArgument(this.completions, {
				...step,
				title,
				argument,
				subject: { server, ref, argument: name, values },
				serverLabel,
				text,
				sources: argumentSources(name, this.editing),
				check: value => check?.(name, value),
				preview: value => preview?.({ ...values, ...(value === undefined ? {} : { [name]: value }) }),
			});
			if (answer.kind !== 'source') {
				return answer;
			}
			text = (await fromSource(() => answer.source.read(answer.text))) ?? answer.text;
		}
	}
}

/** Reads a source. Shows an error and gives `undefined` if that fails. */
async function fromSource(read: () => Promise<string | undefined>): Promise<string | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!isAbort(error)) {
			void vscode.window.showErrorMessage(notificationText(describeError(error)));
		}
		return undefined;
	}
}

function valuesOf(
	given: ArgumentValues,
	texts: ReadonlyMap<string, string>,
	steps: readonly ArgumentSpec[],
): Record<string, string> {
	const own = steps.flatMap(({ name }) => {
		const text = texts.get(name);
		return text === undefined || text === '' ? [] : [[name, text] as const];
	});
	return { ...given, ...Object.fromEntries(own) };
}
