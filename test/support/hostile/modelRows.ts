/** How each function of `src/model` is given a hostile text. Over 400 lines: one table. */
import { define, readAddOptions } from '../../../src/model/addOptions.js';
import * as argumentsJson from '../../../src/model/argumentsJson.js';
import * as boundedJson from '../../../src/model/boundedJson.js';
import * as configEdit from '../../../src/model/configEdit.js';
import * as contentView from '../../../src/model/contentView.js';
import * as devMode from '../../../src/model/devMode.js';
import { installPage } from '../../../src/model/diagnosis.js';
import { contentOf, rootFolder } from '../../../src/model/entryFolders.js';
import { EntryFilter } from '../../../src/model/entryFilter.js';
import { lineIds } from '../../../src/model/entryPage.js';
import { parseEnvFile } from '../../../src/model/envFile.js';
import { decodedForms, decodedLayers } from '../../../src/model/encodedText.js';
import { changesExecution, shownValue } from '../../../src/model/executionVariables.js';
import { readFileUri } from '../../../src/model/fileLocation.js';
import { setValue } from '../../../src/model/jsonEdit.js';
import { fillIn, isNetworkPath } from '../../../src/model/launchSnapshot.js';
import { lookalikeKey, looksLatin } from '../../../src/model/lookalikes.js';
import * as pathReadings from '../../../src/model/pathReadings.js';
import * as pathSegments from '../../../src/model/pathSegments.js';
import { isUnderstood, locatePath } from '../../../src/model/pathText.js';
import { openedName, textLanguage, textName } from '../../../src/model/textNames.js';
import { fuzzyFind } from '../../../src/model/fuzzy.js';
import { escapeGlob, isAnyGlob, literalOfGlob, matchesGlob } from '../../../src/model/glob.js';
import { containsWords, parseEntry } from '../../../src/model/historyEntry.js';
import { chooseIcon, mediaType, redirectedIcon } from '../../../src/model/icons.js';
import { inputsOf, valuesOf } from '../../../src/model/inputs.js';
import * as jsonNodes from '../../../src/model/jsonNodes.js';
import { hideGiven, holdsSecret, redactedArguments } from '../../../src/model/keptArguments.js';
import * as knownVariables from '../../../src/model/knownVariables.js';
import * as lastWords from '../../../src/model/lastWords.js';
import { readClientFile } from '../../../src/model/otherClients.js';
import * as pastedServer from '../../../src/model/pastedServer.js';
import { fingerprintOf, parseLock } from '../../../src/model/pins.js';
import { deniesServer, matchingRules } from '../../../src/model/policy.js';
import { withRule } from '../../../src/model/policyEdit.js';
import { parsePolicy } from '../../../src/model/policyFile.js';
import { reachOf } from '../../../src/model/reach.js';
import { Redactor } from '../../../src/model/redactor.js';
import { firstGap } from '../../../src/model/schemaSkeleton.js';
import { byName } from '../../../src/model/resourceOrder.js';
import * as roots from '../../../src/model/roots.js';
import { readSampling } from '../../../src/model/sampling.js';
import { searchEntries } from '../../../src/model/search.js';
import { asksForSecret } from '../../../src/model/secretFields.js';
import * as sectionText from '../../../src/model/sectionText.js';
import { parseServerConfig } from '../../../src/model/serverConfig.js';
import type { ConfigSource, HttpDefinition, StdioDefinition } from '../../../src/model/serverDefinition.js';
import * as serverEntry from '../../../src/model/serverEntry.js';
import * as serverInputs from '../../../src/model/serverInputs.js';
import * as serverName from '../../../src/model/serverName.js';
import * as serverOptions from '../../../src/model/serverOptions.js';
import * as shellWords from '../../../src/model/shellWords.js';
import * as slash from '../../../src/model/slash.js';
import { ToolNames } from '../../../src/model/toolNames.js';
import { warningsOf } from '../../../src/model/toolWarnings.js';
import { warningsOfUrl } from '../../../src/model/urlWarnings.js';
import { substitute, variablesIn } from '../../../src/model/variables.js';
import { type Rows, asUrl, tolerant, field, toolOf, words } from './row.js';

