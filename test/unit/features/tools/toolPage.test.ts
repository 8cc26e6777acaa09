// The page of a tool, as text: everything that the server says, marked as the server's.
import * as assert from 'node:assert/strict';
import { cleanPage, pageText } from '../../../../src/features/pages/pageView.js';
import { toolPage } from '../../../../src/features/tools/toolPage.js';
import type { Tool } from '../../../../src/mcp/index.js';

function textOf(tool: Tool): string {
	return pageText(cleanPage(toolPage('garden', tool)));
}

describe('the page of a tool', () => {
	it('has its names, description, hints, arguments and schemas', () => {
		const text = textOf({
			name: 'water',
			title: 'Water the plants',
			description: 'Waters.\nThen stops.',
			inputSchema: {
				type: 'object',
				properties: {
					litres: { type: 'number', description: 'How much' },
					where: { type: ['string', 'null'], title: 'Bed' },
					other: true,
				},
				required: ['litres'],
			},
			outputSchema: { type: 'object' },
			annotations: { readOnlyHint: true },
		});
		const start = text.slice(0, text.indexOf('## Arguments (JSON Schema)'));
		assert.equal(
			start.replace(/## Hints[^]*?(?=## Arguments)/, ''),
			`# Water the plants

The server wrote the tool's name and everything below. MCP Workbench can't verify it.

- Server: garden
- Tool name: water

## Description

From the server:

    Waters.
    Then stops.

## Arguments

From the server:

    - litres: number, required
      How much
    - where: string | null, optional
      Bed
    - other: Optional

`,
		);
		assert.match(start, /^## Hints \(unverified\)\n\nFrom the server:\n\n    - Read-only$/m);
		assert.match(text, /^ {6}"required": \[\n {8}"litres"$/m);
		assert.match(
			text,
			/^## Structured result \(JSON Schema\)\n\nFrom the server:\n\n    \{\n      "type": "object"\n    \}$/m,
		);
	});

	it('says that there is no description, in our words', () => {
		assert.match(textOf({ name: 'x', inputSchema: { type: 'object' } }), /^## Description\n\nNone$/m);
	});

	it('survives schemas of any form', () => {
		for (const properties of [null, 1, [], ['x'], { x: null, y: [1] }, { toString: { type: {} } }]) {
			assert.match(textOf({ name: 'x', inputSchema: { type: 'object', properties, required: 'x' } }), /^# x$/m);
		}
	});
});
