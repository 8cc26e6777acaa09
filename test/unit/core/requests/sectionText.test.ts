import * as assert from 'node:assert/strict';
import {
	bodyText,
	parseBody,
	parseSections,
	type Section,
	SectionError,
	sectionsText,
} from '../../../../src/core/requests/sectionText.js';

type Block = string | { readonly image: string };

describe('messages as a text to be edited', () => {
	const titles = ['system', 'user', 'assistant'];
	const view = (it: Block): { text: string } | { label: string } =>
		typeof it === 'string' ? { text: it } : { label: it.image };
	const toBlock = (text: string): Block => text;
	const again = (sections: readonly Section<Block>[]): readonly Section<Block>[] => {
		const originals = sections.flatMap(it => it.blocks);
		return parseSections(sectionsText(sections, view), titles, { view, originals, toBlock });
	};
	const image = { image: 'image/png · 3 KB' };

	it('reads like one', () => {
		const sections = [
			{ title: 'system', blocks: ['Be brief.'] },
			{ title: 'user', blocks: ['What is this?', image, 'And that?'] },
		];
		assert.equal(
			sectionsText<Block>(sections, view),
			'──── system ────\nBe brief.\n\n──── user ────\nWhat is this?\n⟦1 · image/png · 3 KB⟧\nAnd that?\n',
		);
	});

	const table: Readonly<Record<string, readonly Block[]>> = {
		'a text': ['a'],
		'an empty text': [''],
		'several lines, with an end': ['a\n\nb\n'],
		'empty lines around it': ['\na\n\n'],
		'texts beside each other': ['a', 'b', 'c'],
		'an image alone': [image],
		'images before, between and after': [image, 'a', { image: 'x' }, 'b', image],
		'what looks like a title': ['──── user ────', 'x\n──── nobody ────'],
		'what looks like an image': ['⟦1 · x⟧\n⟦next⟧\n⟦'],
		'what looks like what looks like one': ['\\──── user ────\n\\\\⟦2⟧\n\\x'],
		'a line that only begins like a title': ['──────── x'],
		'a label that breaks the line': [{ image: 'a\n──── user ────\r⟧' }],
	};
	for (const [name, blocks] of Object.entries(table)) {
		it(`comes back as it was: ${name}`, () => {
			const sections = [
				{ title: 'user', blocks },
				{ title: 'assistant', blocks: ['yes'] },
				{ title: 'user', blocks },
			];
			assert.deepEqual(again(sections), sections);
			const body = bodyText(blocks, view);
			assert.deepEqual(parseBody(body, { view, originals: blocks, toBlock }), blocks);
		});
	}

	it('takes what was moved, taken out and written anew', () => {
		const parts = { view, originals: [image, { image: 'b' }], toBlock };
		const text = '\n──── assistant ────\r\n⟦2⟧\r\nHello\r\n\r\n──── user ────\r\n⟦1 · whatever⟧\r\n';
		assert.deepEqual(parseSections<Block>(text, titles, parts), [
			{ title: 'assistant', blocks: [{ image: 'b' }, 'Hello'] },
			{ title: 'user', blocks: [image] },
		]);
	});

	for (const [text, line, kind] of [
		['Hello\n──── user ────\n', 1, 'noSection'],
		['──── user ────\na\n──── robot ────\nb', 3, 'unknownTitle'],
		['──── user ────\na\n⟦2 · x⟧', 3, 'unknownBlock'],
		['──── user ────\na\n⟦0⟧', 3, 'unknownBlock'],
	] as const) {
		it(`says where it cannot be read: ${kind} in line ${line} of ${JSON.stringify(text)}`, () => {
			assert.throws(
				() => parseSections<Block>(text, titles, { view, originals: [image], toBlock }),
				(error: unknown) => {
					assert.ok(error instanceof SectionError);
					assert.deepEqual(error.problem, { line, kind });
					return true;
				},
			);
		});
	}
});
