/**
 * Documents in which the person edits a sampling request or its answer. A request is text with a title above each
 * message; an answer is plain text, or JSON with a schema, which can express every answer.
 */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { canonicalJson, isObject, type JsonObject } from '../../mcp/index.js';
import type { Questions } from '../../core/requests/questions.js';
import type { SamplingBlock, SamplingRequest } from '../../core/requests/sampling.js';
import { type AnswerBlock, blocksOf, type SamplingAnswer, toAnswer } from '../../core/requests/samplingAnswer.js';
import { isSampling, type Sampling } from '../../core/requests/samplings.js';
import {
	type BlockView,
	bodyText,
	parseBody,
	parseSections,
	type Section,
	sectionsText,
} from '../../core/requests/sectionText.js';
import { lastMessage, samplingText } from '../../editor/documents/contentText.js';
import { Commands, samplingAnswerScheme, samplingSchemaScheme, samplingScheme } from '../../editor/contributions.js';
import { editorSchema } from '../../editor/documents/editorSchema.js';
import { FilledDocuments } from '../../editor/documents/filledDocuments.js';
import { JsonDocuments } from '../../editor/documents/jsonDocuments.js';
import { oneLine, quickPickText } from '../../editor/ui/plainText.js';
import { answerSchema } from './answerSchema.js';

/** The `model` of an answer that a person has written. The spec requires a value. */
const byHand = 'human';

/** Titles of sections. They are parsed, so they are the protocol's words and not translated. */
const systemTitle = 'system prompt';
const titles = [systemTitle, 'user', 'assistant'];

type What = 'request' | 'answer';

/** The parts of a request that can be edited. */
export type EditedRequest = Pick<SamplingRequest, 'systemPrompt' | 'messages'>;

export interface ReadAnswer {
	readonly answer: SamplingAnswer | JsonObject | undefined;
	/** Whether it differs from the answer that the document began with. */
	readonly isEdited: boolean;
}

export interface SamplingDocumentsDeps {
	readonly questions: Questions;
	/** The server's label. */
	readonly label: (sampling: Sampling) => string;
}

export class SamplingDocuments extends Owner {
	private readonly texts: FilledDocuments;
	private readonly json: JsonDocuments;
	/** The answer that a document began with, by URI. Its blocks are what placeholder lines in the document stand for. */
	private readonly begun = new Map<string, SamplingAnswer>();

	constructor(private readonly deps: SamplingDocumentsDeps) {
		super();
		this.texts = this.own(new FilledDocuments({ scheme: samplingScheme, isKnown, actions: uri => this.actions(uri) }));
		this.json = this.own(
			new JsonDocuments({
				scheme: samplingAnswerScheme,
				schemaScheme: samplingSchemaScheme,
				isKnown,
				schemaOf: uri => {
					const sampling = this.find(uri);
					return sampling && editorSchema(answerSchema(sampling.request.request));
				},
				actions: uri => this.actions(uri),
			}),
		);
	}

	/** The request that a document belongs to, if it still waits. */
	find(uri: vscode.Uri): Sampling | undefined {
		const id = this.texts.isOfThisWindow(uri) || this.json.isOfThisWindow(uri) ? parseUri(uri)?.id : undefined;
		return this.deps.questions.waiting.filter(isSampling).find(it => it.id === id);
	}

	async openRequest(sampling: Sampling): Promise<void> {
		const uri = this.uriOf(sampling, 'request');
		await (this.texts.has(uri)
			? vscode.window.showTextDocument(uri, { preview: false })
			: this.texts.openText(uri, requestText(sampling.request.request)));
	}

	/**
	 * Opens the answer as text. Resolves with the document's URI.
	 * @param answer the answer to begin with; if left out, the document is shown as it was left, or empty
	 */
	async openAnswer(sampling: Sampling, answer: SamplingAnswer | undefined): Promise<vscode.Uri> {
		const uri = this.uriOf(sampling, 'answer');
		if (!answer && this.texts.has(uri)) {
			await this.show(uri);
		} else {
			await this.texts.openText(uri, answer ? bodyText(blocksOf(answer), view) : '');
			this.begin(uri, answer);
		}
		return uri;
	}

	/** The same as JSON, which can express every answer. */
	async openAnswerAsJson(sampling: Sampling, answer: SamplingAnswer | undefined): Promise<vscode.Uri> {
		const { path } = this.uriOf(sampling, 'answer');
		const uri = this.json.address(path.replace(/\.md$/, '.json'));
		if (!answer && this.json.has(uri)) {
			return this.show(uri);
		}
		await this.json.open(uri, { ...(answer ?? emptyAnswer()) });
		this.begin(uri, answer);
		return uri;
	}

	/** The edited request; `undefined` if its document is missing or unchanged. @throws SectionError */
	async readRequest(sampling: Sampling): Promise<EditedRequest | undefined> {
		const uri = this.uriOf(sampling, 'request');
		const original = sampling.request.request;
		const text = this.texts.has(uri) ? await this.texts.readText(uri) : undefined;
		return text === undefined || text === requestText(original) ? undefined : parseRequest(text, original);
	}

