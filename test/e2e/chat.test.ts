/** `@mcp` in the editor's own chat, with a model of another extension, in dark and light. */
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { projectRoot } from '../host/paths.js';
import { openWorkbench, type Workbench } from '../host/workbench.js';
import { eventually, pictureOnFailure } from './support.js';

describe('chat', function () {
	this.timeout(180_000);
	let bench: Workbench;
	before(async () => {
		bench = await openWorkbench({
			workspace: path.join(projectRoot, 'test', 'fixtures', 'workspaces', 'models'),
			machine: { extensions: [path.join(projectRoot, 'test', 'fixtures', 'model')] },
			settings: { 'chat.disableAIFeatures': false },
			viewport: { width: 1280, height: 900 },
		});
	});
	after(() => bench.dispose());
	pictureOnFailure(() => bench);

	const chat = (text: string | RegExp): Locator => bench.page.locator('.interactive-session', { hasText: text });
	const picture = (name: string): Promise<void> =>
		bench.screenshots(['dark', 'light'], theme => `chat-${name}-${theme}`);
	const input = (): Locator => bench.page.locator('.interactive-session .interactive-input-part .view-lines');
	const inInput = (text: string): Promise<void> =>
		eventually(text, async () => {
			const typed = ((await input().textContent()) ?? '').replaceAll('\u00A0', ' ');
			assert.ok(typed.includes(text), typed);
		});
	/** Writes behind the name of the participant, which the editor keeps there, and sends it. */
	const say = async (text: string): Promise<void> => {
		await inInput('@mcp');
		await bench.click(input());
		await bench.page.keyboard.press('Control+End');
		await bench.page.keyboard.type(text);
		await inInput(text.trim());
		await bench.page.keyboard.press('Enter');
	};

	it('a model uses a tool that the person allows', async () => {
		await bench.runCommand('Fixture: Answer in Chat');
		await bench.openView('MCP Workbench');
		await bench.clickAction(bench.row('garden'), 'Start Server');
		await bench.row('Tools4').waitFor();
		await bench.runCommand('MCP Workbench: Open Chat');
		// Without a model the editor refuses every message to a participant.
		await chat('Scripted').waitFor();
		await say('Please water the roses.');
		const toast = await bench.notification('@mcp wants to run water on garden');
		await chat('water on garden is waiting for your approval').waitFor();
		await picture('1-approval');
		await bench.press(toast, 'Review');
		await bench.pick('Allow Once');
		await chat('The roses have had 5 litres.').waitFor();
		await picture('2-answer');
	});
});
