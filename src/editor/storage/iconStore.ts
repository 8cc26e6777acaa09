/** Stores icons of servers as files for the tree, so that the editor itself never requests one from a server. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { sha256 } from '../../base/hash.js';
import type { StoredFile } from './stateKeys.js';
import type { ImageType } from '../../core/servers/imageBytes.js';

/** Milliseconds that an icon is kept after its server has last started. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
const maxFiles = 500;

/** The editor shows only files with these extensions as icons. */
const endings: Readonly<Record<ImageType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

export class IconStore {
	private cleaned: Promise<void> | undefined;

	private readonly folder: vscode.Uri;

	/** @param storage the extension's folder for files */
	constructor(storage: vscode.Uri) {
		this.folder = vscode.Uri.joinPath(storage, 'icons' satisfies StoredFile);
	}

	/** Resolves with the URI of the file. Equal icons share a file. */
	readonly save = async (bytes: Uint8Array, type: ImageType): Promise<string> => {
		const file = vscode.Uri.joinPath(this.folder, `${await sha256(bytes)}.${endings[type]}`);
		// Also if the file exists: the time of the last write decides how long it is kept.
		await vscode.workspace.fs.writeFile(file, bytes);
		this.cleaned ??= this.cleanUp(clock.now());
		await this.cleaned;
		return file.toString();
	};

	/** Removes old files. @param now milliseconds since 1970 */
	private async cleanUp(now: number): Promise<void> {
		const { fs } = vscode.workspace;
		try {
			const entries = await fs.readDirectory(this.folder);
			const files = await Promise.all(
				entries.map(async ([name]) => {
					const uri = vscode.Uri.joinPath(this.folder, name);
					return { uri, written: (await fs.stat(uri)).mtime };
				}),
			);
			const old = files
				.toSorted((a, b) => b.written - a.written)
				.filter(({ written }, index) => index >= maxFiles || written < now - keptMs);
			await Promise.all(old.map(it => fs.delete(it.uri)));
		} catch {
			// Another window may clean up at the same time. The next window removes the rest.
		}
	}
}
