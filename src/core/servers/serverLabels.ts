/**
 * Labels of servers for people and models: the name, with a part of the location if several servers have that name. No two
 * labels are the same, and titles don't have to cut them.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import { shownName, wholeCharacters } from '../text/spelledOut.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** Characters of a label. Titles cut longer labels, and two could become the same. */
const maxLabel = 40;
const maxPlace = 18;
/** Longest name or place, in UTF-16 units. The rest is ignored. */
const maxText = 1000;

type Labelled = Pick<ServerDefinition, 'id' | 'name' | 'source'>;

/** The possible labels of a server, and the index of the one in use. */
interface Candidate {
	readonly id: string;
	readonly labels: readonly string[];
	level: number;
}

/** Labels by the ids of the definitions. */
export function serverLabels(definitions: readonly Labelled[]): ReadonlyMap<string, string> {
	const candidates = definitions.map((it): Candidate => ({ id: it.id, labels: candidatesOf(it), level: 0 }));
	for (;;) {
		const next = sameAmong(candidates)
			.flat()
			.filter(it => it.level < it.labels.length - 1);
		if (next.length === 0) {
			break;
		}
		next.forEach(it => it.level++);
	}
	const labels = new Map(candidates.map(it => [it.id, labelOf(it)]));
	const taken = new Set(labels.values());
	for (const group of sameAmong(candidates)) {
		let number = 0;
		for (const it of group.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
			let label: string;
			do {
				label = withSuffix(labelOf(it), ` #${++number}`);
			} while (taken.has(label));
			taken.add(label);
			labels.set(it.id, label);
		}
	}
	return labels;
}

function labelOf({ labels, level }: Candidate): string {
	return labels[level] ?? '';
}

/** Groups of candidates whose labels in use are the same. */
function sameAmong(candidates: readonly Candidate[]): Candidate[][] {
	const groups = new Map<string, Candidate[]>();
	for (const it of candidates) {
		const label = labelOf(it);
		groups.set(label, [...(groups.get(label) ?? []), it]);
	}
	return [...groups.values()].filter(it => it.length > 1);
}

/** The label of a server that isn't configured. */
export function labelOfName(name: string): string {
	return shownName(name, maxLabel);
}

/** The name as a label shows it, but longer: for a tooltip, or for a page beside the label. */
export function fullName(name: string): string {
	return shownName(name, maxText);
}

/** The shortest label first. */
function candidatesOf({ name, source }: Labelled): string[] {
	const shown = fullName(name);
	const path = pathOf(source.folderUri ?? source.uri);
	const places =
		source.folderName !== undefined
			? [source.folderName, path.slice(-2).join('/')]
			: source.kind === 'workspaceFile'
				? path.slice(-1)
				: [];
	return [withSuffix(shown, ''), ...places.map(it => withSuffix(shown, ` (${endOf(shownName(it, maxText))})`))];
}

function pathOf(uri: string): string[] {
	return uri
		.replace(/^[a-z][\w+.-]*:(?:\/\/[^/]*)?/i, '')
		.split(/[/\\]/)
		.filter(it => it !== '')
		.map(it => tryDecodeUri(it) ?? it);
}

/** Cuts a name that is too long, but never the suffix. */
function withSuffix(name: string, suffix: string): string {
	const room = maxLabel - suffix.length;
	return (name.length > room ? `${wholeCharacters(name.slice(0, room - 1))}…` : name) + suffix;
}

function endOf(place: string): string {
	return place.length > maxPlace ? `…${wholeCharacters(place.slice(1 - maxPlace))}` : place;
}
