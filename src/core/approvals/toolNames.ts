/** Names of tools for people, and for models, which accept at most 64 letters, digits, `_` and `-`. Servers accept more. */
import type { Tool } from '../../mcp/index.js';

/** The name to show for a tool: the title, else `annotations.title`, else the name. Spec: schema of `Tool.annotations`. */
export function displayName({ title, annotations, name }: Pick<Tool, 'name' | 'title' | 'annotations'>): string {
	const annotated: unknown = annotations?.title;
	return title || (typeof annotated === 'string' && annotated) || name;
}

/** Maps the names of tools to names that models accept, and back. */
export class ToolNames {
	private readonly byName = new Map<string, string>();
	private readonly byModel = new Map<string, string>();

	constructor(tools: readonly { readonly name: string }[]) {
		// Names that models accept come first, so that no other tool gets one of them.
		for (const { name } of tools.toSorted((a, b) => Number(isPlain(b.name)) - Number(isPlain(a.name)))) {
			this.toModel(name);
		}
	}

	/** The name for the model. A name that isn't known yet is added. */
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

	/** The tool's own name. A name that `toModel` didn't return is returned unchanged. */
	fromModel(name: string): string {
		return this.byModel.get(name) ?? name;
	}
}

function isPlain(name: string): boolean {
	return /^[\w-]{1,64}$/.test(name);
}
