/** Icons of servers as files: the tree is given nothing else, and the editor itself never asks a server for one. */
import * as vscode from 'vscode';
import { sha256 } from '../../base/hash.js';
import type { StoredFile } from './keptKeys.js';
import type { ImageType } from '../../core/servers/imageBytes.js';

/** A server that has not run for so long sends it again. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
const maxFiles = 500;

/** The editor shows pictures of other folders by these endings only. */
const endings: Readonly<Record<ImageType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };

export class IconStore {
	private cleaned: Promise<void> | undefined;

	private readonly folder: vscode.Uri;

	/** @param storage where the extension may keep files */
	constructor(storage: vscode.Uri) {
		this.folder = vscode.Uri.joinPath(storage, 'icons' satisfies StoredFile);
	}

	/** The same icon is the same file, whoever sends it; its URI. */
	readonly save = async (bytes: Uint8Array, type: ImageType): Promise<string> => {
		const file = vscode.Uri.joinPath(this.folder, `${await sha256(bytes)}.${endings[type]}`);
		// Also where it is there already: what was written last is what is kept.
		await vscode.workspace.fs.writeFile(file, bytes);
		this.cleaned ??= this.cleanUp(Date.now());
		await this.cleaned;
		return file.toString();
	};

	/** Once a window. @param now milliseconds since 1970 */
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
			// Another window cleans up as well; what is left is for the next.
		}
	}
}
