/** How each function of the rooms beside `src/core` is given a hostile text. */
import { textOfResult } from '../../../src/features/languageModelTools/resultText.js';
import { treeEntry } from '../../../src/features/results/valueTree.js';
import * as base64 from '../../../src/base/base64.js';
import { parseJson } from '../../../src/base/parseJson.js';
import * as percentText from '../../../src/base/percentText.js';
import { sha256 } from '../../../src/base/hash.js';
import { shorten, trimEnd, trimEnds } from '../../../src/base/trim.js';
import * as exactText from '../../../src/editor/ui/exactText.js';
import { tryParseUrl } from '../../../src/mcp/uri/parseUrl.js';
import { charsBudget, endOfPiece } from '../../../src/features/languageModelTools/budget.js';
import { editorSchema } from '../../../src/features/tools/editorSchema.js';
import { quoted } from '../../../src/features/languageModelTools/untrustedContent.js';
import * as media from '../../../src/editor/documents/media.js';
import * as plainText from '../../../src/editor/ui/plainText.js';
import { smallestChange } from '../../../src/editor/documents/textChange.js';
import * as addresses from '../../../src/mcp/auth/addresses.js';
import * as challenges from '../../../src/mcp/auth/challenges.js';
import * as discovery from '../../../src/mcp/auth/discovery.js';
import * as grant from '../../../src/mcp/auth/grant.js';
import { describeJson, formFields, type JsonObject } from '../../../src/mcp/index.js';
import { canonicalJson } from '../../../src/mcp/schema/canonicalJson.js';
import { isSameNumber } from '../../../src/mcp/schema/decimal.js';
import * as fieldCheck from '../../../src/mcp/schema/fieldCheck.js';
import { fragmentSteps, unescapeStep } from '../../../src/mcp/schema/ownPath.js';
import * as httpHeaders from '../../../src/mcp/transport/httpHeaders.js';
import * as httpUrl from '../../../src/mcp/transport/httpUrl.js';
import { findLostRequest } from '../../../src/mcp/transport/longMessage.js';
import { parseUriTemplate } from '../../../src/mcp/uri/template.js';
import * as read from '../../../src/mcp/wire/read.js';
import { samplingProblem } from '../../../src/mcp/wire/samplingRules.js';
import * as commandPath from '../../../src/node/machine/commandPath.js';
import { LineReader } from '../../../src/node/process/lineReader.js';
import { parseStat, withSingleSpaces } from '../../../src/node/process/processTable.js';
import { EventReader } from '../../../src/mcp/transport/eventStream.js';
import { type Rows, asUrl, field, tolerant, toolOf, words } from './row.js';

const rules = [
	{ platform: 'linux', pathExt: undefined },
	{ platform: 'win32', pathExt: '.COM;.EXE' },
] as const;
const entry = (text: string): JsonObject => {
	const icons = [{ src: text, mimeType: text, sizes: words(text), theme: text }];
	const plain = { name: text, title: text, description: text, uri: text, uriTemplate: text, mimeType: text, icons };
	return { ...plain, ...toolOf(text), annotations: { audience: words(text), lastModified: text }, arguments: [plain] };
};
const content = (text: string): JsonObject => ({ type: 'resource', resource: { uri: text, mimeType: text, text } });

