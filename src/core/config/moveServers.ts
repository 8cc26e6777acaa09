/** Moves servers and their inputs from the text of `.vscode/mcp.json` to that of `.mcp.json`, which other clients read, too. */
import { findNodeAtLocation } from 'jsonc-parser';
import { offsetOfKey, textOf, valueAt } from '../text/jsonNodes.js';
import { parseBoundedTree } from '../text/boundedJson.js';
import { addServers, type ConfigEdit, removeMember } from './configEdit.js';
import { parseServerConfig } from './serverConfig.js';
import type { ConfigSource, ServerDefinition } from './serverDefinition.js';
import type { ServerEntry } from './serverEntry.js';
import { toServerInputs, usedInputs } from './serverInputs.js';
import { findPlaces } from './serverPlaces.js';
import { parseVariable, variablesIn } from './variables.js';

export interface MovableServer {
	readonly name: string;
	readonly definition: ServerDefinition;
	/** The configuration as it is in the file, unchecked. */
	readonly entry: ServerEntry;
	/** Keys and variables that other clients don't read. */
	readonly unread: readonly string[];
}

/** The valid servers in a text; none if the text isn't JSON. */
export function movableServers(text: string, source: ConfigSource): MovableServer[] {
	const { servers } = findPlaces(parseBoundedTree(text).root, source.kind);
	const parsed = parseServerConfig(text, source);
	return (parsed.hasSyntaxError ? [] : parsed.servers).map(definition => {
		const { name } = definition;
		const entry = valueAt(text, [...servers, name]).value as ServerEntry;
		const keys = ['cwd', 'envFile', 'dev', 'oauth', 'disabled'].filter(it => it in entry);
		const variables = variablesIn(JSON.stringify(entry)).filter(
			it => !/^(?:env|input)$/.test(parseVariable(it)?.kind ?? ''),
		);
		return { name, definition, entry, unread: [...keys, ...new Set(variables.map(it => `\${${it}}`))] };
	});
}

export interface ServerMove extends MovableServer {
	/** The name in `.mcp.json`. A server that has this name there is replaced. */
	readonly newName: string;
}

/**
 * @param from text of `.vscode/mcp.json`
 * @param to text of `.mcp.json`
 * @param eol line break of `to`
 * @param values kept values of the inputs of both texts, by id. Inputs with different values aren't shared.
 * @returns the change of `to`, and the new text of `from`
 */
export function moveServers(
	from: string,
	to: string,
	moves: readonly ServerMove[],
	eol: string,
	values: { readonly from: ReadonlyMap<string, string>; readonly to: ReadonlyMap<string, string> },
): { readonly edit: ConfigEdit; readonly left: string } {
	const places = findPlaces(parseBoundedTree(from).root, 'vscodeFolder');
	const target = findPlaces(parseBoundedTree(to).root, 'projectRoot').servers;
	const cleared = moves.reduce((text, { newName }) => withoutMember(text, [...target, newName]), to);
	const additions = moves.map(({ newName, entry }) => ({ name: newName, entry }));
	const inputs = toServerInputs(valueAt(from, places.inputs).value);
	const edit = addServers(cleared, additions, inputs, 'projectRoot', eol, ({ id }, other) => {
		const value = values.to.get(other);
		return value === undefined || value === values.from.get(id);
	});
	const rest = moves.reduce((text, { name }) => withoutMember(text, [...places.servers, name]), from);
	const used = new Set(usedInputs(valueAt(rest, places.servers).value as ServerEntry));
	const unused = moves.flatMap(it => usedInputs(it.entry)).filter(it => !used.has(it));
	return { edit, left: unused.reduce((text, id) => withoutInput(text, places.inputs, id), rest) };
}

function withoutMember(text: string, path: readonly string[]): string {
	return removeMember(text, offsetOfKey(text, path) ?? -1) ?? text;
}

function withoutInput(text: string, path: readonly string[], id: string): string {
	const { root } = parseBoundedTree(text);
	const list = root && findNodeAtLocation(root, [...path]);
	const input = list?.children?.find(it => textOf(it, 'id') === id);
	return (input && removeMember(text, input.offset)) ?? text;
}
