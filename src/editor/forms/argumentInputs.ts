/**
 * Asks for the arguments of a prompt or the variables of a resource template, one after the other: those that are not
 * given yet, with what the server proposes, Back without loss, and what was typed kept when it all disappears.
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
	/** What they are for, and whose it is. Made by plainText's `titleText`. */
	readonly title: string;
	/** The server's label. */
	readonly whose: string;
	/** In the order in which they are asked for. */
	readonly arguments: readonly ArgumentSpec[];
	/** These are not asked for. */
	readonly given?: ArgumentValues;
	/** These stand there to begin with, in place of what was typed last. */
	readonly first?: ArgumentValues;
	/** Whether there is a question before the first, which Back leads to. */
	readonly canGoBack?: boolean;
	/** What is wrong with a value, in words; `undefined` if nothing is. */
	readonly check?: (name: string, value: string) => string | undefined;
	/** What comes of the values so far: an address, for example. */
	readonly preview?: (values: ArgumentValues) => string | undefined;
	readonly signal?: AbortSignal;
}

interface StepPlace extends Pick<ArgumentStep, 'canGoBack'> {
	readonly number: number;
	readonly total: number;
}

/** Arguments that are left out are absent. */
export type ArgumentsOutcome =
	| { readonly kind: 'given'; readonly values: ArgumentValues }
	| { readonly kind: 'back' | 'left' };

export class ArgumentInputs {
	/** What was there when it disappeared, until the window closes. */
	private readonly drafts = new Map<string, Map<string, string>>();

	constructor(
		private readonly completions: Completions,
		private readonly editing: TextEditing,
	) {}

	/** Asks for what is not given; without anything to ask, that is all. */
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
			// Those that come later may stand there from before: the person has not said them now.
			const before = valuesOf(given, texts, steps.slice(0, index));
			const answer = await this.askOne(request, argument, before, texts.get(argument.name) ?? '', {
				number: index + 1,
				total: steps.length,
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

	/** One argument; what a source gives is shown before it is used. */
	private async askOne(
		request: ArgumentsRequest,
		argument: ArgumentSpec,
		values: ArgumentValues,
		first: string,
		{ canGoBack, ...step }: StepPlace,
	): Promise<Exclude<ArgumentAnswer, { kind: 'source' }>> {
		const { server, ref, title, whose, check, preview, signal } = request;
		const { name } = argument;
		let text = first;
		for (;;) {
			const answer = await askArgument(this.completions, {
				title,
				step,
				canGoBack,
				argument,
				subject: { server, ref, argument: name, values },
				whose,
				text,
				sources: argumentSources(name, this.editing),
				check: value => check?.(name, value),
				preview: value => preview?.({ ...values, ...(value === undefined ? {} : { [name]: value }) }),
				signal,
			});
			if (answer.kind !== 'source') {
				return answer;
			}
			text = (await fromSource(() => answer.source.read(answer.text))) ?? answer.text;
		}
	}
}

/** What cannot be read is said; the question is asked again. */
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