const source: ConfigSource = {
	kind: 'projectRoot',
	uri: 'file:///w/.mcp.json',
	folderUri: 'file:///w',
	folderName: 'w',
};
const inFolder: ConfigSource = { ...source, kind: 'vscodeFolder' };
const stdio = (text: string): StdioDefinition => ({
	kind: 'stdio',
	command: text,
	args: [text, ...words(text)],
	cwd: text,
	env: { A: text, [text]: text },
	envFile: text,
});
const http = (text: string): HttpDefinition => ({ kind: 'http', url: text, headers: { A: text, [text]: text } });
/** Files with the text in a value, and in comments behind a server. */
const configs = (text: string): string[] => {
	const comment = `/*${text.replaceAll('*/', '').replaceAll(/[\r\n]/g, ' ')}*/`;
	const comments = '/**/'.repeat(text.length / 4);
	return [
		config(text),
		...[comment, comments].map(it => `{\n\t"servers": {\n\t\t"a": {}${it}}, "inputs": [\n{}${it}\n${it},]}`),
	];
};
const { mcpJsonPlaces } = configEdit;
const parts = { view: (text: string) => ({ text }), originals: [], toBlock: (text: string) => text };
const config = (text: string): string =>
	JSON.stringify({
		servers: { a: { command: text, args: words(text), env: { A: text }, cwd: text }, b: { url: text } },
	});
const facts = (text: string): Parameters<typeof matchingRules>[1] => {
	return {
		server: text,
		tool: text,
		annotations: {},
		arguments: { a: text },
		reach: { roots: [text], outside: [text], unclear: [text] },
	};
};

