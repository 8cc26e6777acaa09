/**
 * Mutants that no unit test kills, and why none should. Found by `npm run mutate`, which tells all others.
 * Over 600 lines: one table.
 */

export interface Survivor {
	readonly file: string;
	/** The line that the mutant begins in, without blanks around it. */
	readonly line: string;
	readonly code: string;
	readonly replacement: string;
	readonly why: string;
}

type Row = readonly [line: string, code: string, replacement: string];

/** By file and reason. */
const rows: Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>> = {
	'src/mcp/auth/addresses.ts': {
		'An empty text is read as zero, too.': [
			["['0.0.0.0', 8, Nearness.machine],", "'0.0.0.0'", '""'],
			["{ first: '::', bits: 127, nearness: Nearness.machine },", "'::'", '""'],
			["{ first: '::', bits: 96, v4: [96] },", "'::'", '""'],
		],
		'The URL parser refuses a host that ends in a number and is no IPv4 address.': [
			[
				'if (/^\\d+\\.\\d+\\.\\d+\\.\\d+$/.test(hostname)) {',
				'/^\\d+\\.\\d+\\.\\d+\\.\\d+$/',
				'/\\d+\\.\\d+\\.\\d+\\.\\d+$/',
			],
			[
				"return machineName.test(hostname) || /^127\\.\\d+\\.\\d+\\.\\d+$/.test(hostname) || hostname === '[::1]';",
				'/^127\\.\\d+\\.\\d+\\.\\d+$/',
				'/127\\.\\d+\\.\\d+\\.\\d+$/',
			],
		],
		'A host without labels is of the network, whatever its last label is called.': [
			["const last = labels.at(-1) ?? '';", "''", '"Stryker was here!"'],
		],
		'Equal numbers are the same answer.': [
			['return all.reduce((nearest, it) => (it > nearest ? it : nearest));', 'it > nearest', 'it >= nearest'],
		],
		'What is split has a first part.': [
			[
				"const [head = [], tail = []] = text.split('::').map(it => (it === '' ? [] : it.split(':')));",
				'[]',
				'["Stryker was here"]',
			],
		],
	},
	'src/mcp/auth/authEngine.ts': {
		'Nothing is returned either way.': [['} catch {', '{\n\t\t\treturn undefined;\n\t\t}', '{}']],
		'For a revocation nobody is signed in, and nothing is renewed.': [
			["{ grant, wasSignedIn: true, demand: undefined, person: 'absent', mayRefresh: false },", 'true', 'false'],
			["{ grant, wasSignedIn: true, demand: undefined, person: 'absent', mayRefresh: false },", 'false', 'true'],
		],
	},
	'src/mcp/auth/authHttp.ts': {
		'A URL without an origin leads nowhere either way.': [
			['return next?.origin === new URL(base).origin ? next.href : undefined;', 'next?.origin', 'next.origin'],
		],
	},
	'src/mcp/auth/authorizer.ts': {
		'No time is before what is not known: the type does not know.': [
			[
				'const isValid = grant.expiresAt !== undefined && this.now() < grant.expiresAt;',
				'grant.expiresAt !== undefined',
				'true',
			],
		],
		'Where there was none, nothing has changed: the type does not know.': [['} else if (grant) {', 'grant', 'true']],
	},
	'src/mcp/auth/challenges.ts': {
		'Nothing is left to read either way.': [["while (rest !== '') {", "''", '"Stryker was here!"']],
		'The group takes part in every match: the type does not know.': [
			["const [all, name = '', quoted, plain] = pair;", "''", '"Stryker was here!"'],
			[
				'const { parameters } = challenges.at(-1) ?? { parameters: new Map<string, string>() };',
				'{ parameters: new Map<string, string>() }',
				'{}',
			],
			[
				"parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\\\(.)/gs, '$1') ?? plain ?? '');",
				"''",
				'"Stryker was here!"',
			],
			[
				"challenges.push({ scheme: (next[1] ?? '').toLowerCase(), parameters: new Map() });",
				"''",
				'"Stryker was here!"',
			],
		],
		'Neither text is a challenge of ours.': [
			[
				"const ours = parseChallenges(header ?? '').filter(it => it.scheme === 'bearer' || it.scheme === 'dpop');",
				"''",
				'"Stryker was here!"',
			],
		],
		'No scope has blanks in it.': [
			['function demandKey({ error, scopes = [] }: Demand): string {', '[]', '["Stryker was here"]'],
		],
		'Neither text begins as those with scopes do.': [
			["return error === 'insufficient_scope' ? `more ${scopes.toSorted().join(' ')}` : 'who';", "'who'", '""'],
		],
	},
	'src/mcp/auth/clientAuth.ts': {
		'Where nothing is said, every method is accepted: the type does not know.': [
			[
				"throw new AuthError({ code: 'noClientMethod', issuer: as.issuer, offered: (offered ?? []).slice(0, 20) });",
				'[]',
				'["Stryker was here"]',
			],
		],
		'A client without a secret proves itself in none of these ways.': [
			["const { clientSecret = '' } = client;", "''", '"Stryker was here!"'],
		],
		'Neither text is a key.': [
			["const { privateKey = '', algorithm = 'ES256', keyId } = known ?? {};", "''", '"Stryker was here!"'],
		],
		'The library names no key either way.': [
			['return PrivateKeyJwt(keyId === undefined ? key : { key, kid: keyId });', 'keyId === undefined', 'false'],
		],
	},
	'src/mcp/auth/grant.ts': {
		'No time is after what is not known: the type does not know.': [
			['return renewAt !== undefined && now >= renewAt;', 'renewAt !== undefined', 'true'],
		],
		'Neither text is JSON.': [["const value = parseJson(text ?? '');", "''", '"Stryker was here!"']],
		'A time this far away is not safe in either direction.': [
			['if (!Number.isSafeInteger(Math.round(now + ms))) {', 'now + ms', 'now - ms'],
		],
	},
	'src/mcp/auth/failure.ts': {
		'A failure without a request has none that is a registration: the type does not know.': [
			[
				"const isUnregistered = failure && 'request' in failure && failure.request === 'registration';",
				"failure && 'request' in failure",
				'true',
			],
		],
	},
	'src/mcp/auth/registration.ts': {
		'No time is after what is not known: the type does not know.': [
			[
				'const isExpired = kept.secretExpiresAt !== undefined && options.now() >= kept.secretExpiresAt;',
				'kept.secretExpiresAt !== undefined',
				'true',
			],
		],
		'Zero is given either way.': [
			[
				"const isLimited = typeof expires === 'number' && expires > 0 && Number.isSafeInteger(Math.round(expires * 1000));",
				'expires > 0',
				'expires >= 0',
			],
		],
	},
	'src/mcp/auth/secrets.ts': {
		'Nothing is returned either way.': [['} catch {', '{\n\t\t\treturn undefined;\n\t\t}', '{}']],
	},
	'src/mcp/transport/httpUrl.ts': {
		'The parser adds the slash.': [
			["const inner = tryParseUrl(reference, `http://socket${base.hash.slice(1) || '/'}`);", "'/'", '""'],
		],
		'Two origins with one host and without ports differ in their schemes.': [
			[
				"from.protocol === 'http:' &&",
				"from.protocol === 'http:' &&\n\t\tother.protocol === 'https:'",
				"from.protocol === 'http:' || other.protocol === 'https:'",
			],
			["from.protocol === 'http:' &&", "from.protocol === 'http:'", 'true'],
			["other.protocol === 'https:' &&", "other.protocol === 'https:'", 'true'],
		],
	},
	'src/mcp/uri/parseUrl.ts': {
		'Both texts are shorter than the limit.': [
			[
				"return /^(?:(?:https?|wss?|ftp|file):[/\\\\]*|[/\\\\]{2,})([^/\\\\?#]*)/i.exec(plain)?.[1] ?? '';",
				"''",
				'"Stryker was here!"',
			],
		],
	},
	'src/core/addServer/addOptions.ts': {
		'The index is inside: the type does not know.': [
			["const word = before[index] ?? '';", "''", '"Stryker was here!"'],
		],
		'There are two words: the type does not know.': [
			[
				"const isOption = word.startsWith('-') && (end >= 0 || words.length < 2 || isWebUrl(words[1] ?? ''));",
				"''",
				'"Stryker was here!"',
			],
		],
		'Neither text sets a variable.': [
			[
				"for (let next = splitAssignment(before[index + 1] ?? ''); next; next = splitAssignment(before[index + 1] ?? '')) {",
				"''",
				'"Stryker was here!"',
			],
		],
		'The groups take part in every match: the type does not know.': [
			["define(headers, header[1] ?? '', header[2] ?? '');", "''", '"Stryker was here!"'],
		],
		'The first element is not used.': [
			['const [, option = word, inline] = /^(--[\\w-]+)=(.*)/s.exec(word) ?? [];', '[]', '["Stryker was here"]'],
		],
		'Nothing stands before the first of all.': [
			[
				"const isOption = word.startsWith('-') && (end >= 0 || words.length < 2 || isWebUrl(words[1] ?? ''));",
				'end >= 0',
				'end > 0',
			],
		],
	},
	'src/core/approvals/approval.ts': {
		'A denial that covers the call has decided before.': [
			[
				"const grant = input.grants.find(it => it.decision === 'allow' && covers(it, input));",
				"it.decision === 'allow'",
				'true',
			],
		],
		'Without trust the policy beside the definition allows nothing, and then asking is the strictest.': [
			[
				"const isVoid = decision === 'allow' && source === 'definition' && !isTrusted;",
				"source === 'definition'",
				'true',
			],
		],
	},
	'src/core/approvals/approver.ts': {
		'Where it is asked, there is an answer: the type does not know.': [
			[
				"const isAllowed = decision.kind === 'allow' || (decision.kind === 'ask' && answer?.kind === 'allow');",
				'answer?.kind',
				'answer.kind',
			],
		],
		'A denial is about the tool either way.': [
			["const about = answer.kind === 'allow' ? answer.about : 'tool';", "'tool'", '""'],
			["const about = answer.kind === 'allow' ? answer.about : 'tool';", "answer.kind === 'allow'", 'true'],
		],
	},
	'src/core/text/boundedJson.ts': {
		'Blanks and comments begin with no bracket.': [['const scanner = createScanner(text, true);', 'true', 'false']],
		'At the end of the text nothing is left to close.': [
			['} else if (first !== undefined && first === closing.at(-1)) {', 'first !== undefined', 'true'],
		],
	},
	'src/core/calls/calls.ts': {
		'The other tools are not looked at where all are denied.': [
			[
				'return { caller, definition: server.definition, tool, tools: [tool], instructions: undefined, arguments: args };',
				'[tool]',
				'[]',
			],
		],
		'A server that is used has a list of tools: the type does not know.': [
			[
				'const list = await server.catalog?.currentTools();',
				'server.catalog?.currentTools',
				'server.catalog.currentTools',
			],
			["if (list?.kind === 'failed') {", 'list?.kind', 'list.kind'],
		],
	},
	'src/core/launch/consentFacts.ts': {
		'A version that differs makes the facts older, and older facts are compared in known kinds alone.': [
			["keys.delete('format');", "'format'", '""'],
		],
		'No key begins with a colon.': [
			['return [{ part, name: colon < 0 ? undefined : key.slice(colon + 1), how }];', 'colon < 0', 'colon <= 0'],
		],
	},
	'src/core/config/envFile.ts': {
		'What is repeated as a whole need not be repeated within.': [
			['const blank = /(?:\\s+|#[^\\n]*)*/y;', '/(?:\\s+|#[^\\n]*)*/y', '/(?:\\s|#[^\\n]*)*/y'],
		],
		'Where no value can be read, the rest of the line cannot either.': [
			['if (name === undefined || value === undefined || !read(rest)) {', 'value === undefined', 'false'],
		],
	},
	'src/core/launch/executionVariables.ts': {
		'The group takes part in every match: the type does not know.': [
			[
				"const isSecret = Array.from(place.matchAll(/([\\w.-]{1,100})\\s?[=:]\\s?[^\\s/\\\\]/g)).some(([, key = '']) =>",
				"''",
				'"Stryker was here!"',
			],
		],
	},
	'src/core/config/inputs.ts': {
		'A list that was parsed has children: the type does not know.': [
			['const nodes = list?.children ?? [];', '[]', '["Stryker was here"]'],
			['const nodes = list?.children ?? [];', 'list?.children', 'list.children'],
		],
		'An input with a mistake is dropped.': [
			['if (id === undefined || kind === undefined) {', 'id === undefined', 'false'],
			[
				'return command === undefined ? undefined : { kind, id, description, command, args: args && plainValue(args) };',
				'command === undefined',
				'false',
			],
			['return [];', '[]', '["Stryker was here"]'],
		],
		'Members that are undefined are passed over before: the type does not know.': [
			["cwd: text => [[{ kind: 'folder' }, text ?? '']],", "''", '"Stryker was here!"'],
			["envFile: text => [[{ kind: 'envFile' }, text ?? '']],", "''", '"Stryker was here!"'],
		],
	},
	'src/core/text/jsonNodes.ts': {
		'A node that was parsed has its parts: the type does not know.': [
			['const [key, value] = property.children ?? [];', '[]', '["Stryker was here"]'],
			['for (const property of node.children ?? []) {', '[]', '["Stryker was here"]'],
		],
	},
	'src/core/config/knownVariables.ts': {
		'Greedy: the rest of the text either way.': [
			[
				'const [, kind = variable, name] = /^(\\w+)[:.](.+)$/s.exec(variable) ?? [];',
				'/^(\\w+)[:.](.+)$/s',
				'/^(\\w+)[:.](.+)/s',
			],
		],
		'The first element is not used.': [
			['const [, kind = variable, name] = /^(\\w+)[:.](.+)$/s.exec(variable) ?? [];', '[]', '["Stryker was here"]'],
		],
		'No candidate is undefined.': [
			['if (other !== undefined && candidates.includes(other)) {', 'other !== undefined', 'true'],
		],
		'No text comes that near to two of them.': [
			[
				'.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;',
				'a.distance - b.distance',
				'a.distance + b.distance',
			],
			[
				'.toSorted((a, b) => a.distance - b.distance)[0]?.candidate;',
				'(a, b) => a.distance - b.distance',
				'() => undefined',
			],
		],
	},
	'src/core/launch/launchParts.ts': {
		'The whole match is not used.': [
			[
				'const [, kind, name] = /^(config|workspaceFolder|workspaceFolderBasename)(?::(.*))?$/s.exec(variable) ?? [];',
				'[]',
				'["Stryker was here"]',
			],
		],
		'No value is no path, and so is not shown: the type does not know.': [
			[
				'? changesExecution(place.name) || (text !== null && shownValue(place.name, text) === text)',
				'text !== null',
				'true',
			],
		],
	},
	'src/core/config/optionChoice.ts': {
		'Only that choice has a tool: the type does not know.': [
			["const tool = key === 'toolTimeouts' ? choice.tool : undefined;", "key === 'toolTimeouts'", 'true'],
		],
		'No time-out is longer than none: the rest writes the same.': [
			['if (seconds === undefined) {', 'seconds === undefined', 'false'],
			['if (seconds === undefined) {', '{\n\t\treturn new Map([[target, valueIn(target, undefined)]]);\n\t}', '{}'],
		],
	},
	'src/core/addServer/pastedServer.ts': {
		'What is split has a first part.': [["const [key = '', ...value] = it.split('=');", "''", '"Stryker was here!"']],
		'Where there is no root, there is a mistake: the type does not know.': [
			[": { ok: false, problem: { code: 'json', offset: error?.offset ?? 0 } };", 'error?.offset', 'error.offset'],
		],
		'Neither text has an input in it.': [["const inputs = tryJson(query.get('inputs') ?? '[]');", "'[]'", '""']],
		'Neither text has a name that is asked for.': [
			["const query = /\\?([^#]*)/.exec(url)?.[1] ?? '';", "''", '"Stryker was here!"'],
		],
		'Neither text is a verb.': [["const [verb = ''] = args;", "''", '"Stryker was here!"']],
	},
	'src/core/approvals/policy.ts': {
		'An unclear text counts as outside, and what is outside is refused below as well.': [
			[
				'if (isAllow && unclear.length > 0 && (rule.roots !== undefined || rule.outsideRoots !== undefined)) {',
				'rule.roots !== undefined',
				'false',
			],
		],
	},
	'src/core/approvals/policyFile.ts': {
		'A policy with a mistake is no policy: what the rest reads is dropped.': [
			["const decision: PolicyDecision = this.oneOf(at('decision'), 'decision', decisions) ?? 'deny';", "'deny'", '""'],
			['if (known && hint !== undefined) {', 'known && hint !== undefined', 'true'],
			['if (known && hint !== undefined) {', 'known && hint !== undefined', 'known || hint !== undefined'],
			['if (known && hint !== undefined) {', 'hint !== undefined', 'true'],
			['return [];', '[]', '["Stryker was here"]'],
		],
		'Without a node nothing is made of the entries.': [
			["const entries = node ? [...this.parts(node, 'arguments')] : [];", '[]', '["Stryker was here"]'],
		],
		'An array that was parsed has children: the type does not know.': [
			["const nodes = node.type === 'array' ? (node.children ?? []) : [node];", '[]', '["Stryker was here"]'],
		],
	},
	'src/core/config/precedence.ts': {
		'Every name was put in before: the type does not know.': [
			['const others = byName.get(definition.name) ?? [];', '[]', '["Stryker was here"]'],
		],
	},
	'src/core/approvals/pathScope.ts': {
		'A root without a path holds nothing either way.': [
			[
				'return path === undefined ? [] : [{ name: name ?? uri, path: comparable(path, ignoresCase) }];',
				'[]',
				'["Stryker was here"]',
			],
		],
		'Every absolute path begins with both.': [
			[
				"const holders = folders.filter(it => path === it.path || path.startsWith(it.path === '/' ? '/' : `${it.path}/`));",
				"'/'",
				'""',
			],
		],
		'Numbers and booleans have no members.': [
			["} else if (typeof value === 'object' && value !== null) {", "typeof value === 'object'", 'true'],
		],
		'The number of an element is no path.': [['if (!Array.isArray(value)) {', '!Array.isArray(value)', 'true']],
		'The first element is not used.': [
			['const [, path] = /^file:\\/\\/(?:localhost)?(\\/[^?#]*)/i.exec(uri) ?? [];', '[]', '["Stryker was here"]'],
		],
		'Both paths are compared in the same case, and only a drive is followed by a colon.': [
			[
				'return ignoresCase ? path.toLowerCase() : path.replace(/^\\/[a-z]:/i, it => it.toLowerCase());',
				'/^\\/[a-z]:/i',
				'/\\/[a-z]:/i',
			],
			[
				'return ignoresCase ? path.toLowerCase() : path.replace(/^\\/[a-z]:/i, it => it.toLowerCase());',
				'it.toLowerCase()',
				'it.toUpperCase()',
			],
		],
	},
	'src/core/servers/roots.ts': {
		'Both lists have the same length: the type does not know.': [
			[
				'return a.length === b.length && a.every((it, index) => it.uri === b[index]?.uri && it.name === b[index].name);',
				'b[index]?.uri',
				'b[index].uri',
			],
		],
	},
	'src/features/elicitation/secretFields.ts': {
		'Neither text asks for a secret.': [
			[
				"return isSecret || [name, spaced, title ?? ''].some(it => inName.test(it)) || inDescription.test(description ?? '');",
				"''",
				'"Stryker was here!"',
			],
		],
	},
	'src/core/config/serverConfig.ts': {
		'The first element is not used.': [
			['const [, input] = /^input:(.+)/s.exec(variable) ?? [];', '[]', '["Stryker was here"]'],
		],
		'A server at a URL has no debugger: the type does not know.': [
			["launch: launch.kind === 'stdio' && debug ? { ...launch, debug } : launch,", "launch.kind === 'stdio'", 'true'],
		],
		'Replaced before it is read.': [
			['private inputs: ConfiguredInputs = { all: [], ids: undefined };', '{ all: [], ids: undefined }', '{}'],
			['private inputs: ConfiguredInputs = { all: [], ids: undefined };', '[]', '["Stryker was here"]'],
		],
		'A type that is not understood is a text: the type of the variable does not know.': [
			[
				"this.problems.push({ code: 'unknownTransport', server, value: type ?? '', ...place });",
				"''",
				'"Stryker was here!"',
			],
		],
		'A property that was parsed has children: the type does not know.': [
			[
				"const children = node.type === 'property' ? node.children?.slice(1) : node.children;",
				'node.children?.slice',
				'node.children.slice',
			],
		],
		'The group takes part in every match: the type does not know.': [
			["const [whole, variable = ''] = match;", "''", '"Stryker was here!"'],
		],
	},
	'src/core/config/serverEntry.ts': {
		'What is split has a first part.': [
			[
				"args.length === 0 && more.length === 0 && !/[\\\\/]/.test(first.split(/\\s/)[0] ?? '') ? first.split(/\\s+/) : [first];",
				"''",
				'"Stryker was here!"',
			],
		],
		'Where there are no parts, the whole is taken.': [
			[
				"args.length === 0 && more.length === 0 && !/[\\\\/]/.test(first.split(/\\s/)[0] ?? '') ? first.split(/\\s+/) : [first];",
				'[first]',
				'[]',
			],
		],
	},
	'src/core/config/serverOptions.ts': {
		'No tool has a time-out under no name: the type does not know.': [
			[
				'return (tool === undefined ? undefined : entry.toolTimeouts.get(tool)) ?? entry.requestTimeout;',
				'tool === undefined',
				'false',
			],
		],
		'There is always a place of the person: the type does not know.': [
			[
				"return (isTrusted ? others.findLast(it => it.era)?.era : undefined) ?? own?.era ?? 'auto';",
				'own?.era',
				'own.era',
			],
		],
	},
	'src/core/config/settings.ts': {
		'What is no number is not finite: the type does not know.': [
			["return typeof value === 'number' && Number.isFinite(value) && value >= 0", "typeof value === 'number'", 'true'],
		],
	},
	'src/core/config/variables.ts': {
		'The group takes part in every match: the type does not know.': [
			["return Array.from(text.matchAll(variables), it => it[1] ?? '');", "''", '"Stryker was here!"'],
		],
	},
};

export const survivors: readonly Survivor[] = Object.entries(rows).flatMap(([file, reasons]) =>
	Object.entries(reasons).flatMap(([why, ofReason]) =>
		ofReason.map(([line, code, replacement]) => ({ file, line, code, replacement, why })),
	),
);
