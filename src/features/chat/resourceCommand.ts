/** `/resource uri-or-name question`: reads a resource, shows it, or asks the model about it. */
import * as vscode from 'vscode';
import { raceAbort } from '../../base/async.js';
import { charsBudget } from '../../editor/languageModels/budget.js';
import { ChatCommands } from '../../editor/contributions.js';
import { markAnswer, quoted } from '../../editor/languageModels/marking.js';
import { ImagesForModel, sentenceOfImages } from '../../editor/languageModels/modelImages.js';
import { toModelMessage } from '../../editor/languageModels/modelMessages.js';
import { imagePart, surelyTakesImages } from '../../editor/newerApi.js';
import { markdownBlock, markdownText, modelText, oneLine, quickPickText } from '../../editor/ui/plainText.js';
import { resourceUri } from '../../editor/documents/resourceUri.js';
import type { ResourceContents } from '../../mcp/index.js';
import type { Exchanges } from '../../core/calls/exchanges.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { answer, type AnsweringDeps, fromUser, modelFor } from './answering.js';
import {
	findResources,
	knownResources,
	knownTemplates,
	type NamedResource,
	type NamedTemplate,
} from './namedResources.js';
import { showStartButtons } from './serversCommand.js';
import type { ChatTurn, Next, TurnEnd } from './turn.js';

export interface ResourceCommandDeps extends AnsweringDeps {
	readonly exchanges: Exchanges;
}

const maxListed = 30;
/** What a model is told at once of the contents. */
const maxForModel = 20_000;

export async function readResource(turn: ChatTurn, deps: ResourceCommandDeps): Promise<TurnEnd> {
	const { t } = vscode.l10n;
	const { stream, signal, request } = turn;
	const resources = knownResources(deps.registry);
	const { found, rest: question } = findResources(request.prompt, resources, deps.registry);
	const [named, another] = found;
	if (!named || another) {
		return another
			? showList(turn, { resources: found, templates: [] }, question, deps)
			: showList(turn, { resources, templates: knownTemplates(deps.registry) }, '', deps);
	}
	const { server, resource } = named;
	stream.progress(t('Reading {0}…', markdownText(resource.uri, 120)));
	// It becomes part of what a model is told, now or with the next message.
	const caller = { kind: 'model', through: 'participant' } as const;
	const contents = await deps.exchanges.make({ kind: 'resource', caller, server, uri: resource.uri }, async () => {
		const client = await raceAbort(server.use(true), signal);
		return client.readResource(resource.uri, signal);
	});
	stream.reference(resourceUri({ serverId: server.definition.id, uri: resource.uri }, server.name));
	const read = deps.registry.redact(contents, server);
	const text = textOf(read);
	const about = `The resource ${quoted(resource.uri)} of the MCP server ${quoted(deps.registry.label(server))}, which the person has asked for.`;
	const marked = (it: string, sentence = ''): Promise<string> => {
		const mark = `server-text-${crypto.randomUUID().slice(0, 13)}`;
		const budget = { ...charsBudget, max: maxForModel };
		const answered = { intro: [about, sentence].join(' ').trimEnd(), text: modelText(it) };
		return markAnswer(answered, { budget, mark, keep: rest => deps.doors.keep(rest) });
	};
	const forModel = await marked(text);
	const model = question === '' ? undefined : modelFor(request);
	if (model) {
		const images = new ImagesForModel(surelyTakesImages(model));
		const seen = textOf(read, images);
		// What is remembered for later turns has no images beside it.
		const told = images.given.length > 0 ? await marked(seen, sentenceOfImages(images)) : forModel;
		const parts = images.given.map(it => imagePart(it.bytes, it.mimeType));
		const first = toModelMessage('user', [new vscode.LanguageModelTextPart(told), ...parts]);
		const messages = [first, fromUser(question)];
		return { ...(await answer(turn, model, question, messages, deps)), forModel, isAnswered: true };
	}
	if (question !== '') {
		stream.markdown(`${t('The editor has no model that could answer. This is what was read:')}\n`);
	}
	stream.markdown(markdownBlock(text === '' ? t('nothing') : text));
	return { forModel, next: [{ prompt: t('Summarise it.') }] };
}

/** @param images gets those that are given beside it */
function textOf(contents: readonly ResourceContents[], images = new ImagesForModel(false)): string {
	const { t } = vscode.l10n;
	return contents
		.map(({ text, mimeType = 'application/octet-stream', uri, blob = '' }) => {
			const number = text === undefined ? images.tryGive(mimeType, blob) : undefined;
			return number === undefined
				? (text ?? t('{0}: {1}, not text', uri, mimeType))
				: `${uri}: ${mimeType}, given beside this text, as image ${number}`;
		})
		.join('\n\n');
}

/** @param question what came after the name, to be said again with the one that is meant */
function showList(
	turn: ChatTurn,
	{
		resources,
		templates,
	}: { readonly resources: readonly NamedResource[]; readonly templates: readonly NamedTemplate[] },
	question: string,
	{ registry }: ResourceCommandDeps,
): TurnEnd {
	const { t } = vscode.l10n;
	const { stream } = turn;
	if (resources.length + templates.length === 0) {
		stream.markdown(t('No server runs that lists a resource.'));
		showStartButtons(turn, registry);
		return {};
	}
	stream.markdown(`${t('Which resource?')}\n\n`);
	const lines = [
		...resources.map(({ server, resource }) => ({ ...resource, server })),
		...templates.map(({ server, template }) => ({ ...template, server, uri: template.uriTemplate })),
	];
	for (const { server, uri, title, name } of lines.slice(0, maxListed)) {
		const whose = markdownText(registry.label(server), 60);
		stream.markdown(
			`- ${markdownText(`/${ChatCommands.resource} ${uri}`)}: ${markdownText(title ?? name, 80)} · ${whose}\n`,
		);
	}
	if (lines.length > maxListed) {
		stream.markdown(`- ${t('and {0} more', lines.length - maxListed)}\n`);
	}
	return { next: resources.slice(0, 5).map(it => toNext(it, question, registry)) };
}

/** With whose it is: others may have the same. */
function toNext({ server, resource: { uri } }: NamedResource, question: string, registry: ServerRegistry): Next {
	const prompt = oneLine(`${registry.label(server)} ${uri} ${question}`, Infinity);
	return { command: ChatCommands.resource, prompt, label: quickPickText(`/${ChatCommands.resource} ${prompt}`, 80) };
}
