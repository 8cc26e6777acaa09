// Whatever a server says, a page shows it as text: cut, with nothing hidden, and no markup in the copied text.
import * as assert from 'node:assert/strict';
import { cleanPage, isShownWhole, pageText } from '../../../../src/features/pages/pageView.js';
import { failurePage } from '../../../../src/features/servers/failurePage.js';
import { fullName } from '../../../../src/core/servers/serverLabels.js';
import { diagnose } from '../../../../src/core/diagnosis/diagnosis.js';
import { type PageContent, readToView } from '../../../../src/webviews/page/reading/protocol.js';

const attacks = [
	'<img src=x onerror=alert(1)><script>alert(1)</script>',
	'[x](command:workbench.action.quit)',
	'![x](https://evil.example/x.png)',
	'$(zap) free',
	'safe\u202Eevil\u200Bhidden\u{E0041}',
	'line\r\n# Title\n\n## Description\u2028x\u0000\u001b[2J',
	'\uD800',
	'x'.repeat(1_000_000),
	'\u202E'.repeat(1_000_000),
	'\n'.repeat(1_000_000),
];
const strings = { actions: '', copy: '', fromServer: '' };

function pagesOf(text: string): PageContent[] {
	const launch = { kind: 'stdio', command: text, args: [text], cwd: undefined, env: {}, envFile: undefined } as const;
	const failure = { kind: 'exited', exitCode: 1, signal: undefined } as const;
	const situation = { failure, launch, stderr: [text], noise: [text] };
	return [
		failurePage({
			name: fullName(text),
			source: { kind: 'vscodeFolder', uri: text, folderUri: text, folderName: text },
			situation,
			place: { path: text, folder: text },
			shell: { kind: 'known', shell: text, path: text },
			diagnosis: diagnose(situation, undefined),
			search: { program: 'x', onPath: undefined, onShellPath: undefined, elsewhere: [] },
			platform: 'linux',
		}),
	];
}

/** Every text of a value. */
function textsOf(value: unknown): string[] {
	return typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsOf);
}

describe('pages of hostile texts', () => {
	for (const attack of attacks) {
		it(`${JSON.stringify(attack.slice(0, 20))}, ${attack.length} characters`, function () {
			this.timeout(20_000);
			for (const content of pagesOf(attack).map(cleanPage)) {
				const texts = textsOf(content);
				for (const text of texts) {
					assert.ok(text.length <= 1_000_200, `${text.length} characters`);
					assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069\u200B\u{E0000}-\u{E007F}]|(?![\n\t])\p{Cc}|\p{Cs}/u);
				}
				assert.ok(texts.join('').length < 2_500_000, 'the page is bounded');
				const message = { type: 'page', page: { ...content, id: 1, actions: [] }, strings };
				assert.deepEqual(readToView(message), message, 'the view takes it');
				const copied = pageText(content);
				assert.equal(copied.match(/^# /gm)?.length, 1, 'one title');
				const headings = content.sections.map(it => `## ${it.title}`);
				assert.deepEqual(copied.match(/^## .*/gm) ?? [], headings, 'no heading of the server');
			}
		});
	}

	it('tells a text that is not shown to the letter', () => {
		const page = (text: string): PageContent => ({
			title: '',
			summary: '',
			tone: 'plain',
			facts: [],
			sections: [{ title: 's', blocks: [{ kind: 'code', text }] }],
		});
		assert.deepEqual(['a b', 'a\u202Eb', 'a\u0000b', 'a\rb'].map(page).map(isShownWhole), [true, false, false, false]);
	});

	it('says what is cut', () => {
		const text = (length: number): PageContent => ({
			title: 't',
			summary: '',
			tone: 'plain',
			facts: [],
			sections: [
				{ title: 's', blocks: [{ kind: 'text', text: 'x'.repeat(length) }] },
				{ title: 'l', blocks: [{ kind: 'list', items: Array.from({ length }, () => 'y') }] },
			],
		});
		assert.match(pageText(cleanPage(text(100_001))), /^Only the first 100,000 characters are shown\.$/m);
		assert.match(pageText(cleanPage(text(501))), /^- 1 more$/m);
		assert.ok(!pageText(cleanPage(text(500))).includes('more'));
		assert.deepEqual([500, 501, 100_001].map(text).map(isShownWhole), [true, false, false]);
	});
});
