/** Resources as read-only files, which any viewer and editor of the workbench can open. */
import * as vscode from 'vscode';
import { OwnFiles } from '../../editor/documents/ownFiles.js';
import type { Resource } from '../../mcp/index.js';
import { ReadDeniedError } from '../../core/calls/toolAccess.js';
import { itemsOf } from '../../core/servers/catalog.js';
import { resourceKeyText } from '../../core/resources/liveEntry.js';
import type { LiveResources } from '../../core/resources/liveResources.js';
import { type ReadContent, ResourceError } from '../../core/resources/resourceContents.js';
import { openedName } from '../../core/resources/textNames.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import {
	isOwnPath,
	parseAddress,
	placeInPath,
	placeOf,
	readableName,
	type ResourceAddress,
} from '../../editor/documents/resourceUri.js';
import { describeReadError } from './resourceWords.js';

export class ResourceFileSystem extends OwnFiles {
	private readonly reading = new Map<string, Promise<readonly ReadContent[]>>();

	constructor(
		private readonly registry: ServerRegistry,
		private readonly live: LiveResources,
	) {
		super();
	}

	/** The resource of one of our URIs; `undefined` if there is none. */
	addressOf(uri: vscode.Uri): ResourceAddress | undefined {
		const address = parseAddress(uri);
		if (!address || isOwnPath(uri, address)) {
			return address;
		}
		// For a relative link in a document, the editor makes the path of the target with the query of the document.
		const place = placeInPath(uri.path);
		const { serverId } = address;
		const linked = this.resourcesOf(serverId).find(it => openedName(placeOf(it)) === place);
		return linked && { serverId, uri: linked.uri };
	}

	/** The content of a URI, if it is known without asking the server. */
	contentOf(uri: vscode.Uri): ReadContent | undefined {
		const address = this.addressOf(uri);
		const contents = address && this.knownContents(address);
		return contents && partsOf(contents, address)[0];
	}

	async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
		const { address, bytes } = await this.readContent(uri);
		return {
			type: vscode.FileType.File,
			size: bytes.length,
			mtime: address.version ?? this.live.find(address)?.changedAt ?? 0,
			ctime: 0,
			permissions: vscode.FilePermission.Readonly,
		};
	}

	async readFile(uri: vscode.Uri): Promise<Uint8Array> {
		return (await this.readContent(uri)).bytes;
	}

	private async readContent(uri: vscode.Uri): Promise<ReadContent & { readonly address: ResourceAddress }> {
		await this.registry.configured;
		const address = this.addressOf(uri);
		if (!address) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		try {
			const contents = await this.readOnce(address);
			const [found] = partsOf(contents, address);
			if (!found) {
				throw new ResourceError({ code: contents.length > 0 ? 'noPart' : 'nothing' });
			}
			return { ...found, address };
		} catch (error) {
			const serverLabel = this.registry.labelOf({ id: address.serverId });
			const message = describeReadError(error, serverLabel, readableName(address.uri));
			throw error instanceof ReadDeniedError
				? vscode.FileSystemError.NoPermissions(message)
				: vscode.FileSystemError.Unavailable(message);
		}
	}

	/** Reads once for the requests that the editor makes at the same time: for the size and for the bytes. */
	private readOnce(address: ResourceAddress): Promise<readonly ReadContent[]> {
		const key = `${resourceKeyText(address)}\n${address.version}`;
		const reading = this.reading.get(key) ?? this.read(address).finally(() => this.reading.delete(key));
		this.reading.set(key, reading);
		return reading;
	}

	private async read(address: ResourceAddress): Promise<readonly ReadContent[]> {
		const known = this.knownContents(address);
		if (!known && address.version !== undefined) {
			throw new ResourceError({ code: 'versionGone' });
		}
		const listed = this.resourcesOf(address.serverId).find(it => it.uri === address.uri);
		return known ?? (await this.live.read(address, { size: listed?.size })).contents ?? [];
	}

	private knownContents(address: ResourceAddress): readonly ReadContent[] | undefined {
		if (address.version !== undefined) {
			const previous = this.live.find(address)?.previous;
			return previous?.at === address.version ? previous.contents : undefined;
		}
		return this.live.isCurrent(address) ? this.live.find(address)?.contents : undefined;
	}

	private resourcesOf(id: string): readonly Resource[] {
		return itemsOf(this.registry.serverOf({ id })?.catalog?.resources);
	}
}

/** The contents from the addressed one on; empty if there is none. */
function partsOf(contents: readonly ReadContent[], { part }: ResourceAddress): readonly ReadContent[] {
	return part ? contents.filter(it => it.uri === part.uri).slice(part.index) : contents;
}

/** The address of one of several contents of a resource. A single content has the address of the resource. */
export function addressOfPart(
	{ serverId, uri }: ResourceAddress,
	contents: readonly ReadContent[],
	content: ReadContent,
): ResourceAddress {
	if (contents.length < 2) {
		return { serverId, uri };
	}
	const index = contents.filter(it => it.uri === content.uri).indexOf(content);
	return { serverId, uri, part: { uri: content.uri, index } };
}
