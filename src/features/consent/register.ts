/** Servers that wait for consent: told about once, and all of it forgotten on request. */
import * as vscode from 'vscode';
import { debounce } from '../../base/async.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommand } from '../../host/commands.js';
import { describeSource } from '../../host/configWords.js';
import { Commands } from '../../host/contributions.js';
import { describeNumber } from '../../host/messages.js';
import { notificationText } from '../../host/plainText.js';
import { ServerNode } from '../../host/treeNodes.js';
import type { ConsentQuestion, Consents } from '../../model/consents.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';

export interface ConsentFeatureDeps {
	readonly registry: ServerRegistry;
	readonly consents: Consents;
}

/** Milliseconds in which servers that are held back together are told about together. */
const gatherMs = 300;

export function registerConsent({ registry, consents }: ConsentFeatureDeps): Disposable {
	const owned = new DisposableStore();
	const postponed = new Map<string, ConsentQuestion>();
	const telling = owned.add(
		debounce(gatherMs, () => {
			const questions = [...postponed.values()];
			postponed.clear();
			void tell(registry, consents, questions);
		}),
	);
	owned.add(
		consents.onDidPostpone(question => {
			postponed.set(question.definition.id, question);
			telling.schedule();
		}),
	);
	owned.add(registerCommand(Commands.forgetConsents, () => forget(consents)));
	return owned;
}

/** One message for all; the answers are given one after another. */
async function tell(
	registry: ServerRegistry,
	consents: Consents,
	questions: readonly ConsentQuestion[],
): Promise<void> {
	const { t } = vscode.l10n;
	const waiting = (): Server[] =>
		registry.servers.filter(
			({ definition, state }) =>
				state.kind === 'waiting' &&
				state.what === 'consent' &&
				questions.some(it => it.definition.id === definition.id),
		);
	const [first, ...others] = waiting();
	if (!first) {
		return;
	}
	const review = t('Review');
	const message = others.length > 0 ? describeMany(others.length + 1) : describeOne(registry.label(first), questions);
	if ((await vscode.window.showInformationMessage(message, review)) === review) {
		for (const server of waiting()) {
			if (!(await lookAt(consents, server))) {
				// The others keep waiting on their lines.
				break;
			}
		}
	}

	function describeOne(label: string, [question]: readonly ConsentQuestion[]): string {
		const name = notificationText(label);
		const file = question ? notificationText(describeSource(question.definition.source)) : '';
		return question?.changes
			? t('{0} has changed in {1}, and is not started before you have seen it.', name, file)
			: t('{0} is new in {1}, and is not started before you have seen it.', name, file);
	}

	function describeMany(count: number): string {
		return t(
			'{0} servers are new or have changed, and are not started before you have seen them.',
			describeNumber(count),
		);
	}
}

/**
 * Resolves when the sheet is answered: a server that was allowed starts while the next one is looked at.
 * @returns false if the person turned away without an answer
 */
async function lookAt(consents: Consents, server: Server): Promise<boolean> {
	const { id } = server.definition;
	const answers = new DisposableStore();
	const answered = new Promise<boolean>(resolve => {
		answers.add(
			consents.onDidAnswer(({ definition, isAllowed }) => {
				if (definition.id === id) {
					resolve(isAllowed !== undefined);
				}
			}),
		);
	});
	const started = Promise.resolve(vscode.commands.executeCommand(Commands.startServer, new ServerNode(server)));
	try {
		return await Promise.race([answered, started.then(() => true)]);
	} finally {
		answers.dispose();
	}
}

async function forget(consents: Consents): Promise<void> {
	const { t } = vscode.l10n;
	const count = await consents.forget();
	void vscode.window.showInformationMessage(
		count === 0
			? t('No consent is kept for this workspace.')
			: t('Forgotten. Every server of this workspace is shown again before its next start.'),
	);
}
