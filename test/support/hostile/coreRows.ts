/** How each function of `src/core` is given a hostile text. */
import { define, readAddOptions } from '../../../src/core/addServer/addOptions.js';
import * as boundedJson from '../../../src/core/text/boundedJson.js';
import * as configEdit from '../../../src/core/config/configEdit.js';
import * as contentView from '../../../src/core/resources/contentView.js';
import * as devMode from '../../../src/core/config/devMode.js';
import { installPage } from '../../../src/core/diagnosis/diagnosis.js';
import { contentOf, rootFolder } from '../../../src/editor/tree/entryFolders.js';
import { EntryFilter } from '../../../src/core/search/entryFilter.js';
import { lineIds } from '../../../src/editor/tree/entryPage.js';
import { parseEnvFile } from '../../../src/core/config/envFile.js';
import { changesExecution, shownValue } from '../../../src/core/launch/executionVariables.js';
import { setValue } from '../../../src/core/config/jsonEdit.js';
import { isNetworkPath } from '../../../src/core/config/networkPath.js';
import { fillIn } from '../../../src/core/launch/launchSnapshot.js';
import { escapeMixedScripts } from '../../../src/core/text/mixedScripts.js';
import { openedName, textLanguage, textName } from '../../../src/core/resources/textNames.js';
import { fuzzyFind, weighWord } from '../../../src/core/search/fuzzy.js';
import { escapeGlob, matchesGlob } from '../../../src/core/approvals/glob.js';
import { containsWords, parseEntry } from '../../../src/core/history/historyEntry.js';
import { chooseServerIcon } from '../../../src/core/servers/icons.js';
import { inputsOf, valuesOf } from '../../../src/core/config/inputs.js';
import * as jsonNodes from '../../../src/core/text/jsonNodes.js';
import { holdsSecret, redactedArguments } from '../../../src/core/text/argumentSecrets.js';
import * as knownVariables from '../../../src/core/config/knownVariables.js';
import * as stderrPatterns from '../../../src/core/diagnosis/stderrPatterns.js';
import { readClientFile } from '../../../src/core/addServer/otherClients.js';
import * as pastedServer from '../../../src/core/addServer/pastedServer.js';
import { hashDefinition, parseLock } from '../../../src/core/approvals/toolLock.js';
import { deniesServer, matchingRules } from '../../../src/core/approvals/policy.js';
import { withRule } from '../../../src/core/approvals/policyEdit.js';
import { parsePolicy } from '../../../src/core/approvals/policyFile.js';
import { findPathScope } from '../../../src/core/approvals/pathScope.js';
import { Redactor } from '../../../src/core/text/redactor.js';
import { skeletonOf } from '../../../src/core/text/schemaSkeleton.js';
import * as roots from '../../../src/core/servers/roots.js';
import { readSampling } from '../../../src/core/requests/samplingRequest.js';
import { searchEntries } from '../../../src/core/search/search.js';
import { asksForSecret } from '../../../src/features/elicitation/secretFields.js';
import { parseServerConfig } from '../../../src/core/config/serverConfig.js';
import type { ConfigSource, HttpDefinition, StdioDefinition } from '../../../src/core/config/serverDefinition.js';
import * as serverEntry from '../../../src/core/config/serverEntry.js';
import * as secretNames from '../../../src/core/text/secretNames.js';
import * as serverInputs from '../../../src/core/config/serverInputs.js';
import * as serverName from '../../../src/core/addServer/serverName.js';
import * as serverOptions from '../../../src/core/config/serverOptions.js';
import * as shellWords from '../../../src/core/addServer/shellWords.js';
import * as slash from '../../../src/core/search/slash.js';
import { ToolNames } from '../../../src/core/approvals/toolNames.js';
import { warningsOf } from '../../../src/core/approvals/toolWarnings.js';
import { warningsOfUrl } from '../../../src/core/requests/urlWarnings.js';
import { substitute, variablesIn } from '../../../src/core/config/variables.js';
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
const config = (text: string): string =>
	JSON.stringify({
		servers: { a: { command: text, args: words(text), env: { A: text }, cwd: text }, b: { url: text } },
	});
const facts = (text: string): Parameters<typeof matchingRules>[1] => {
	return {
		server: text,
		tool: text,
		annotations: {},
		pathScope: { roots: [text], outside: [text], unclear: [text] },
		scopeOf: () => ({ roots: [text], outside: [text], unclear: [text] }),
	};
};

