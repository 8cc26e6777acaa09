/**
 * PURE: `inputs` of a configuration file (VS Code's format): what a person is asked for when a server starts, and
 * where `${input:…}` puts it.
 */
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import { isObject } from '../../mcp/index.js';
import type { HttpDefinition, LaunchDefinition, StdioDefinition } from './serverDefinition.js';
import { variablesIn } from './variables.js';

export interface InputOption {
	readonly label: string;
	readonly value: string;
}

/** One input that servers of the same file may use. */
export type InputDefinition = {
	/** Unique in its file. */
	readonly id: string;
	readonly description: string | undefined;
} & (
	| { readonly kind: 'promptString'; readonly default: string | undefined; readonly password: boolean }
	| {
			readonly kind: 'pickString';
			readonly options: readonly InputOption[];
			readonly default: string | undefined;
	  }
	/** Whatever a command of the editor gives. */
	| { readonly kind: 'command'; readonly command: string; readonly args: unknown }
);

/** A mistake in `inputs`; worded by the editor's rooms. */
export type InputProblem =
	| { readonly code: 'wrongInput'; readonly key: string; readonly expected: InputValueType }
	| { readonly code: 'missingInInput'; readonly input: string | undefined; readonly key: string }
	| { readonly code: 'unknownInputType'; readonly input: string; readonly value: string }
	| { readonly code: 'duplicateInput'; readonly input: string }
	/** A value names it, and the file defines none of that id. */
	| { readonly code: 'undefinedInput'; readonly input: string };

/** Offset and length in UTF-16 units. */
interface Place {
	readonly offset: number;
	readonly length: number;
}

/** Where problems are collected. */
interface Problems {
	push(problem: InputProblem & Place): unknown;
}

export type InputValueType = 'object' | 'array' | 'string' | 'boolean' | 'options';

/** The inputs of a file. */
export interface Inputs {
	readonly all: readonly InputDefinition[];
	/** Those of wrong ones as well; `undefined` if nobody can say. */
	readonly ids: ReadonlySet<unknown> | undefined;
}

/** Reads the value of `inputs`. What is wrong becomes a problem at its place and costs only that input. */
export function readInputs(list: Node | undefined, problems: Problems): Inputs {
	if (list && list.type !== 'array') {
		problems.push({ code: 'wrongInput', key: 'inputs', expected: 'array', ...placeOf(list) });
		return { all: [], ids: undefined };
	}
	const nodes = list?.children ?? [];
	const inputs = new Map<string, InputDefinition>();
	for (const node of nodes) {
		const input = new InputReader(node, problems).read();
		if (input && inputs.has(input.id)) {
			problems.push({ code: 'duplicateInput', input: input.id, ...placeOf(findNodeAtLocation(node, ['id']) ?? node) });
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
		private readonly problems: Problems,
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
				const at = placeOf(this.value('type') ?? this.node);
				this.problems.push({ code: 'unknownInputType', input: id, value: kind, ...at });
				return undefined;
			}
		}
	}

	/** A text that must be there, and say something. */
	private required(input: string | undefined, key: string): string | undefined {
		const value = this.string(key);
		if (value) {
			return value;
		}
		if (!this.isBroken) {
			this.missing(input, key);
		}
		return undefined;
	}

	private string(key: string): string | undefined {
		const node = this.value(key);
		if (!node || node.type === 'string') {
			return node?.value as string | undefined;
		}
		this.wrong(node, key, 'string');
		return undefined;
	}

	private boolean(key: string): boolean {
		const node = this.value(key);
		if (node && node.type !== 'boolean') {
			this.wrong(node, key, 'boolean');
		}
		return node?.value === true;
	}

	/** Texts, or texts with a label. */
	private options(id: string): InputOption[] {
		const node = this.value('options');
		if (!node) {
			this.missing(id, 'options');
			return [];
		}
		const value: unknown = getNodeValue(node);
		const options = Array.isArray(value) ? value.map(toOption) : [];
		if (options.length > 0 && options.every(it => it !== undefined)) {
			return options;
		}
		this.wrong(node, 'options', 'options');
		return [];
	}

	private value(key: string): Node | undefined {
		return findNodeAtLocation(this.node, [key]);
	}

	private missing(input: string | undefined, key: string): void {
		this.isBroken = true;
		this.problems.push({ code: 'missingInInput', input, key, ...placeOf(this.node) });
	}

	private wrong(node: Node, key: string, expected: InputValueType): void {
		this.isBroken = true;
		this.problems.push({ code: 'wrongInput', key, expected, ...placeOf(node) });
	}
}

/** The parser's objects have no prototype, which commands do not expect of an argument. */
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

function placeOf({ offset, length }: Node): Place {
	return { offset, length };
}

/** A place of a definition that a value goes to. */
export type ValuePlace =
	| { readonly kind: 'command' | 'folder' | 'envFile' | 'debugger' | 'url' }
	/** Counted from 1. */
	| { readonly kind: 'argument'; readonly number: number }
	| { readonly kind: 'environment' | 'header'; readonly name: string };

type PlacedText = [place: ValuePlace, text: string];

/** For each key of a definition, its texts: a new key does not compile before somebody has said what it holds. */
type TextsOf<T> = { readonly [K in keyof Required<T>]: (value: Required<T>[K]) => PlacedText[] };

const stdioTexts: TextsOf<StdioDefinition> = {
	kind: () => [],
	command: text => [[{ kind: 'command' }, text]],
	args: list => list.map((text, index) => [{ kind: 'argument', number: index + 1 }, text]),
	cwd: text => [[{ kind: 'folder' }, text ?? '']],
	envFile: text => [[{ kind: 'envFile' }, text ?? '']],
	env: values => Object.entries(values).map(([name, text]) => [{ kind: 'environment', name }, text ?? '']),
	debug: it => (it.type === 'debugpy' ? [[{ kind: 'debugger' }, it.debugpyPath ?? '']] : []),
};

const httpTexts: TextsOf<HttpDefinition> = {
	kind: () => [],
	url: text => [[{ kind: 'url' }, text]],
	headers: values => Object.entries(values).map(([name, text]) => [{ kind: 'header', name }, text]),
	// Taken as they are written: nothing is filled in there.
	oauth: () => [],
};

/** Which inputs a server uses, in the order of its values, and for what. */
export function inputsOf(launch: LaunchDefinition): ReadonlyMap<string, readonly ValuePlace[]> {
	return new Map(
		Array.from(variablesOf(launch)).flatMap(([variable, places]) =>
			variable.startsWith('input:') ? [[variable.slice('input:'.length), places] as const] : [],
		),
	);
}

/** Every variable of a definition by the text between its braces, in the order of the values, and what it is used for. */
export function variablesOf(launch: LaunchDefinition): ReadonlyMap<string, readonly ValuePlace[]> {
	const uses = new Map<string, ValuePlace[]>();
	for (const [place, text] of valuesOf(launch)) {
		for (const variable of new Set(variablesIn(text))) {
			uses.set(variable, [...(uses.get(variable) ?? []), place]);
		}
	}
	return uses;
}

/** Every text of a definition that may hold variables, in their order, and where it goes. */
export function valuesOf(launch: LaunchDefinition): PlacedText[] {
	return launch.kind === 'stdio' ? textsIn(stdioTexts, launch) : textsIn(httpTexts, launch);
}

function textsIn<T extends object>(table: TextsOf<T>, launch: T): PlacedText[] {
	const keys = Object.keys(table) as (keyof T)[];
	return keys.flatMap(key => {
		const value = launch[key];
		return value === undefined ? [] : table[key](value);
	});
}