	/**
	 * The answer in a document; `undefined` if it isn't a JSON object yet. Its members aren't checked.
	 * @throws SectionError
	 */
	async readAnswer(uri: vscode.Uri): Promise<ReadAnswer> {
		const known = this.begun.get(uri.toString());
		if (uri.scheme === samplingAnswerScheme) {
			const answer = await this.json.read(uri);
			return { answer, isEdited: known !== undefined && canonicalJson(answer) !== canonicalJson(known) };
		}
		const text = await this.texts.readText(uri);
		const originals = known ? blocksOf(known) : [];
		if (known && text === bodyText(originals, view)) {
			return { answer: known, isEdited: false };
		}
		const blocks = parseBody<AnswerBlock>(text, { view, originals, toBlock: textBlock });
		const answer = toAnswer(blocks, known?.model ?? byHand, known?.stopReason ?? 'endTurn');
		return { answer, isEdited: known !== undefined };
	}

	/** Shows a document as it was left. */
	async show(uri: vscode.Uri): Promise<vscode.Uri> {
		await vscode.window.showTextDocument(uri, { preview: false });
		return uri;
	}

	/** Saves a document after its answer was sent, so that the editor doesn't ask when it is closed. */
	async save(uri: vscode.Uri): Promise<void> {
		await (uri.scheme === samplingAnswerScheme ? this.json : this.texts).save(uri);
	}

	private begin(uri: vscode.Uri, answer: SamplingAnswer | undefined): void {
		if (answer) {
			this.begun.set(uri.toString(), answer);
		} else {
			this.begun.delete(uri.toString());
		}
	}

	private actions(uri: vscode.Uri): vscode.Command[] {
		const { t } = vscode.l10n;
		const sampling = this.find(uri);
		if (!sampling) {
			return [{ title: t('The server is no longer waiting for this answer'), command: '' }];
		}
		const review = { title: t('Review'), command: Commands.reviewSampling, arguments: [uri] };
		if (parseUri(uri)?.what === 'request') {
			return [{ ...review, title: `$(check) ${t('Review')}` }];
		}
		const whose = quickPickText(this.deps.label(sampling), 60);
		const submit = {
			title: `$(check) ${t('Review and Send to "{0}"…', whose)}`,
			command: Commands.submitModelAnswer,
			arguments: [uri],
		};
		const json = { title: t('Edit as JSON'), command: Commands.editModelAnswerAsJson, arguments: [uri] };
		const message = quickPickText(lastMessage(sampling.request.request), 200);
		return [
			submit,
			...(uri.scheme === samplingScheme ? [json] : []),
			{ ...review, title: t('Back to Review') },
			{ title: `"${message}"`, command: '' },
		];
	}

	/** `/everything/request 3.md`. The server's name is used, because its label can change. */
	private uriOf(sampling: Sampling, what: What): vscode.Uri {
		const folder = oneLine(sampling.definition.name, 100).replaceAll('/', '\u2215');
		return this.texts.address(`/${folder}/${what} ${sampling.id}.md`);
	}
}

function isKnown(uri: vscode.Uri): boolean {
	return parseUri(uri) !== undefined;
}

function parseUri({ path }: vscode.Uri): { readonly what: What; readonly id: number } | undefined {
	const [, what, id] = /^\/[^/]+\/(request|answer) (\d+)\.(?:md|json)$/.exec(path) ?? [];
	return what === undefined ? undefined : { what: what === 'request' ? 'request' : 'answer', id: Number(id) };
}

function view(block: SamplingBlock | AnswerBlock): BlockView {
	return block.type === 'text' ? { text: block.text } : { label: oneLine(samplingText(block), 120) };
}

function sectionsOf({ systemPrompt, messages }: SamplingRequest): Section<SamplingBlock>[] {
	const system = systemPrompt === undefined ? [] : [{ title: systemTitle, blocks: [textBlock(systemPrompt)] }];
	return [...system, ...messages.map(({ role, content }) => ({ title: role, blocks: content }))];
}

function requestText(request: SamplingRequest): string {
	return sectionsText(sectionsOf(request), view);
}

/** Blocks that weren't edited keep what text can't express, such as annotations. */
function parseRequest(text: string, request: SamplingRequest): EditedRequest {
	const originals = request.messages.flatMap(it => it.content);
	const sections = parseSections<SamplingBlock>(text, titles, {
		view,
		originals,
		toBlock: written => originals.find(it => it.type === 'text' && it.text === written) ?? textBlock(written),
	});
	const system = sections.filter(it => it.title === systemTitle).flatMap(it => it.blocks);
	return {
		systemPrompt: system.map(it => (it.type === 'text' ? it.text : '')).join('\n') || undefined,
		messages: sections
			.filter(it => it.title !== systemTitle)
			.map(({ title, blocks }) => ({ role: title === 'assistant' ? 'assistant' : 'user', content: blocks })),
	};
}

/** Whether an answer has no content yet. */
export function isEmpty(answer: unknown): boolean {
	const { content } = isObject(answer) ? answer : {};
	return isObject(content) && content['type'] === 'text' && content['text'] === '';
}

/** The start of an answer by hand. */
function emptyAnswer(): SamplingAnswer {
	return toAnswer([textBlock('')], byHand, 'endTurn');
}

function textBlock(text: string): Extract<SamplingBlock, { type: 'text' }> {
	return { type: 'text', text };
}