export const coreRows: Rows = {
	'core/addServer/addOptions.ts': {
		readAddOptions: text =>
			[words(text), ['-e', ...words(text)], ['a', 'b', `-H=${text}`, '--', text]].map(readAddOptions),
		define: text => define({ [text]: '' }, text, text),
	},
	'core/text/boundedJson.ts': {
		findJsonExcess: text => boundedJson.findJsonExcess(text, boundedJson.configBounds),
		parseBoundedTree: text => boundedJson.parseBoundedTree(text),
	},
	'core/config/configEdit.ts': {
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
	'core/resources/contentView.ts': {
		extensionOf: text => [text, `image/${text}`].map(it => contentView.extensionOf(it)),
		hasViewer: text => contentView.hasViewer(text),
		iconExtension: text => [text, `image/${text}`, `application/x-${text}`].map(it => contentView.iconExtension(it)),
		mimeLanguage: text =>
			[text, `text/x-${text}`, `application/vnd.${text}+json`].map(it => contentView.mimeLanguage(it, () => false)),
		plainMimeType: text => contentView.plainMimeType(text),
	},
	'core/config/devMode.ts': {
		foldersOf: text => devMode.foldersOf(text),
		planDebugging: text =>
			devMode.planDebugging(
				{ command: text, args: words(text) },
				{ type: 'debugpy', debugpyPath: undefined },
				{ name: text, port: 1, debugpyModule: text },
			),
	},
	'core/diagnosis/diagnosis.ts': { installPage: text => installPage(text) },
	'core/search/entryFilter.ts': {
		EntryFilter: text => [
			new EntryFilter(text).matches({ names: ['abc'], description: 'a b c' }),
			new EntryFilter('a b c').matches({ names: [text], description: text }),
		],
	},
	'editor/tree/entryFolders.ts': {
		contentOf: text =>
			[text, `file:///${text}`].map(it => contentOf(rootFolder([it, `${it}/a`, `${it}/b`]), uri => uri)),
	},
	'editor/tree/entryPage.ts': { lineIds: text => lineIds(words(text)) },
	'core/config/envFile.ts': {
		parseEnvFile: text =>
			[text, `A=${text}`, `A="${text}`, `A=${text}\nB=1\n`, `${text}\nA='${text}`].map(it =>
				tolerant(() => parseEnvFile(it, 'a')),
			),
	},
	'core/search/fuzzy.ts': {
		fuzzyFind: text => [
			fuzzyFind([text, 'a'], 'abc', 10, it => ({ name: it, place: it })),
			fuzzyFind(['abc'], text, 10, it => ({ name: it, place: it })),
		],
		weighWord: text => {
			const weights = { whole: 5, start: 4, wordStart: 3, inside: 2, letters: () => 1 };
			return [weighWord('abc', text, weights), weighWord(text, `x${text}`, weights)];
		},
	},
	'core/launch/executionVariables.ts': {
		changesExecution: text => changesExecution(text),
		shownValue: text => [shownValue(text, text), shownValue('HTTP_PROXY', text)],
	},
	'core/approvals/glob.ts': {
		escapeGlob: text => escapeGlob(text),
		matchesGlob: text => [matchesGlob('*a*b?*c', text), matchesGlob(text, 'abc'), matchesGlob('*', text)],
	},
	'core/history/historyEntry.ts': {
		containsWords: text => [containsWords(text, 'a b'), containsWords('a', text)],
		parseEntry: text => [text, JSON.stringify({ id: text, at: text })].map(parseEntry),
	},
	'core/servers/icons.ts': {
		chooseServerIcon: text =>
			[
				{ src: text, mimeType: text, sizes: words(text) },
				{ src: `data:${text}` },
				{ src: `data:image/png;base64,${text}` },
			].map(it => tolerant(() => chooseServerIcon([it]))),
	},
	'core/config/inputs.ts': {
		inputsOf: text => [stdio(text), http(text)].map(inputsOf),
		valuesOf: text => [stdio(text), http(text)].map(valuesOf),
	},
	'core/text/jsonNodes.ts': {
		offsetOfKey: text => jsonNodes.offsetOfKey(text, ['a', 'a']),
		valueAt: text => jsonNodes.valueAt(text, ['a', 'a']),
	},
	'core/config/jsonEdit.ts': {
		setValue: text =>
			[config(text), JSON.stringify({ a: words(text) }, undefined, '\t')].map(it =>
				setValue(it, ['a', 0], text, { insertSpaces: false }, true),
			),
	},
	'core/text/argumentSecrets.ts': {
		holdsSecret: text =>
			holdsSecret({ type: 'object', properties: { [text]: { title: text, format: text } } }, { [text]: text }),
		redactedArguments: text =>
			redactedArguments({ type: 'object', properties: { [text]: { $ref: text } } }, { [text]: text }),
	},
	'core/config/knownVariables.ts': {
		distance: text => knownVariables.distance(text, 'workspaceFolder'),
		fromPlainVariables: text => knownVariables.fromPlainVariables(text),
		isKnownVariable: text => knownVariables.isKnownVariable(text),
		nearestTransport: text => knownVariables.nearestTransport(text),
		nearestVariable: text => knownVariables.nearestVariable(text),
	},
	'core/diagnosis/stderrPatterns.ts': {
		matchStderr: text => stderrPatterns.matchStderr([text, ...text.split('\n').slice(0, 20)]),
		findErrorLine: text => stderrPatterns.findErrorLine([text, ...text.split('\n').slice(0, 20)]),
		explainSilence: text => stderrPatterns.explainSilence([text, ...text.split('\n').slice(0, 20)], stdio('a')),
	},
	'core/launch/launchSnapshot.ts': {
		fillIn: text => tolerant(() => fillIn(text, { variables: new Map() }, () => 'a value')),
	},
	'core/config/networkPath.ts': { isNetworkPath: text => isNetworkPath(text) },
	'core/text/mixedScripts.ts': { escapeMixedScripts: text => escapeMixedScripts(text) },
	'core/addServer/otherClients.ts': {
		readClientFile: text => [text, config(text), `{"mcpServers":${text}`].map(readClientFile),
	},
	'core/addServer/pastedServer.ts': {
		parsePastedJson: text => [text, config(text), `"a": {"command": ${text}`].map(pastedServer.parsePastedJson),
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
	'core/approvals/toolLock.ts': {
		parseLock: text => parseLock(text),
		hashDefinition: text => hashDefinition({ tool: toolOf(text), instructions: text }),
	},
	'core/approvals/policy.ts': {
		matchingRules: text =>
			matchingRules(
				{
					otherwise: 'ask',
					rules: ['allow', 'deny'].map(it => ({
						decision: it as 'allow',
						servers: ['*a*b'],
						tools: ['?*!'],
						roots: ['a*'],
						outsideRoots: true,
					})),
				},
				facts(text),
			),
		deniesServer: text => deniesServer({ otherwise: 'ask', rules: [{ decision: 'deny', servers: ['*a*b*c'] }] }, text),
	},
	'core/approvals/policyEdit.ts': {
		withRule: text =>
			[text, `{"rules": [{"decision": "allow", "tool": ${JSON.stringify(text)}}]}`].map(it =>
				withRule(it, { decision: 'allow', server: text, tool: text }),
			),
	},
	'core/approvals/policyFile.ts': {
		parsePolicy: text => [text, `{"rules":${text}`, `{"rules":[${text}`].map(parsePolicy),
	},
	'core/approvals/pathScope.ts': {
		reachOf: text =>
			[text, `/${text}`, `file:///${text}`].map(it =>
				findPathScope({ [it]: it }, [{ uri: 'file:///w', name: 'w' }, { uri: it }], true),
			),
	},
	'core/text/redactor.ts': {
		text: text => {
			const redactor = new Redactor();
			redactor.hide(['secret value', 'aaaaaaaa!', text]);
			return [redactor.text(`x${text}x`), redactor.data({ a: [text] })];
		},
	},
	'core/servers/roots.ts': {
		normalFileUri: text =>
			[text, `file:///${text}`, `file://a/${text}!`, `file:///c:/${text}!`].map(roots.normalFileUri),
		judgeFolders: text =>
			roots.judgeFolders([{ uri: `file:///${text}!`, name: text }], new Set(), [[text, `file:///${text}!`]]),
	},
	'core/requests/samplingRequest.ts': {
		readSampling: text =>
			tolerant(() =>
				readSampling({
					systemPrompt: text,
					maxTokens: 1,
					messages: [{ role: 'user', content: { type: 'text', text } }],
				}),
			),
	},
	'core/search/search.ts': {
		searchEntries: text => [
			searchEntries(['a'], text, it => ({ name: it, also: [it] })),
			searchEntries([text], 'one two three', it => ({ name: it, title: it, also: words(it), description: it })),
		],
	},
	'core/text/schemaSkeleton.ts': {
		skeletonOf: text => skeletonOf({ required: [text], properties: { [text]: { $ref: text } } }),
	},
	'features/elicitation/secretFields.ts': { asksForSecret: text => asksForSecret(field(text)) },
	'core/config/serverConfig.ts': {
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
	'core/config/serverEntry.ts': {
		isWebUrl: text => serverEntry.isWebUrl(text),
		looksLikeSse: text => serverEntry.looksLikeSse(text),
		readEntry: text =>
			[
				{ command: text },
				{ command: 'a', args: words(text), env: { [text]: text } },
				{ url: text, type: text, headers: { A: text } },
			].map(serverEntry.toServerEntry),
		describeEntry: text => serverEntry.describeEntry({ type: 'stdio', command: text, args: words(text) }),
	},
	'core/text/secretNames.ts': {
		findSecret: text => secretNames.findSecret(text, text.slice(0, 20)),
		isArgumentSecret: text => secretNames.isArgumentSecret(text),
		isSecretName: text => secretNames.isSecretName(text),
		looksLikeSecret: text => [text, `sk-${text}`, `eyJ${text}`].map(secretNames.looksLikeSecret),
		mentionsSecret: text => secretNames.mentionsSecret(text),
	},
	'core/config/serverInputs.ts': {
		describeInput: text => serverInputs.describeInput(text),
		suggestInputs: text => entries(text).map(serverInputs.suggestInputs),
		withoutSecrets: text => few(text).map(serverInputs.withoutSecrets),
		replaceWithInputs: text =>
			few(text).map(it => serverInputs.replaceWithInputs(it, text, serverInputs.suggestInputs(it), new Set([text]))),
		usedInputs: text => few(text).map(serverInputs.usedInputs),
		renameInputs: text => few(text).map(it => serverInputs.renameInputs(it, new Map([['a', 'b']]))),
	},
	'core/addServer/serverName.ts': {
		checkServerName: text => serverName.checkServerName(text, new Set()),
		uniqueName: text => serverName.uniqueName(text, new Set(['a'])),
		nameOf: text => entries(text).map(serverName.nameOf),
	},
	'core/config/serverOptions.ts': {
		readServerOptions: text =>
			serverOptions.readServerOptions(
				{ generalTimeout: 60, isTrusted: true, user: { [text]: { era: text, roots: words(text) } } },
				text,
			),
		valueOfOption: text => serverOptions.valueOfOption({ [text]: { era: text } }, text, 'era'),
		withMember: text => serverOptions.withMember({ [text]: text }, text, 'a'),
		withOption: text => serverOptions.withOption({ [text]: { era: text } }, text, 'era', text),
	},
	'core/addServer/shellWords.ts': {
		parseCommandLine: text =>
			[text, `a "${text}`, `a '${text}`, `A=${text}`, `cd ${text}\n${text}`].map(shellWords.parseCommandLine),
		splitAssignment: text => [text, `A=${text}`].map(shellWords.splitAssignment),
		quoteWord: text => [true, false].map(it => shellWords.quoteWord(text, it)),
	},
	'core/search/slash.ts': {
		parseSlash: text => [text, `/a "${text}`, `/a b='${text}`].map(slash.parseSlash),
		slashText: text => slash.slashText(text, { [text]: text }),
		findCommands: text => [
			slash.findCommands([text], slash.parseSlash('one two'), it => ({ name: it, title: it, description: it })),
			slash.findCommands(['one two'], slash.parseSlash(text), it => ({ name: it })),
		],
		typedArguments: text => slash.typedArguments(slash.parseSlash(text), 'a', words(text)),
	},
	'core/resources/textNames.ts': {
		openedName: text => openedName(text),
		textLanguage: text => [text, `text/x-${text}`].map(it => textLanguage(it, text, 'json', new Set(['json']))),
		textName: text => textName(text),
	},
	'core/approvals/toolNames.ts': {
		ToolNames: text => new ToolNames([{ name: text }, { name: `${text}!` }]).toModel(text),
	},
	'core/approvals/toolWarnings.ts': {
		warningsOf: text =>
			warningsOf({
				tool: toolOf(text),
				instructions: text,
				arguments: { [text]: text },
				others: [{ server: 'a', tools: [{ name: `${text}a` }] }],
				hasSecret: () => false,
			}),
	},
	'core/requests/urlWarnings.ts': { warningsOfUrl: text => asUrl(text, it => warningsOfUrl(it, 2)) },
	'core/config/variables.ts': {
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