export const modelRows: Rows = {
	'model/addOptions.ts': {
		readAddOptions: text =>
			[words(text), ['-e', ...words(text)], ['a', 'b', `-H=${text}`, '--', text]].map(readAddOptions),
		define: text => define({ [text]: '' }, text, text),
	},
	'model/argumentsJson.ts': {
		argumentAt: text => [argumentsJson.argumentAt(text, text.length), argumentsJson.argumentAt(`{"a": "${text}`, 9)],
		argumentsText: text => argumentsJson.argumentsText([text], new Map([[text, text]])),
		readArguments: text => argumentsJson.readArguments(text, ['a']),
	},
	'model/boundedJson.ts': {
		findJsonExcess: text => boundedJson.findJsonExcess(text, boundedJson.configBounds),
		parseBoundedJson: text => boundedJson.parseBoundedJson(text),
		parseBoundedTree: text => boundedJson.parseBoundedTree(text),
	},
	'model/configEdit.ts': {
		addServers: text =>
			configs(text).map(it =>
				configEdit.addServers(it, [{ name: text, entry: { type: 'http', url: text } }], [], mcpJsonPlaces, '\n'),
			),
		changeServer: text =>
			configs(text).map(it =>
				configEdit.changeServer(it, 'a', [{ path: ['command'], value: text }], mcpJsonPlaces, '\n'),
			),
		defineInput: text => configs(text).map(it => configEdit.defineInput(it, text, ['inputs'], '\n')),
		removeMember: text => configs(text).map(it => configEdit.removeMember(it, it.indexOf('"'))),
	},
	'model/contentView.ts': {
		extensionOf: text => [text, `image/${text}`].map(it => contentView.extensionOf(it)),
		hasViewer: text => contentView.hasViewer(text),
		iconExtension: text => [text, `image/${text}`, `application/x-${text}`].map(it => contentView.iconExtension(it)),
		mimeLanguage: text =>
			[text, `text/x-${text}`, `application/vnd.${text}+json`].map(it => contentView.mimeLanguage(it, () => false)),
		plainMimeType: text => contentView.plainMimeType(text),
	},
	'model/devMode.ts': {
		foldersOf: text => devMode.foldersOf(text),
		planDebugging: text =>
			devMode.planDebugging(
				{ command: text, args: words(text) },
				{ type: 'debugpy', debugpyPath: undefined },
				{ name: text, port: 1, debugpyModule: text },
			),
	},
	'model/diagnosis.ts': { installPage: text => installPage(text) },
	'model/entryFilter.ts': {
		EntryFilter: text => [
			new EntryFilter(text).matches({ names: ['abc'], description: 'a b c' }),
			new EntryFilter('a b c').matches({ names: [text], description: text }),
		],
	},
	'model/entryFolders.ts': {
		contentOf: text =>
			[text, `file:///${text}`].map(it => contentOf(rootFolder([it, `${it}/a`, `${it}/b`]), uri => uri)),
	},
	'model/entryPage.ts': { lineIds: text => lineIds(words(text)) },
	'model/envFile.ts': {
		parseEnvFile: text =>
			[text, `A=${text}`, `A="${text}`, `A=${text}\nB=1\n`, `${text}\nA='${text}`].map(it =>
				tolerant(() => parseEnvFile(it, 'a')),
			),
	},
	'model/fuzzy.ts': {
		fuzzyFind: text => [
			fuzzyFind([text, 'a'], 'abc', 10, it => ({ name: it, place: it })),
			fuzzyFind(['abc'], text, 10, it => ({ name: it, place: it })),
		],
	},
	'model/encodedText.ts': {
		decodedForms: text => [...decodedForms(text)],
		decodedLayers: text => [...decodedLayers(text)],
	},
	'model/executionVariables.ts': {
		changesExecution: text => changesExecution(text),
		shownValue: text => [shownValue(text, text), shownValue('HTTP_PROXY', text)],
	},
	'model/fileLocation.ts': { readFileUri: text => [text, `file:///${text}`, `file://${text}`].map(readFileUri) },
	'model/glob.ts': {
		escapeGlob: text => escapeGlob(text),
		isAnyGlob: text => isAnyGlob(text),
		literalOfGlob: text => literalOfGlob(text),
		matchesGlob: text => [matchesGlob('*a*b?*c', text), matchesGlob(text, 'abc'), matchesGlob('*', text)],
	},
	'model/historyEntry.ts': {
		containsWords: text => [containsWords(text, 'a b'), containsWords('a', text)],
		parseEntry: text => [text, JSON.stringify({ id: text, at: text })].map(parseEntry),
	},
	'model/icons.ts': {
		mediaType: text => mediaType(text),
		chooseIcon: text =>
			[
				{ src: text, mimeType: text, sizes: words(text) },
				{ src: `data:${text}` },
				{ src: `data:image/png;base64,${text}` },
			].map(it => tolerant(() => chooseIcon([it], 'dark', text))),
		redirectedIcon: text => tolerant(() => redirectedIcon(new URL('https://a'), text)),
	},
	'model/inputs.ts': {
		inputsOf: text => [stdio(text), http(text)].map(inputsOf),
		valuesOf: text => [stdio(text), http(text)].map(valuesOf),
	},
	'model/jsonNodes.ts': {
		offsetOfKey: text => jsonNodes.offsetOfKey(text, ['a', 'a']),
		valueAt: text => jsonNodes.valueAt(text, ['a', 'a']),
	},
	'model/jsonEdit.ts': {
		setValue: text =>
			[config(text), JSON.stringify({ a: words(text) }, undefined, '\t')].map(it =>
				setValue(it, ['a', 0], text, { insertSpaces: false }, true),
			),
	},
	'model/keptArguments.ts': {
		hideGiven: text => hideGiven([text], new Redactor()),
		holdsSecret: text =>
			holdsSecret({ type: 'object', properties: { [text]: { title: text, format: text } } }, { [text]: text }),
		redactedArguments: text =>
			redactedArguments({ type: 'object', properties: { [text]: { $ref: text } } }, { [text]: text }),
	},
	'model/knownVariables.ts': {
		distance: text => knownVariables.distance(text, 'workspaceFolder'),
		fromPlainVariables: text => knownVariables.fromPlainVariables(text),
		isKnownVariable: text => knownVariables.isKnownVariable(text),
		nearestTransport: text => knownVariables.nearestTransport(text),
		nearestVariable: text => knownVariables.nearestVariable(text),
	},
	'model/lastWords.ts': {
		readLastWords: text => lastWords.readLastWords([text, ...text.split('\n').slice(0, 20)]),
		findErrorLine: text => lastWords.findErrorLine([text, ...text.split('\n').slice(0, 20)]),
		readSilence: text => lastWords.readSilence([text, ...text.split('\n').slice(0, 20)], stdio('a')),
	},
	'model/launchSnapshot.ts': {
		fillIn: text => tolerant(() => fillIn(text, { variables: new Map() }, () => text)),
		isNetworkPath: text => isNetworkPath(text),
	},
	'model/lookalikes.ts': { lookalikeKey: text => lookalikeKey(text), looksLatin: text => looksLatin(text) },
	'model/otherClients.ts': {
		readClientFile: text => [text, config(text), `{"mcpServers":${text}`].map(readClientFile),
	},
	'model/pathReadings.ts': {
		dropUnseen: pathReadings.dropUnseen,
		isEncoded: pathReadings.isEncoded,
		isUnambiguous: pathReadings.isUnambiguous,
		readingsOf: text => [...pathReadings.readingsOf(text)],
		withoutEnds: pathReadings.withoutEnds,
	},
	'model/pathSegments.ts': {
		climbsBelow: text => [text, `.${text}`].map(it => pathSegments.climbsBelow(it, 0, true)),
		expandVariables: pathSegments.expandVariables,
		hasParent: text => [text, `.${text}`].map(pathSegments.hasParent),
		mayBeParent: text => [text, `.${text}`].map(pathSegments.mayBeParent),
	},
	'model/pathText.ts': {
		isUnderstood: text => [text, `/${text}`].map(isUnderstood),
		locatePath: text => [text, `/${text}`, `file:///${text}`, `~/${text}`].map(locatePath),
	},
	'model/pastedServer.ts': {
		parseJson: text => [text, config(text), `"a": {"command": ${text}`].map(pastedServer.parseJson),
		parsePasted: text =>
			[
				text,
				config(text),
				`\`\`\`json ${text}`,
				`\`\`\`\n${text}\n\`\``,
				`claude mcp add ${text}`,
				`$ ${text}`,
				`PS ${text}`,
				`vscode:mcp/install?${text}`,
				`https://vscode.dev/redirect?url=${text}`,
				`cursor://?config=${text}`,
				`code --add-mcp ${text}`,
			].map(pastedServer.parsePasted),
	},
	'model/pins.ts': {
		parseLock: text => parseLock(text),
		fingerprintOf: text => fingerprintOf({ tool: toolOf(text), instructions: text }),
	},
	'model/policy.ts': {
		matchingRules: text =>
			matchingRules(
				{
					otherwise: 'ask',
					rules: ['allow', 'deny'].map(it => ({
						decision: it as 'allow',
						servers: ['*a*b'],
						tools: ['?*!'],
						arguments: { a: ['*.a*'], '*.b': ['*'] },
						roots: ['a*'],
						outsideRoots: true,
					})),
				},
				facts(text),
			),
		deniesServer: text => deniesServer({ otherwise: 'ask', rules: [{ decision: 'deny', servers: ['*a*b*c'] }] }, text),
	},
	'model/policyEdit.ts': {
		withRule: text =>
			[text, `{"rules": [{"decision": "allow", "tool": ${JSON.stringify(text)}}]}`].map(it =>
				withRule(it, { decision: 'allow', server: text, tool: text, arguments: { a: text, [text]: { a: text } } }),
			),
	},
	'model/policyFile.ts': { parsePolicy: text => [text, `{"rules":${text}`, `{"rules":[${text}`].map(parsePolicy) },
	'model/reach.ts': {
		reachOf: text =>
			[text, `/${text}`, `file:///${text}`].map(it =>
				reachOf({ [it]: it }, [{ uri: 'file:///w', name: 'w' }, { uri: it }], true),
			),
	},
	'model/redactor.ts': {
		text: text => {
			const redactor = new Redactor();
			redactor.hide(['secret value', 'aaaaaaaa!', '%2525', '____']);
			return [redactor.text(`x${text}x`), redactor.data({ a: [text] })];
		},
	},
	'model/resourceOrder.ts': { byName: text => [byName(text, 'a'), byName(text, `${text}1`)] },
	'model/roots.ts': {
		normalFileUri: text =>
			[text, `file:///${text}`, `file://a/${text}!`, `file:///c:/${text}!`].map(roots.normalFileUri),
		judgeFolders: text =>
			roots.judgeFolders([{ uri: `file:///${text}!`, name: text }], new Set(), [[text, `file:///${text}!`]]),
	},
	'model/sampling.ts': {
		readSampling: text =>
			tolerant(() =>
				readSampling({
					systemPrompt: text,
					maxTokens: 1,
					messages: [{ role: 'user', content: { type: 'text', text } }],
				}),
			),
	},
	'model/search.ts': {
		searchEntries: text => [
			searchEntries(['a'], text, it => ({ name: it, also: [it] })),
			searchEntries([text], 'one two three', it => ({ name: it, title: it, also: words(it), description: it })),
		],
	},
	'model/schemaSkeleton.ts': { firstGap: text => [firstGap(text), firstGap(`{"a": "${text}"`)] },
	'model/secretFields.ts': { asksForSecret: text => asksForSecret(field(text)) },
	'model/sectionText.ts': {
		parseBody: text => sectionText.parseBody(text, parts),
		parseSections: text =>
			[text, `──── a ────\n${text}`, `──── ${text}`].map(it =>
				tolerant(() => sectionText.parseSections(it, ['a'], parts)),
			),
		sectionsText: text => sectionText.sectionsText([{ title: text, blocks: [text] }], parts.view),
	},
	'model/serverConfig.ts': {
		parseServerConfig: text =>
			[
				text,
				config(text),
				`{"mcpServers":${text}`,
				`{"servers":{"a":{"args":${text}`,
				JSON.stringify({
					inputs: [{ id: text, type: text, description: text }],
					servers: {
						[text]: { type: text, url: text, dev: { watch: text, debug: { type: text } }, headers: { [text]: text } },
					},
				}),
			].flatMap(it => [parseServerConfig(it, source), parseServerConfig(it, inFolder)]),
	},
	'model/serverEntry.ts': {
		isWebUrl: text => serverEntry.isWebUrl(text),
		looksLikeSse: text => serverEntry.looksLikeSse(text),
		readEntry: text =>
			[
				{ command: text },
				{ command: 'a', args: words(text), env: { [text]: text } },
				{ url: text, type: text, headers: { A: text } },
			].map(serverEntry.readEntry),
		describeEntry: text => serverEntry.describeEntry({ type: 'stdio', command: text, args: words(text) }),
	},
	'model/serverInputs.ts': {
		describeInput: text => serverInputs.describeInput(text),
		isSecretName: text => serverInputs.isSecretName(text),
		looksLikeSecret: text => [text, `sk-${text}`, `eyJ${text}`].map(serverInputs.looksLikeSecret),
		findWishes: text => entries(text).map(serverInputs.findWishes),
		withoutSecrets: text => few(text).map(serverInputs.withoutSecrets),
		grant: text => few(text).map(it => serverInputs.grant(it, text, serverInputs.findWishes(it), new Set([text]))),
		usedInputs: text => few(text).map(serverInputs.usedInputs),
		renameInputs: text => few(text).map(it => serverInputs.renameInputs(it, new Map([['a', 'b']]))),
	},
	'model/serverName.ts': {
		checkServerName: text => serverName.checkServerName(text, new Set()),
		uniqueName: text => serverName.uniqueName(text, new Set(['a'])),
		nameOf: text => entries(text).map(serverName.nameOf),
	},
	'model/serverOptions.ts': {
		readServerOptions: text =>
			serverOptions.readServerOptions(
				{ generalTimeout: 60, isTrusted: true, user: { [text]: { era: text, roots: words(text) } } },
				text,
			),
		valueOfOption: text => serverOptions.valueOfOption({ [text]: { era: text } }, text, 'era'),
		withMember: text => serverOptions.withMember({ [text]: text }, text, 'a'),
		withOption: text => serverOptions.withOption({ [text]: { era: text } }, text, 'era', text),
	},
	'model/shellWords.ts': {
		parseCommandLine: text =>
			[text, `a "${text}`, `a '${text}`, `A=${text}`, `cd ${text}\n${text}`].map(shellWords.parseCommandLine),
		splitAssignment: text => [text, `A=${text}`].map(shellWords.splitAssignment),
		quoteWord: text => [true, false].map(it => shellWords.quoteWord(text, it)),
	},
	'model/slash.ts': {
		parseSlash: text => [text, `/a "${text}`, `/a b='${text}`].map(slash.parseSlash),
		slashText: text => slash.slashText(text, { [text]: text }),
		findCommands: text => [
			slash.findCommands([text], slash.parseSlash('one two'), it => ({ name: it, title: it, description: it })),
			slash.findCommands(['one two'], slash.parseSlash(text), it => ({ name: it })),
		],
		typedArguments: text => slash.typedArguments(slash.parseSlash(text), 'a', words(text)),
	},
	'model/textNames.ts': {
		openedName: text => openedName(text),
		textLanguage: text => [text, `text/x-${text}`].map(it => textLanguage(it, text, 'json', new Set(['json']))),
		textName: text => textName(text),
	},
	'model/toolNames.ts': { ToolNames: text => new ToolNames([{ name: text }, { name: `${text}!` }]).toModel(text) },
	'model/toolWarnings.ts': {
		warningsOf: text =>
			warningsOf({
				tool: toolOf(text),
				instructions: text,
				arguments: { [text]: text },
				others: [{ server: 'a', tools: [{ name: `${text}a` }] }],
				hasSecret: () => false,
			}),
	},
	'model/urlWarnings.ts': { warningsOfUrl: text => asUrl(text, it => warningsOfUrl(it, 2)) },
	'model/variables.ts': {
		substitute: text => [text, `\${${text}`].map(it => tolerant(() => substitute(it, () => ''))),
		variablesIn: text => [text, `\${${text}`].map(variablesIn),
	},
};

