/** Counts who asks for the schemas that documents name, with an editor that may ask for them. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { eventually, workspaceFolder } from './support.js';

export class SchemaBeacon {
	private readonly asked: string[] = [];
	private controls = 0;

	private constructor(private readonly server: http.Server) {}

	/** Editors before the list of trusted domains asked any address: the newest is told to trust this one. */
	static async open(): Promise<SchemaBeacon> {
		const server = http.createServer();
		await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
		const beacon = new SchemaBeacon(server);
		server.on('request', ({ url }, response) => {
			beacon.asked.push(url ?? '');
			response.setHeader('Content-Type', 'application/json').end('{}');
		});
		await beacon.trust({ [beacon.url('').replace(/[^/]*$/, '')]: true });
		return beacon;
	}

	url(name: string): string {
		const { port } = this.server.address() as AddressInfo;
		return `http://127.0.0.1:${port}/${encodeURIComponent(name)}`;
	}

	/** Fails if anybody has asked for the schema of that name, after a document that does ask has been answered. */
	async expectNone(name: string): Promise<void> {
		const control = `control-${++this.controls}`;
		const file = path.join(workspaceFolder(), `${control}.json`);
		fs.writeFileSync(file, JSON.stringify({ $schema: this.url(control) }));
		const before = vscode.window.activeTextEditor;
		await vscode.window.showTextDocument(vscode.Uri.file(file), { viewColumn: vscode.ViewColumn.Beside });
		await eventually('a schema that is asked for', () => (this.asked.includes(`/${control}`) ? true : undefined));
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
		if (before) {
			await vscode.window.showTextDocument(before.document, before.viewColumn);
		}
		assert.deepEqual(
			this.asked.filter(it => it === `/${encodeURIComponent(name)}`),
			[],
		);
	}

	async close(): Promise<void> {
		await this.trust(undefined);
		this.server.closeAllConnections();
		this.server.close();
	}

	private async trust(domains: Readonly<Record<string, boolean>> | undefined): Promise<void> {
		const settings = vscode.workspace.getConfiguration('json.schemaDownload');
		if (settings.inspect('trustedDomains')?.defaultValue === undefined) {
			return;
		}
		await settings.update('trustedDomains', domains, vscode.ConfigurationTarget.Global);
	}
}
