/**
 * What people and models know servers by: their names, with as much of their places as it takes to tell them apart. No two
 * servers have labels that look the same, and no label is so long that a title would have to cut it.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import { hiddenJoiners, invisible } from '../text/invisible.js';
import { lookalikeKey } from '../text/lookalikes.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** Characters of a label. Titles cut what is longer, and could make two labels the same. */
const maxLabel = 40;
const maxPlace = 18;

type Labelled = Pick<ServerDefinition, 'id' | 'name' | 'source'>;

/** A server with all its labels, and which of them is meant. */
interface Candidate {
	readonly id: string;
	readonly labels: readonly string[];
	level: number;
}

/** Labels by the ids of the definitions. */
export function serverLabels(definitions: readonly Labelled[]): ReadonlyMap<string, string> {
	const candidates = definitions.map((it): Candidate => ({ id: it.id, labels: candidatesOf(it), level: 0 }));
	for (;;) {
		const next = lookalikesAmong(candidates)
			.flat()
			.filter(it => it.level < it.labels.length - 1);
		if (next.length === 0) {
			break;
		}
		next.forEach(it => it.level++);
	}
	const labels = new Map(candidates.map(it => [it.id, labelOf(it)]));
	const taken = new Set([...labels.values()].map(lookalikeKey));
	for (const group of lookalikesAmong(candidates)) {
		let number = 0;
		for (const it of group.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
			let label: string;
			do {
				label = withSuffix(labelOf(it), ` #${++number}`);
			} while (taken.has(lookalikeKey(label)));
			taken.add(lookalikeKey(label));
			labels.set(it.id, label);
		}
	}
	return labels;
}

function labelOf({ labels, level }: Candidate): string {
	return labels[level] ?? '';
}

/** Groups of those that look the same now. */
function lookalikesAmong(candidates: readonly Candidate[]): Candidate[][] {
	const groups = new Map<string, Candidate[]>();
	for (const it of candidates) {
		const key = lookalikeKey(labelOf(it));
		groups.set(key, [...(groups.get(key) ?? []), it]);
	}
	return [...groups.values()].filter(it => it.length > 1);
}

/** The shortest first. */
function candidatesOf({ name, source }: Labelled): string[] {
	const clean = visible(name);
	const path = pathOf(source.folderUri ?? source.uri);
	const places =
		source.folderName !== undefined
			? [source.folderName, path.slice(-2).join('/')]
			: source.kind === 'workspaceFile'
				? path.slice(-1)
				: [];
	return [withSuffix(clean, ''), ...places.map(it => withSuffix(clean, ` (${endOf(visible(it))})`))];
}

function pathOf(uri: string): string[] {
	return uri
		.replace(/^[a-z][\w+.-]*:(?:\/\/[^/]*)?/i, '')
		.split(/[/\\]/)
		.filter(it => it !== '')
		.map(it => tryDecodeUri(it) ?? it);
}

/** One line, with U+FFFD for invisible characters. Joiners stay where emoji and scripts need them. */
function visible(text: string): string {
	const line = text.slice(0, 1000).replace(/\s+/gu, ' ').replace(invisible, '\uFFFD').trim();
	return line === '' ? '\uFFFD' : line;
}

/** A name that is too long gives way, never what tells it apart. */
function withSuffix(name: string, suffix: string): string {
	const room = maxLabel - suffix.length;
	return (name.length > room ? `${whole(name.slice(0, room - 1))}…` : name) + suffix;
}

function endOf(place: string): string {
	return place.length > maxPlace ? `…${whole(place.slice(1 - maxPlace))}` : place;
}

/** Removes the halves of characters, and the joiners, that a cut has left. */
function whole(part: string): string {
	return part.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '').replace(hiddenJoiners, '');
}
