/**
 * Gets the values of `${input:…}`: stored values, answers of the person, and results of commands. Servers that start together
 * ask one after another, and each uses the answers that the others have got.
 */
import * as vscode from 'vscode';
import { onAbort, raceAbort, type Sequencer } from '../../base/async.js';
import { AbortError, isAbort, toMessage } from '../../base/errors.js';
import type { Field } from '../../mcp/index.js';
import { inputsOf, type ValuePlace } from '../../core/config/inputs.js';
import type { InputDefinition, ServerDefinition } from '../../core/config/serverDefinition.js';
import { InputCommandError, InputNeededError, type ResolveRequest } from '../../core/launch/resolvedServer.js';
import { UnresolvedVariableError } from '../../core/config/variables.js';
import { askField, type StepResult } from '../forms/formStep.js';
import { type InputStore, isSecret } from '../storage/inputStore.js';
import { describePlaces } from '../l10n/messages.js';
import { titleText } from '../ui/plainText.js';

export interface InputValues {
	readonly values: ReadonlyMap<string, string>;
	/** The values that must not be shown. */
	readonly secrets: readonly string[];
}

type CommandInput = Extract<InputDefinition, { kind: 'command' }>;
type AskedInput = Exclude<InputDefinition, CommandInput>;

interface Need {
	readonly input: InputDefinition;
	readonly places: readonly ValuePlace[];
}

export class Inputs {
	/** Results of commands at the last start. A restart uses them, because a command may ask the person. */
	private readonly ofCommands = new Map<string, string>();
	/** Running commands by their key. Servers that start together share them. */
	private readonly running = new Map<string, Promise<string>>();

	/**
	 * @param questions serializes questions of all servers
	 * @param label the label of a server
	 */
	constructor(
		private readonly store: InputStore,
		private readonly questions: Sequencer,
		private readonly label: (definition: ServerDefinition) => string,
	) {}

	/** All values that a server needs. @throws as `ServerDeps.resolve` */
	async resolve(definition: ServerDefinition, request: ResolveRequest): Promise<InputValues> {
		const needs = needsOf(definition);
		if (needs.length === 0) {
			return { values: new Map(), secrets: [] };
		}
		const values = await this.collect(definition, needs, request);
		const secrets = needs.flatMap(({ input }) =>
			// The result of a command may be a token.
			isSecret(input) || input.kind === 'command' ? (values.get(input.id) ?? []) : [],
		);
		return { values, secrets };
	}

	/** The ids of the inputs whose stored values a server gets without a question. @throws UnresolvedVariableError */
	async answered(definition: ServerDefinition): Promise<ReadonlySet<string>> {
		const values = new Map<string, string>();
		await this.readKept(definition.source.uri, needsOf(definition), values);
		return new Set(values.keys());
	}

	/** Asks for a new value. Resolves with false if the person has cancelled. */
	async change(definition: ServerDefinition, id: string): Promise<boolean> {
		const need = needsOf(definition).find(it => it.input.id === id);
		if (!need || need.input.kind === 'command') {
			return false;
		}
		const { input, places } = need;
		const source = definition.source.uri;
		const value = isSecret(input) ? undefined : await this.store.get(source, input);
		const answer = await ask(input, {
			definition,
			label: this.label(definition),
			places,
			value,
			step: undefined,
			signal: undefined,
		});
		if (answer.kind !== 'answered' || typeof answer.value !== 'string') {
			return false;
		}
		await this.store.set(source, input, answer.value);
		return true;
	}

	private async collect(
		definition: ServerDefinition,
		needs: readonly Need[],
		request: ResolveRequest,
	): Promise<Map<string, string>> {
		const { signal, mayAsk } = request;
		const { uri: source } = definition.source;
		const values = new Map<string, string>();
		const [first] = await raceAbort(this.readKept(source, needs, values), signal);
		if (first && !mayAsk) {
			throw new InputNeededError(first.input.id);
		}
		if (first) {
			request.onAsk('input');
			await this.questions.run(async () => {
				// The previous server may have got the same values.
				const missing = await this.readKept(source, needs, values);
				for (const [input, value] of await askAll(definition, this.label(definition), missing, signal)) {
					await this.store.set(source, input, value);
					values.set(input.id, value);
				}
			}, signal);
		}
		for (const { input } of needs) {
			if (input.kind === 'command') {
				values.set(input.id, await this.run(source, input, request));
			}
		}
		return values;
	}

	/** Adds the stored values to `values`. Resolves with the remaining needs. */
	private async readKept(source: string, needs: readonly Need[], values: Map<string, string>): Promise<Need[]> {
		const missing: Need[] = [];
		for (const need of needs) {
			const { input } = need;
			if (input.kind === 'command') {
				continue;
			}
			const value = await this.store.get(source, input);
			if (value !== undefined && isStillAChoice(input, value)) {
				values.set(input.id, value);
			} else {
				missing.push(need);
			}
		}
		return missing;
	}

