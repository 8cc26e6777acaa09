/** The chat command `/prompt server.name argument="value"`: sends the messages of a prompt to the model. */
import * as vscode from 'vscode';
import { raceAbort } from '../../base/async.js';
import { contentText, describeRole } from '../../editor/documents/contentText.js';
import { ChatCommands, Commands } from '../../editor/contributions.js';
import { imagesFor, toModelMessage, toModelPart } from '../../editor/languageModels/modelMessages.js';
import { markdownBlock, markdownText, quickPickText } from '../../editor/ui/plainText.js';
import { argumentNames, type PromptCommand, promptCommands, textsOf } from '../../editor/ui/promptList.js';
import type { PromptResult } from '../../mcp/index.js';
import type { Interactions } from '../../core/calls/interactions.js';
import { findCommands, parseSlash, slashText, typedArguments } from '../../core/search/slash.js';
import { answer, type AnsweringDeps, modelFor } from './answering.js';
import { showStartButtons } from './startButtons.js';
import type { ChatTurn, Followup, TurnEnd } from './turn.js';

const maxListed = 30;

export async function runPrompt(turn: ChatTurn, deps: AnsweringDeps): Promise<TurnEnd> {
	const text = parseSlash(turn.request.prompt);
	const commands = promptCommands(deps.registry);
	const found = findCommands(commands, text, textsOf);
	const whole = text.words.join(' ').toLowerCase();
	const exact = found.filter(it => it.name.toLowerCase() === whole);
	const [command] = exact.length === 1 ? exact : found.length === 1 && whole !== '' ? found : [];
	if (!command) {
		return showList(turn, found, deps);
	}
	const values = typedArguments(text, command.name, argumentNames(command.prompt));
	const missing = (command.prompt.arguments ?? []).filter(it => it.required === true && !(it.name in values));
	if (missing.length > 0) {
		return askFor(turn, command, values, missing);
	}
	const result = deps.registry.redact(await get(turn, command, values, deps.interactions), command.server);
	const model = modelFor(turn.request);
	if (!model) {
		return show(turn, command, result);
	}
	const last = result.messages.at(-1);
	const images = imagesFor(model);
	const messages = result.messages.map(it => toModelMessage(it.role, [toModelPart(it.content, images)]));
	return answer(turn, model, last ? contentText(last.content) : '', messages, deps);
}

async function get(
	{ stream, signal }: ChatTurn,
	{ server, prompt, name }: PromptCommand,
	values: Readonly<Record<string, string>>,
	interactions: Interactions,
): Promise<PromptResult> {
	stream.progress(vscode.l10n.t('Getting {0}…', markdownText(name, 80)));
	// The messages go to a model, so the prompt counts as requested by a model although a person typed the command.
	const caller = { kind: 'model', through: 'participant' } as const;
	const request = { kind: 'prompt', caller, server, prompt: prompt.name, arguments: values } as const;
	return interactions.make(request, async () => {
		const client = await raceAbort(server.use(true), signal);
		return client.getPrompt(prompt.name, values, signal);
	});
}

function showList(turn: ChatTurn, found: readonly PromptCommand[], { registry }: AnsweringDeps): TurnEnd {
	const { t } = vscode.l10n;
	const { stream } = turn;
	if (found.length === 0) {
		stream.markdown(t('No running server has a matching prompt.'));
		showStartButtons(turn, registry);
		return {};
	}
	stream.markdown(`${t('Select a prompt:')}\n\n`);
	for (const { name, prompt } of found.slice(0, maxListed)) {
		const said = prompt.title ?? prompt.description;
		stream.markdown(`- ${markdownText(`/${ChatCommands.prompt} ${name}`)}${said ? `: ${markdownText(said)}` : ''}\n`);
	}
	return { next: found.slice(0, 5).map(toFollowup) };
}

function toFollowup({ name }: PromptCommand): Followup {
	return { command: ChatCommands.prompt, prompt: name, label: quickPickText(`/${ChatCommands.prompt} ${name}`, 80) };
}

function askFor(
	{ stream }: ChatTurn,
	{ server, prompt, name }: PromptCommand,
	values: Readonly<Record<string, string>>,
	missing: readonly { readonly name: string; readonly description?: string }[],
): TurnEnd {
	const { t } = vscode.l10n;
	stream.markdown(`${t('{0} requires these arguments:', markdownText(name, 80))}\n\n`);
	for (const it of missing) {
		stream.markdown(`- **${markdownText(it.name, 60)}**${it.description ? `: ${markdownText(it.description)}` : ''}\n`);
	}
	const open = Object.fromEntries(missing.map(it => [it.name, '…']));
	const example = slashText(name, { ...values, ...open }).slice(1);
	stream.markdown(`\n${t('Enter the prompt like this:')}\n${markdownBlock(`/${ChatCommands.prompt} ${example}`)}`);
	const argument = { server: server.definition.id, name: prompt.name, arguments: values };
	stream.button({ command: Commands.runPrompt, title: t('Enter Arguments…'), arguments: [argument] });
	return {};
}

/** Shows the messages to the person, in editors without a model. */
function show({ stream }: ChatTurn, { name }: PromptCommand, { messages }: PromptResult): TurnEnd {
	const { t } = vscode.l10n;
	stream.markdown(
		`${t('This editor has no language model to answer. These are the messages of {0}:', markdownText(name, 80))}\n\n`,
	);
	for (const { role, content } of messages) {
		stream.markdown(`**${markdownText(describeRole(role))}**\n${markdownBlock(contentText(content))}\n`);
	}
	return {};
}
