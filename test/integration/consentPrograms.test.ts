import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { consentBench } from './consentBench.js';
import { eventually, inState, workspaceFolder } from './support.js';

describe('consent to the programs of a server', () => {
	const bench = consentBench();
	const { configure, sheet, start } = bench;

	/** A setting that a workspace may have, and that is a text. */
	function setFont(value: string | undefined): Thenable<void> {
		const { Workspace } = vscode.ConfigurationTarget;
		return vscode.workspace.getConfiguration().update('editor.fontFamily', value, Workspace);
	}

	it('asks again for another program, debugger, or setting that names one', async () => {
		const tool = path.join(workspaceFolder(), 'bin', 'tool');
		fs.mkdirSync(path.dirname(tool), { recursive: true });
		const dev = { debug: { type: 'debugpy', debugpyPath: '${config:editor.fontFamily}' } };
		const env = { PATH: 'bin:${env:PATH}' };
		try {
			await configure(
				{ servers: { tool: { command: 'tool', env }, py: { command: 'python3', args: ['-c', 'exit(1)'], dev } } },
				'tool,py',
			);
			const asked = async (name: string): Promise<string[]> => {
				void start(name);
				const { lines } = await sheet();
				await bench.inputs.pick(it => it.label === 'Start');
				await inState(bench.api, name, 'failed');
				return lines;
			};
			assert.ok((await asked('tool')).includes('Program | tool (not found)'));
			fs.writeFileSync(tool, '#!/bin/sh\necho >> bin/tool.runs\nexit 1\n', { mode: 0o755 });
			const lines = await asked('tool');
			assert.ok(lines.includes('Reason | Changed since approval: path of the program'), lines.join('\n'));
			assert.ok(lines.includes('Environment | PATH = bin:${env:PATH}'), lines.join('\n'));
			void start('tool');
			await eventually('its second run', () =>
				fs.readFileSync(`${tool}.runs`, 'utf8').length === 2 ? true : undefined,
			);

			await setFont('debugpy');
			await asked('py');
			await setFont('/w/.cache/evil.sh');
			const evil = await asked('py');
			assert.equal(
				evil
					.slice(evil.findIndex(it => it.startsWith('Reason')))
					.slice(0, 2)
					.join(' ')
					.replace(' … |', ''),
				'Reason | Changed since approval: debugger program, setting editor.fontFamily',
			);
			assert.ok(evil.includes('Debugger program | ${config:editor.fontFamily} → /w/.cache/evil.sh'), evil.join('\n'));
			assert.ok(evil.includes('Setting | editor.fontFamily = /w/.cache/evil.sh'), evil.join('\n'));
		} finally {
			await setFont(undefined);
			fs.rmSync(path.dirname(tool), { recursive: true });
		}
	});
});