	private async run(source: string, input: CommandInput, { signal, mayAsk, onAsk }: ResolveRequest): Promise<string> {
		const { id } = input;
		const key = `${source}#${id}`;
		const known = this.ofCommands.get(key);
		if (!mayAsk) {
			if (known === undefined) {
				throw new InputNeededError(id);
			}
			return known;
		}
		onAsk('input');
		let running = this.running.get(key);
		if (!running) {
			const started = runCommand(input).finally(() => this.running.get(key) === started && this.running.delete(key));
			running = started;
			this.running.set(key, running);
		}
		// Stopping the server doesn't wait for the command, and the next start runs it again.
		const given = running;
		const aborted = onAbort(signal, () => this.running.get(key) === given && this.running.delete(key));
		try {
			const value = await raceAbort(given, signal);
			this.ofCommands.set(key, value);
			return value;
		} finally {
			aborted.dispose();
		}
	}
}

/** The inputs that a definition uses, in the order of its values. @throws UnresolvedVariableError for an unknown input */
function needsOf({ launch, inputs }: ServerDefinition): Need[] {
	return Array.from(inputsOf(launch), ([id, places]) => {
		const input = inputs.find(it => it.id === id);
		if (!input) {
			throw new UnresolvedVariableError(`input:${id}`);
		}
		return { input, places };
	});
}

function isStillAChoice(input: InputDefinition, value: string): boolean {
	return input.kind !== 'pickString' || input.options.some(it => it.value === value);
}

async function runCommand({ id, command, args }: CommandInput): Promise<string> {
	let value: unknown;
	try {
		value = await vscode.commands.executeCommand(command, args);
	} catch (error) {
		throw isAbort(error) ? error : new InputCommandError(id, command, toMessage(error));
	}
	if (value === undefined || value === null) {
		// Commands return no value if the person has cancelled their question.
		throw new InputNeededError(id);
	}
	if (typeof value !== 'string') {
		throw new InputCommandError(id, command, undefined);
	}
	return value;
}

/** Asks one question after another; the person can go back. @throws InputNeededError if the person cancels */
async function askAll(
	definition: ServerDefinition,
	label: string,
	needs: readonly Need[],
	signal: AbortSignal,
): Promise<Map<AskedInput, string>> {
	const answers = new Map<AskedInput, string>();
	for (let index = 0; index < needs.length;) {
		const need = needs[index];
		if (!need || need.input.kind === 'command') {
			break;
		}
		const { input, places } = need;
		const step = { number: index + 1, total: needs.length };
		const answer = await ask(input, { definition, label, places, value: answers.get(input), step, signal });
		if (signal.aborted) {
			throw new AbortError();
		}
		if (answer.kind === 'left') {
			throw new InputNeededError(input.id);
		}
		if (answer.kind === 'answered' && typeof answer.value === 'string') {
			answers.set(input, answer.value);
		}
		index = answer.kind === 'back' ? Math.max(0, index - 1) : index + 1;
	}
	return answers;
}

interface Question {
	readonly definition: ServerDefinition;
	/** The server's label. */
	readonly label: string;
	readonly places: readonly ValuePlace[];
	readonly value: string | undefined;
	readonly step: { readonly number: number; readonly total: number } | undefined;
	readonly signal: AbortSignal | undefined;
}

function ask(input: AskedInput, { definition, label, places, value, step, signal }: Question): Promise<StepResult> {
	return askField(fieldFor(input, describeKeeping(input, definition)), {
		title: titleText(describePlaces(places), label),
		step,
		canGoBack: step !== undefined && step.number > 1,
		// A default in a masked box would be sent unseen.
		value: value ?? (isSecret(input) ? undefined : input.default),
		text: undefined,
		password: isSecret(input),
		...(signal && { signal }),
	});
}

function describeKeeping(input: AskedInput, { source }: ServerDefinition): string {
	const { t } = vscode.l10n;
	return isSecret(input)
		? t('Kept in secret storage')
		: source.kind === 'userSettings'
			? t('Kept for all workspaces')
			: t('Kept for this workspace');
}

/** @param kept says where the answer is stored */
function fieldFor(input: AskedInput, kept: string): Field {
	const { id, description } = input;
	return {
		name: id,
		title: undefined,
		description: description === undefined ? kept : `${description} · ${kept}`,
		required: true,
		nullable: false,
		isSecret: false,
		default: undefined,
		...(input.kind === 'pickString'
			? { kind: 'choice', options: input.options.map(it => ({ title: it.label, value: it.value })) }
			: { kind: 'string', minLength: undefined, maxLength: undefined, format: undefined }),
	};
}
