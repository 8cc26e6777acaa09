/** PURE: orders of resources, and what servers say of them that orders can go by. */
import type { Annotations, Resource } from '../../mcp/index.js';

export const resourceOrders = ['listed', 'name', 'priority', 'modified'] as const;
export type ResourceOrder = (typeof resourceOrders)[number];

export function isResourceOrder(value: unknown): value is ResourceOrder {
	return resourceOrders.some(it => it === value);
}

/** What can be made of annotations, which may be anything. */
export interface Marks {
	readonly audience: readonly ('user' | 'assistant')[];
	/** 0 to 1. */
	readonly priority: number | undefined;
	/** Milliseconds since 1970. */
	readonly lastModified: number | undefined;
}

export function marksOf({ audience, priority, lastModified }: Annotations = {}): Marks {
	const time = typeof lastModified === 'string' ? Date.parse(lastModified) : NaN;
	return {
		audience: Array.isArray(audience) ? audience.filter(it => it === 'user' || it === 'assistant') : [],
		priority: typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : undefined,
		lastModified: Number.isNaN(time) ? undefined : time,
	};
}

/** Those that say nothing of what is asked for come last; else as they were. */
export function inOrder(resources: readonly Resource[], order: ResourceOrder): readonly Resource[] {
	switch (order) {
		case 'listed':
			return resources;
		case 'name': {
			const named = resources.map(it => ({ it, name: nameOf(it) }));
			return named.toSorted((a, b) => byName(a.name, b.name)).map(({ it }) => it);
		}
		case 'priority':
			return descending(resources, it => marksOf(it.annotations).priority);
		case 'modified':
			return descending(resources, it => marksOf(it.annotations).lastModified);
	}
}

/** UTF-16 units of a name that are compared: a collator takes quadratic time for long runs of combining marks. */
const maxCompared = 500;

/** As file explorers do: 2 before 10. */
export function byName(a: string, b: string): number {
	// Made when it is first needed: it costs as much as loading many files of ours.
	collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
	return collator.compare(a.slice(0, maxCompared), b.slice(0, maxCompared));
}

let collator: Intl.Collator | undefined;

function nameOf({ title, name }: Resource): string {
	return title ?? name;
}

function descending(resources: readonly Resource[], valueOf: (it: Resource) => number | undefined): Resource[] {
	const valued = resources.map(it => ({ it, value: valueOf(it) ?? -Infinity }));
	return valued.toSorted((a, b) => (a.value === b.value ? 0 : b.value - a.value)).map(({ it }) => it);
}