export const otherRows: Rows = {
	'features/languageModelTools/resultText.ts': {
		textOfResult: text =>
			textOfResult(
				read.readToolResult({
					content: [
						{ type: 'text', text },
						content(text),
						{ type: 'image', data: text, mimeType: text },
						{ type: text },
					],
					structuredContent: { a: text },
				}),
			),
	},
	'features/results/valueTree.ts': { treeEntry: text => treeEntry(text, text, text, new Map()) },
	'base/base64.ts': {
		base64Size: text => base64.base64Size(text),
		tryDecodeBase64: text => base64.tryDecodeBase64(text),
	},
	'features/languageModelTools/budget.ts': { endOfPiece: text => endOfPiece(text, 0, charsBudget) },
	'features/tools/editorSchema.ts': {
		editorSchema: text => editorSchema({ $schema: text, ...toolOf(text).inputSchema }),
	},
	'base/parseJson.ts': { parseJson: text => parseJson(text) },
	'base/percentText.ts': { tryDecodeUri: text => percentText.tryDecodeUri(text) },
	'base/hash.ts': { sha256: text => sha256(text) },
	'base/trim.ts': {
		shorten: text => shorten(text, 100),
		trimEnd: text => trimEnd(text, '/_'),
		trimEnds: text => trimEnds(text, '/_ '),
	},
	'editor/ui/exactText.ts': {
		exactDocument: text => exactText.exactDocument(text),
		exactLines: text => exactText.exactLines(text, 100, 20),
		boundedDocument: text => exactText.boundedDocument(text),
		isTooLarge: text => exactText.isTooLarge(text),
		isPlainLabel: text => exactText.isPlainLabel(text, 100),
		isPlainName: text => exactText.isPlainName(text, 100),
		listedName: text => exactText.listedName(text),
		listNames: text => exactText.listNames([text, text], text),
		titleName: text => exactText.titleName(text, 100),
		spelledOut: text => exactText.spelledOut(text),
		widthOf: text => exactText.widthOf(text),
	},
	'features/languageModelTools/untrustedContent.ts': { quoted: text => quoted(text) },
	'editor/documents/media.ts': {
		checkMedia: text => media.checkMedia(text, new TextEncoder().encode(text)),
		mediaTypeOf: text => media.mediaTypeOf(text),
	},
	'editor/ui/plainText.ts': {
		visibleJsonText: text => plainText.visibleJsonText(JSON.stringify([text])),
		iconless: text => plainText.iconless(text),
		documentText: text => plainText.documentText(text),
		logText: text => plainText.logText(text),
		markdownText: text => plainText.markdownText(text),
		modelText: text => plainText.modelText(text),
		notificationText: text => plainText.notificationText(text),
		oneLine: text => plainText.oneLine(text),
		pathSegment: text => plainText.pathSegment(text),
		quickInputText: text => plainText.quickInputText(text),
		quickPickLines: text => plainText.quickPickLines(text, 100),
		quickPickText: text => plainText.quickPickText(text),
		sectionsText: text => plainText.sectionsText([[text, text]]),
		titleText: text => plainText.titleText(text, text),
		tooltipText: text => plainText.tooltipText(text),
		treeText: text => plainText.treeText(text),
		webviewText: text => plainText.webviewText(text, 1000),
		quickPickValue: text => plainText.quickPickValue({ [text]: text }),
		quickPickWidth: text => plainText.quickPickWidth(text),
		visibleJson: text => plainText.visibleJson({ [text]: [text] }),
	},
	'editor/documents/textChange.ts': {
		smallestChange: text => [
			smallestChange(text, `${text}a`),
			smallestChange(`${text}\r`, `a${text}`),
			smallestChange(text, ''),
		],
	},
	'mcp/auth/addresses.ts': {
		readPage: text => [text, `https://${text}`, `https://a/${text}`].map(addresses.readPage),
		findUrlProblem: text => [text, `https://${text}`].map(addresses.findUrlProblem),
		findPageProblem: text => [text, `https://${text}`].map(addresses.findPageProblem),
		withoutQuery: text => [text, `https://a/${text}`].map(addresses.withoutQuery),
		nearnessOf: text => asUrl(text, addresses.nearnessOf),
	},
	'mcp/auth/challenges.ts': {
		parseChallenges: text =>
			[text, `Bearer ${text}`, `Bearer a="${text}`, `Bearer a=${text}`].map(challenges.parseChallenges),
		parseScopes: text => challenges.parseScopes(text),
		readDemand: text => [text, `Bearer scope="${text}`].map(challenges.readDemand),
	},
	'mcp/auth/discovery.ts': {
		isResourceOf: text => [text, `https://a/${text}`].map(it => discovery.isResourceOf(it, new URL('https://a/b/'))),
		serverMetadataUrls: text => [text, `https://a/${text}`].map(it => tolerant(() => discovery.serverMetadataUrls(it))),
	},
	'mcp/auth/grant.ts': {
		parseClient: text => [text, `{"clientId":"a","a":${text}`].map(grant.parseClient),
		parseGrant: text => [text, `{"accessToken":"a","a":${text}`].map(grant.parseGrant),
		mergeScopes: text => grant.mergeScopes(words(text), words(text)),
	},
	'mcp/jsonrpc/messages.ts': { describeJson: text => describeJson({ [text]: text }) },
	'mcp/schema/canonicalJson.ts': { canonicalJson: text => canonicalJson({ [text]: words(text) }) },
	'mcp/schema/ownPath.ts': { fragmentSteps: text => fragmentSteps(text), unescapeStep: text => unescapeStep(text) },
	'mcp/schema/decimal.ts': {
		isSameNumber: text => [text, `1e${text}`, `0.${text}`, `-${text}`].map(it => tolerant(() => isSameNumber(it, 1))),
	},
	'mcp/schema/fieldCheck.ts': {
		parseField: text =>
			(['string', 'number', 'boolean', 'json', 'choices'] as const).map(kind =>
				fieldCheck.parseField({ ...field('a'), kind, options: [], uniqueItems: true } as never, text),
			),
		checkField: text => fieldCheck.checkField(field('a'), text),
		hasFormat: text => ['email', 'uri', 'date', 'date-time', 'ipv4', 'uuid'].map(it => fieldCheck.hasFormat(text, it)),
	},
	'mcp/schema/formFields.ts': {
		formFields: text => formFields({ ...toolOf(text).inputSchema, required: words(text) }),
	},
	'mcp/transport/httpHeaders.ts': {
		encodeHeaderValue: text => httpHeaders.encodeHeaderValue(text),
		readParamHeaders: text =>
			tolerant(() => httpHeaders.readParamHeaders({ properties: { a: { type: 'string', 'x-mcp-header': text } } })),
	},
	'mcp/transport/httpUrl.ts': {
		describeUrl: text => asUrl(text, httpUrl.describeUrl),
		resolveReference: text => tolerant(() => httpUrl.resolveReference(new URL('https://a'), text)),
	},
	'mcp/transport/eventStream.ts': {
		EventReader: text => {
			const position = { lastEventId: undefined, retryMs: undefined };
			const reader = new EventReader(position, 1_000_000, () => undefined);
			reader.push(new TextEncoder().encode(`data: ${text}\n${text}\n\n`));
		},
	},
	'mcp/transport/longMessage.ts': {
		findLostRequest: text =>
			[text, `{"id":${text}`, `{"id":"${text}`, `{"result":1,"id":${text}}`].map(it => findLostRequest(it, it, 1)),
	},
	'mcp/uri/parseUrl.ts': {
		tryParseUrl: text => [text, `https://${text}`, `\t//${text}`].map(it => tryParseUrl(it, 'https://a')),
	},
	'mcp/uri/template.ts': {
		parseUriTemplate: text => [text, `{${text}}`, `{a}${text}`].map(it => tolerant(() => parseUriTemplate(it))),
	},
	'mcp/wire/read.ts': {
		readTool: text => read.readTool(entry(text)),
		readResource: text => read.readResource(entry(text)),
		readResourceTemplate: text => read.readResourceTemplate(entry(text)),
		readPrompt: text => read.readPrompt(entry(text)),
		readContentBlock: text => read.readContentBlock(content(text)),
		readCompletion: text => read.readCompletion({ completion: { values: words(text) } }),
		readPromptResult: text => read.readPromptResult({ messages: [{ role: text, content: content(text) }] }),
	},
	'mcp/wire/samplingRules.ts': {
		samplingProblem: text =>
			samplingProblem({ messages: [{ role: text, content: [{ type: text, toolUseId: text }] }] }, true),
	},
	'node/machine/commandPath.ts': {
		// The result is as long as the folder times the entries of the PATH: one of them is short.
		candidates: text =>
			rules.flatMap(it => [
				commandPath.candidates(text, '/b', '/a', it),
				commandPath.candidates('a', text, '/a', it),
				commandPath.candidates('a', '/b', text, it),
			]),
		compareVersions: text => commandPath.compareVersions(text, `${text}1`),
		fileNames: text => rules.map(it => commandPath.fileNames(text, it)),
		mergePaths: text => rules.map(it => commandPath.mergePaths(text, `${text}a`, it.platform)),
		hasFolder: text => rules.map(it => commandPath.hasFolder(text, it)),
		joinPaths: text =>
			rules.flatMap(it => [commandPath.joinPaths(text, text, it), commandPath.joinPaths('/a', text, it)]),
		splitPath: text => rules.map(it => commandPath.splitPath(text, it.platform)),
	},
	'node/process/lineReader.ts': {
		LineReader: text => new LineReader(() => undefined).push(Buffer.from(text)),
	},
	'node/process/processTable.ts': {
		parseStat: text => [text, `1 (${text}) S 1 1`].map(parseStat),
		withSingleSpaces: text => withSingleSpaces(text),
	},
};
