/** Resources of servers as read-only files, so that every viewer and editor of the workbench fits. */
import * as vscode from 'vscode';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { ResourceContents } from '../../mcp/index.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { tryDecodeBase64 } from '../../host/base64.js';
import { oneLine } from '../../host/plainText.js';
import { parseResourceUri } from './resourceUri.js';

/** One read resource. */
export interface LoadedResource {
	readonly bytes: Uint8Array;
	readonly mimeType: string | undefined;
	/** Milliseconds since 1970 when it was read. */
	readonly readAt: number;
}

/** The editor asks for size and bytes one after the other; one read answers both. Enough for a window of tabs. */
const maxKept = 20;
const maxKeptBytes = 50_000_000;

export class ResourceFileSystem extends Owner implements vscode.FileSystemProvider {
	private readonly _onDidChangeFile = this.own(new Emitter<vscode.FileChangeEvent[]>());
	readonly onDidChangeFile = this._onDidChangeFile.event as Event<vscode.FileChangeEvent[]> &
		vscode.Event<vscode.FileChangeEvent[]>;

	private readonly kept = new Map<string, LoadedResource>();

	constructor(private readonly registry: ServerRegistry) {
		super();
	}

	/** Reads from the server, whatever was read before. @throws FileSystemError, RpcError, McpError */
	async load(uri: vscode.Uri, signal?: AbortSignal): Promise<LoadedResource> {
		const address = parseResourceUri(uri);
		if (!address) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const server = this.registry.servers.find(it => it.definition.id === address.serverId);
		if (!server?.client) {
			const name = server?.name ?? uri.path.split('/')[1] ?? '';
			throw vscode.FileSystemError.Unavailable(
				vscode.l10n.t('The server "{0}" is not running. Start it and open the resource again.', name),
			);
		}
		const [contents] = await server.client.readResource(address.uri, signal);
		if (!contents) {
			const message = vscode.l10n.t('The server "{0}" says that this resource is empty.', oneLine(server.name));
			throw vscode.FileSystemError.Unavailable(message);
		}
		const loaded = { bytes: toBytes(contents, server.name), mimeType: contents.mimeType, readAt: Date.now() };
		this.keep(uri.toString(), loaded);
		return loaded;
	}

	async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
		const { bytes, readAt } = this.kept.get(uri.toString()) ?? (await this.load(uri));
		const { File } = vscode.FileType;
		return { type: File, size: bytes.length, mtime: readAt, ctime: 0, permissions: vscode.FilePermission.Readonly };
	}

	async readFile(uri: vscode.Uri): Promise<Uint8Array> {
		return (this.kept.get(uri.toString()) ?? (await this.load(uri))).bytes;
	}

	watch(): vscode.Disposable {
		// Subscriptions are not followed yet.
		return new vscode.Disposable(() => undefined);
	}

	readDirectory(): [string, vscode.FileType][] {
		return [];
	}

	createDirectory(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	writeFile(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	delete(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	rename(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	private keep(key: string, loaded: LoadedResource): void {
		const isReload = this.kept.delete(key);
		this.kept.set(key, loaded);
		let bytes = 0;
		for (const it of this.kept.values()) {
			bytes += it.bytes.length;
		}
		for (const [oldest, it] of this.kept) {
			// The newest stays, however large: it is about to be asked for.
			if ((this.kept.size <= maxKept && bytes <= maxKeptBytes) || oldest === key) {
				break;
			}
			bytes -= it.bytes.length;
			this.kept.delete(oldest);
		}
		if (isReload) {
			this._onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri: vscode.Uri.parse(key) }]);
		}
	}
}

function toBytes({ text, blob = '' }: ResourceContents, serverName: string): Uint8Array {
	if (text !== undefined) {
		return new TextEncoder().encode(text);
	}
	const bytes = tryDecodeBase64(blob);
	if (!bytes) {
		const message = vscode.l10n.t('The server "{0}" sent this resource in broken base64.', oneLine(serverName));
		throw vscode.FileSystemError.Unavailable(message);
	}
	return bytes;
}
