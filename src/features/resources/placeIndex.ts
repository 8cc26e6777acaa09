/** The resources of a server as folders of the editor, for breadcrumbs: made only when somebody opens one. */
import type { Resource } from '../../mcp/index.js';
import { placeOf } from '../../editor/documents/resourceUri.js';
import { openedName } from '../../core/resources/textNames.js';

export interface PlaceIndex {
	/** By place: the first resource that stands there. */
	readonly resources: ReadonlyMap<string, Resource>;
	/** By place: the names of what stands directly in it, and whether that is a folder. */
	readonly folders: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

const indexes = new WeakMap<readonly Resource[], PlaceIndex>();

/** Made once for each list. */
export function placeIndex(list: readonly Resource[]): PlaceIndex {
	const known = indexes.get(list);
	if (known) {
		return known;
	}
	const resources = new Map<string, Resource>();
	const folders = new Map<string, Map<string, boolean>>();
	for (const resource of list) {
		const place = openedName(placeOf(resource));
		if (!resources.has(place)) {
			resources.set(place, resource);
			addToFolders(folders, place);
		}
	}
	const index = { resources, folders };
	indexes.set(list, index);
	return index;
}

function addToFolders(folders: Map<string, Map<string, boolean>>, place: string): void {
	let isFolder = false;
	for (let path = place; path !== '';) {
		const slash = path.lastIndexOf('/');
		const parent = path.slice(0, Math.max(0, slash));
		const names = folders.get(parent) ?? new Map<string, boolean>();
		folders.set(parent, names);
		const name = path.slice(slash + 1);
		const wasFolder = names.get(name);
		names.set(name, isFolder || wasFolder === true);
		if (wasFolder !== undefined && (wasFolder || !isFolder)) {
			return;
		}
		isFolder = true;
		path = parent;
	}
}
