/** The steps that the wizards Add Server and Import Servers share: the last questions, and saving. */
import * as vscode from 'vscode';
import type { InputStore } from '../../editor/storage/inputStore.js';
import { askForMany, askForOne, back } from '../../editor/ui/quickInput.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { labelOfName } from '../../core/servers/serverLabels.js';
import type { Addition } from '../../core/config/configEdit.js';
import {
	suggestInputs,
	replaceWithInputs,
	type ServerInput,
	type SuggestedInput,
} from '../../core/config/serverInputs.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { type ServerTarget, serverTargets, type Written } from './targets.js';

/** `skipped`: the step asked nothing. `left`: the person has closed the wizard. */
export type StepOutcome = 'next' | 'back' | 'skipped' | 'left';
/** One question of a wizard, or none if it has nothing to ask. */
export type Step = (canGoBack: boolean) => Promise<StepOutcome>;

/** Runs the steps in order; Back returns to the last one that asked something. False if the person has left. */
export async function runWizard(steps: readonly Step[]): Promise<boolean> {
	/** Indices of the steps that asked something. */
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

export interface AddingDeps {
	readonly registry: ServerRegistry;
	readonly inputStore: InputStore;
}

/** The servers that a wizard adds, and where. */
export class NewServers {
	/** Set by the wizard before its last steps. */
	servers: readonly Addition[] = [];
	target: ServerTarget | undefined;
	/** The values that become inputs. */
	suggested: readonly { readonly server: Addition; readonly suggestion: SuggestedInput }[] = [];

	/** @param title of the wizard */
	constructor(readonly title: string) {}

	/** Asks where to save the servers if there are several places. */
	async askPlace(canGoBack: boolean): Promise<StepOutcome> {
		const { t } = vscode.l10n;
		const targets = serverTargets();
		if (this.servers.length === 0 || targets.length === 1) {
			[this.target] = targets;
			return 'skipped';
		}
		const placeholder = t('Select where to save the configuration');
		const chosen = await askForOne({ title: this.title, placeholder, canGoBack }, targets);
		if (chosen === back || chosen === undefined) {
			return chosen === back ? 'back' : 'left';
		}
		this.target = chosen;
		return 'next';
	}

	/** Asks which placeholders and secrets become inputs, if there are any. */
	async askInputs(canGoBack: boolean): Promise<StepOutcome> {
		const { t } = vscode.l10n;
		const { title, servers } = this;
		const items = servers.flatMap(server =>
			suggestInputs(server.entry).map(suggestion => ({
				label: quickPickText(suggestion.key || t('Argument')),
				description: quickPickText(describeSuggestedInput(suggestion)),
				detail: servers.length > 1 ? labelOfName(server.name) : '',
				server,
				suggestion,
			})),
		);
		if (items.length === 0) {
			this.suggested = [];
			return 'skipped';
		}
		const placeholder = t('Select values to store as inputs instead of in the file');
		const chosen = await askForMany({ title, placeholder, canGoBack }, items, () => true);
		if (chosen === back || chosen === undefined) {
			return chosen === back ? 'back' : 'left';
		}
		this.suggested = chosen;
		return 'next';
	}

	/**
	 * Saves the servers, and stores pasted secrets as the values of their inputs. Their first start asks for consent.
	 * @param known inputs that the servers already refer to
	 * @throws as `ServerTarget.write`
	 */
	async save(known: readonly ServerInput[], { inputStore }: AddingDeps): Promise<Written | undefined> {
		const inputs = [...known];
		/** Pasted secrets by the ids of their inputs. */
		const answers = new Map<string, string>();
		const additions = this.servers.map(server => {
			const suggestions = this.suggested.filter(it => it.server === server).map(it => it.suggestion);
			const granted = replaceWithInputs(server.entry, server.name, suggestions, new Set(inputs.map(it => it.id)));
			inputs.push(...granted.inputs);
			granted.answers.forEach((answer, id) => answers.set(id, answer));
			return { name: server.name, entry: granted.entry };
		});
		const written = await this.target?.write(additions, inputs);
		for (const [id, answer] of answers) {
			const input = { kind: 'promptString', password: true, description: undefined, default: undefined } as const;
			await (written && inputStore.set(written.source, { ...input, id: written.renamed.get(id) ?? id }, answer));
		}
		return written;
	}
}

function describeSuggestedInput({ why, text }: SuggestedInput): string {
	const { t } = vscode.l10n;
	switch (why) {
		case 'placeholder':
			return t('Placeholder: {0}', text);
		case 'secret':
			return t('Looks like a secret. Kept in secret storage');
		case 'missing':
			return t('Passed on from the environment');
	}
}