/** Entries with the text in every place. */
const few = (text: string): serverEntry.ServerEntry[] => entries(text).slice(0, 4);

/** The same, for every program that is known. */
function entries(text: string): serverEntry.ServerEntry[] {
	const more = words(text);
	return [
		{ type: 'http', url: text, headers: { [text]: text, 'Api-Key': `Bearer ${text}` } },
		{ type: 'http', url: `https://${text}/` },
		{ type: 'http', url: `https://a:${text}@b?${text}=${text}` },
		{
			type: 'stdio',
			command: text,
			args: more,
			cwd: text,
			env: { [text]: text, API_KEY: `sk-${text} # a b`, A: `\${A:-${text}` },
		},
		...['npx', 'uvx', 'docker', 'python', 'node', 'cmd', 'uv'].flatMap((command): serverEntry.ServerEntry[] => [
			{ type: 'stdio', command, args: ['run', text, `--a=${text}`, `--api-key ${text}`] },
			{ type: 'stdio', command, args: more, cwd: text },
		]),
		...['git+', 'https://', 'a@sha256:', '@a/', 'a[', '-m', 'mcp-server-'].map((before): serverEntry.ServerEntry => {
			return { type: 'stdio', command: 'npx', args: [`${before}${text}`] };
		}),
	];
}
