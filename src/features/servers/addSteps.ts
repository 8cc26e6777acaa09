/** Questions that adding and importing have in common, and the walk through questions with a way back. */
import * as vscode from 'vscode';
import { type InputStore, isSecret } from '../../editor/storage/inputStore.js';
import { askForMany, askForOne, back } from '../../editor/ui/quickInput.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import type { Addition } from '../../core/config/configEdit.js';
import { findWishes, grant, type ServerInput, type Wish } from '../../core/config/serverInputs.js';
import { type ServerTarget, serverTargets, type Written } from './targets.js';

/** `skipped` asks nothing; `left` ends the walk. */
export type StepOutcome = 'next' | 'back' | 'skipped' | 'left';
export type Step = (canGoBack: boolean) => Promise<StepOutcome>;

/** Asks one question after the other. True if the last was answered. */
export async function walk(steps: readonly Step[]): Promise<boolean> {
	/** The steps that asked something. */
	const asked: number[] = [];
	for (let index = 0; index < steps.length;) {
		const outcome = (await steps[index]?.(asked.length > 0)) ?? 'skipped';
		if (outcome === 'left') {
			return false;
		}
		if (outcome === 'back') {
			index = asked.pop() ?? 0;
			continue;
		}
		if (outcome === 'next') {
			asked.push(index);
		}
		index++;
	}
	return true;
}

/** Asks where to put servers, unless there is one place only. */
export async function askPlace(
	title: string,
	canGoBack: boolean,
	choose: (target: ServerTarget) => void,
): Promise<StepOutcome> {
	const { t } = vscode.l10n;
	const targets = serverTargets();
	const [first] = targets;
	if (!first) {
		return 'left';
	}
	if (targets.length === 1) {
		choose(first);
		return 'skipped';
	}
	const items = targets.map(target => ({
		label: quickPickText(target.label),
		description: quickPickText(target.description),
		target,
	}));
	const chosen = await askForOne({ title, placeholder: t('Choose where to put it'), canGoBack }, items);
	if (chosen === back || chosen === undefined) {
		return chosen === back ? 'back' : 'left';
	}
	choose(chosen.target);
	return 'next';
}

/** Asks which placeholders and secrets the person wants to be asked for, if there are any. */
export async function askWishes(
	title: string,
	canGoBack: boolean,
	servers: readonly Addition[],
	choose: (wishes: ReadonlyMap<Addition, readonly Wish[]>) => void,
): Promise<StepOutcome> {
	const { t } = vscode.l10n;
	const items = servers.flatMap(server =>
		findWishes(server.entry).map(wish => ({
			label: quickPickText(wish.key || t('argument')),
			description: quickPickText(describeWish(wish)),
			detail: servers.length > 1 ? quickPickText(server.name) : '',
			server,
			wish,
		})),
	);
	if (items.length === 0) {
		choose(new Map());
		return 'skipped';
	}
	const placeholder = t('Keep these out of the file: you are asked for them, once');
	const chosen = await askForMany({ title, placeholder, canGoBack }, items, () => true);
	if (chosen === back || chosen === undefined) {
		return chosen === back ? 'back' : 'left';
	}
	choose(new Map(servers.map(it => [it, chosen.filter(item => item.server === it).map(item => item.wish)])));
	return 'next';
}

function describeWish({ why, text }: Wish): string {
	const { t } = vscode.l10n;
	switch (why) {
		case 'placeholder':
			return t('a placeholder: {0}', text);
		case 'secret':
			return t('looks like a secret, and is kept as one');
		case 'missing':
			return t('handed on from the environment');
	}
}

/** Fills `${input:…}` in for what was wished. */
export function grantAll(
	servers: readonly Addition[],
	wishes: ReadonlyMap<Addition, readonly Wish[]>,
	inputs: readonly ServerInput[],
): Granted {
	const all = [...inputs];
	const answers = new Map<string, string>();
	const additions = servers.map(server => {
		const taken = new Set(all.map(it => it.id));
		const granted = grant(server.entry, server.name, wishes.get(server) ?? [], taken);
		all.push(...granted.inputs);
		granted.answers.forEach((answer, id) => answers.set(id, answer));
		return { name: server.name, entry: granted.entry };
	});
	return { additions, inputs: all, answers };
}

export interface Granted {
	readonly additions: readonly Addition[];
	readonly inputs: readonly ServerInput[];
	/** Secrets that were pasted, by the id of the input that asks for them. */
	readonly answers: ReadonlyMap<string, string>;
}

/** What becomes of servers once they are written. */
export type Accept = (written: Written, answers: Granted['answers']) => Promise<void>;

/** What was pasted as a secret is the answer to the question that took its place: nobody is asked for it again. */
export async function keepAnswers(
	{ definitions: [definition], renamed }: Written,
	answers: Granted['answers'],
	store: InputStore,
): Promise<void> {
	const known = new Map(Array.from(answers, ([id, answer]) => [renamed.get(id) ?? id, answer]));
	// Each definition knows all inputs of its file.
	for (const input of definition?.inputs ?? []) {
		const answer = known.get(input.id);
		if (definition && answer !== undefined && isSecret(input)) {
			await store.set(definition.source.uri, input, answer);
		}
	}
}
