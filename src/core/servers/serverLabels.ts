/**
 * Labels of servers for people and models: the name, with a part of the location if several servers have that name. No two
 * labels are the same, and titles don't have to cut them.
 */
import { tryDecodeUri } from '../../base/percentText.js';
import { hiddenJoiners, invisible } from '../text/invisible.js';
import { escapeMixedScripts } from '../text/mixedScripts.js';
import type { ServerDefinition } from '../config/serverDefinition.js';

/** Characters of a label. Titles cut longer labels, and two could become the same. */
const maxLabel = 40;
const maxPlace = 18;

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

/** The shortest label first. */
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

/** One line, with U+FFFD for invisible characters, and mixed scripts escaped. Joiners that emoji and scripts need stay. */
function visible(text: string): string {
	const line = text.slice(0, 1000).replace(/\s+/gu, ' ').replace(invisible, '\uFFFD').trim();
	return line === '' ? '\uFFFD' : escapeMixedScripts(line);
}

/** Cuts a name that is too long, but never the suffix. */
function withSuffix(name: string, suffix: string): string {
	const room = maxLabel - suffix.length;
	return (name.length > room ? `${whole(name.slice(0, room - 1))}…` : name) + suffix;
}

function endOf(place: string): string {
	return place.length > maxPlace ? `…${whole(place.slice(1 - maxPlace))}` : place;
}

/** Removes halves of characters and joiners at the ends of a text that was cut. */
function whole(part: string): string {
	return part.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '').replace(hiddenJoiners, '');
}
