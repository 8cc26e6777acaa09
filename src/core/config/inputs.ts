/**
 * Parses `inputs` of a configuration file (VS Code's format), for which the person is asked when a server starts; and lists
 * the variables of a definition with the places where they are used.
 */
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import { isObject } from '../../mcp/index.js';
import { rangeOf } from '../text/jsonNodes.js';
import type { ConfigProblem, ConfigType } from './configProblem.js';
import type { InputDefinition, InputOption, LaunchDefinition } from './serverDefinition.js';
import { variablesIn } from './variables.js';

/** The inputs of a file. */
export interface ConfiguredInputs {
	readonly all: readonly InputDefinition[];
	/** All ids, including those of invalid inputs; `undefined` if the list can't be read. */
	readonly ids: ReadonlySet<unknown> | undefined;
}

/** Reads the value of `inputs`. An invalid input is left out, and its mistakes are added to `problems`. */
export function parseInputs(list: Node | undefined, problems: ConfigProblem[]): ConfiguredInputs {
	if (list && list.type !== 'array') {
		problems.push({ code: 'wrongType', key: 'inputs', expected: 'array', ...rangeOf(list) });
		return { all: [], ids: undefined };
	}
	const nodes = list?.children ?? [];
	const inputs = new Map<string, InputDefinition>();
	for (const node of nodes) {
		const input = new InputReader(node, problems).read();
		if (input && inputs.has(input.id)) {
			problems.push({ code: 'duplicateInput', input: input.id, ...rangeOf(findNodeAtLocation(node, ['id']) ?? node) });
		} else if (input) {
			inputs.set(input.id, input);
		}
	}
	const ids = nodes.map((it): unknown => findNodeAtLocation(it, ['id'])?.value);
	return { all: [...inputs.values()], ids: new Set(ids) };
}

class InputReader {
	private isBroken = false;

	constructor(
		private readonly node: Node,
		private readonly problems: ConfigProblem[],
	) {}

	read(): InputDefinition | undefined {
		if (this.node.type !== 'object') {
			this.wrong(this.node, 'inputs', 'object');
			return undefined;
		}
		const id = this.required(undefined, 'id');
		const kind = this.required(id, 'type');
		const description = this.string('description');
		if (id === undefined || kind === undefined) {
			return undefined;
		}
		const input = this.readKind(id, kind, description);
		return this.isBroken ? undefined : input;
	}

	private readKind(id: string, kind: string, description: string | undefined): InputDefinition | undefined {
		switch (kind) {
			case 'promptString':
				return { kind, id, description, default: this.string('default'), password: this.boolean('password') };
			case 'pickString':
				return { kind, id, description, options: this.options(id), default: this.string('default') };
			case 'command': {
				const command = this.required(id, 'command');
				const args = this.value('args');
				return command === undefined ? undefined : { kind, id, description, command, args: args && plainValue(args) };
			}
			default: {
				const at = rangeOf(this.value('type') ?? this.node);
				this.problems.push({ code: 'unknownInputType', input: id, value: kind, ...at });
				return undefined;
			}
		}
	}

	/** A text that is required and must not be empty. */
	private required(input: string | undefined, key: string): string | undefined {
		const value = this.string(key);
		if (!value && !this.isBroken) {
			this.missing(input, key);
		}
		return value || undefined;
	}

	private string(key: string): string | undefined {
		return this.typed(key, 'string')?.value as string | undefined;
	}

	private boolean(key: string): boolean {
		return this.typed(key, 'boolean')?.value === true;
	}

	/** The value of a key, if it has the expected type; otherwise reports it. */
	private typed(key: string, expected: 'string' | 'boolean'): Node | undefined {
		const node = this.value(key);
		if (!node || node.type === expected) {
			return node;
		}
		this.wrong(node, key, expected);
		return undefined;
	}

	/** The options: texts, or values with a label. */
	private options(id: string): InputOption[] {
		const node = this.value('options');
		if (!node) {
			this.missing(id, 'options');
			return [];
		}
		const value: unknown = getNodeValue(node);
		const given: readonly unknown[] = Array.isArray(value) ? value : [];
		const options = given.map(toOption).filter(it => it !== undefined);
		if (options.length === 0 || options.length < given.length) {
			this.wrong(node, 'options', 'options');
		}
		return options;
	}

	private value(key: string): Node | undefined {
		return findNodeAtLocation(this.node, [key]);
	}

	private missing(input: string | undefined, key: string): void {
		this.isBroken = true;
		this.problems.push({ code: 'missingInInput', input, key, ...rangeOf(this.node) });
	}

	private wrong(node: Node, key: string, expected: ConfigType): void {
		this.isBroken = true;
		this.problems.push({ code: 'wrongType', key, expected, ...rangeOf(node) });
	}
}

/** The value of a node. The parser's objects have no prototype, which commands may not expect of their arguments. */
function plainValue(node: Node): unknown {
	return JSON.parse(JSON.stringify(getNodeValue(node))) as unknown;
}

function toOption(option: unknown): InputOption | undefined {
	if (typeof option === 'string') {
		return { label: option, value: option };
	}
	if (!isObject(option) || typeof option['value'] !== 'string') {
		return undefined;
	}
	const { value, label = value } = option;
	return typeof label === 'string' ? { label, value } : undefined;
}

/** A place of a definition where a variable is used. */
export type ValuePlace =
	| { readonly kind: 'command' | 'folder' | 'envFile' | 'url' }
	/** Counted from 1. */
	| { readonly kind: 'argument'; readonly number: number }
	| { readonly kind: 'environment' | 'header'; readonly name: string };

type PlacedText = [place: ValuePlace, text: string];

/** The ids of the inputs that a server uses, in the order of its values, and the places where they are used. */
export function inputsOf(launch: LaunchDefinition): ReadonlyMap<string, readonly ValuePlace[]> {
	const inputs = Array.from(variablesOf(launch)).filter(([variable]) => variable.startsWith('input:'));
	return new Map(inputs.map(([variable, places]) => [variable.slice('input:'.length), places]));
}

/** The variables of a definition, as the text between the braces, in the order of its values, with their places. */
export function variablesOf(launch: LaunchDefinition): ReadonlyMap<string, readonly ValuePlace[]> {
	const uses = new Map<string, ValuePlace[]>();
	for (const [place, text] of valuesOf(launch)) {
		for (const variable of new Set(variablesIn(text))) {
			uses.set(variable, [...(uses.get(variable) ?? []), place]);
		}
	}
	return uses;
}

/** All texts of a definition that may have variables, in their order, with their places. */
export function valuesOf(launch: LaunchDefinition): PlacedText[] {
	if (launch.kind !== 'stdio') {
		const headers = Object.entries(launch.headers).map(([name, text]): PlacedText => [{ kind: 'header', name }, text]);
		return [[{ kind: 'url' }, launch.url], ...headers];
	}
	const { command, args, cwd, envFile, env } = launch;
	const texts: [ValuePlace, string | null | undefined][] = [
		[{ kind: 'command' }, command],
		...args.map((text, index): PlacedText => [{ kind: 'argument', number: index + 1 }, text]),
		[{ kind: 'folder' }, cwd],
		[{ kind: 'envFile' }, envFile],
		...Object.entries(env).map(([name, text]): PlacedText => [{ kind: 'environment', name }, text ?? '']),
	];
	return texts.filter((it): it is PlacedText => typeof it[1] === 'string');
}
