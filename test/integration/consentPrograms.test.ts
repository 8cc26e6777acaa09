import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { consentBench, type Sheet } from './consentBench.js';
import { eventually, inState, workspaceFolder } from './support.js';

describe('consent to the programs of a server', () => {
	const bench = consentBench();
	const { configure, sheet, start } = bench;

	/** A setting that a workspace may have, and that is a text. */
	function setFont(value: string | undefined): Thenable<void> {
		const { Workspace } = vscode.ConfigurationTarget;
		return vscode.workspace.getConfiguration().update('editor.fontFamily', value, Workspace);
	}

	it('asks again if the program, or a setting that names the program, changes', async () => {
		const tool = path.join(workspaceFolder(), 'bin', 'tool');
		fs.mkdirSync(path.dirname(tool), { recursive: true });
		const env = { PATH: 'bin:${env:PATH}' };
		try {
			await configure(
				{ servers: { tool: { command: 'tool', env }, py: { command: '${config:editor.fontFamily}' } } },
				'tool,py',
			);
			const asked = async (name: string): Promise<Sheet> => {
				void start(name);
				const shown = await sheet();
				await bench.inputs.pick(it => it.label === 'Start');
				await inState(bench.api, name, 'failed');
				return shown;
			};
			assert.equal((await asked('tool')).textOf('Program'), 'tool (not found)');
			fs.writeFileSync(tool, '#!/bin/sh\necho >> bin/tool.runs\nexit 1\n', { mode: 0o755 });
			const { textOf } = await asked('tool');
			assert.equal(textOf('Summary'), 'Program path');
			assert.equal(textOf('Environment'), 'PATH = bin:${env:PATH}');
			void start('tool');
			await eventually('its second run', () =>
				fs.readFileSync(`${tool}.runs`, 'utf8').length === 2 ? true : undefined,
			);

			await setFont('/w/py');
			await asked('py');
			await setFont('/w/.cache/evil.sh');
			const evil = await asked('py');
			assert.equal(evil.textOf('Summary'), 'Program path, Setting editor.fontFamily');
			assert.equal(evil.textOf('Program'), '/w/.cache/evil.sh');
			assert.equal(evil.textOf('Setting'), 'editor.fontFamily = /w/.cache/evil.sh');
		} finally {
			await setFont(undefined);
			fs.rmSync(path.dirname(tool), { recursive: true });
		}
	});
});
