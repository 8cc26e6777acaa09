/**
 * PURE: names of tools for people, and for models, which take letters, digits, `_` and `-` only, 64 at most; servers take
 * more.
 */
import type { Tool } from '../../mcp/index.js';

/** Schema of Tool.annotations: title, then annotations.title, then name. */
export function displayName({ title, annotations, name }: Tool): string {
	const annotated: unknown = annotations?.title;
	return title || (typeof annotated === 'string' && annotated) || name;
}

export class ToolNames {
	private readonly byName = new Map<string, string>();
	private readonly byModel = new Map<string, string>();

	constructor(tools: readonly { readonly name: string }[]) {
		// Those that can keep their names come first: nobody else may have these.
		for (const { name } of tools.toSorted((a, b) => Number(isPlain(b.name)) - Number(isPlain(a.name)))) {
			this.toModel(name);
		}
	}

	toModel(name: string): string {
		const known = this.byName.get(name);
		if (known !== undefined) {
			return known;
		}
		const plain = name.replace(/[^\w-]/g, '_').slice(0, 60) || '_';
		let free = isPlain(name) ? name : plain;
		for (let number = 2; this.byModel.has(free); number++) {
			free = `${plain}_${number}`;
		}
		this.byName.set(name, free);
		this.byModel.set(free, name);
		return free;
	}

	/** A name that nobody gave is what it is. */
	fromModel(name: string): string {
		return this.byModel.get(name) ?? name;
	}
}

function isPlain(name: string): boolean {
	return /^[\w-]{1,64}$/.test(name);
}
