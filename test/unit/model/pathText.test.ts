// Texts by what is made of them: where they lead, whether all servers read them alike, whether a segment climbs.
import * as assert from 'node:assert/strict';
import { hasParent, isUnderstood, locatePath } from '../../../src/model/pathText.js';

type Row = readonly [
	text: string,
	kind: ReturnType<typeof locatePath>['kind'],
	isUnderstood: boolean,
	hasParent?: true,
];

const marks = (count: number): string => `a${'\u0301'.repeat(count)}`;

const table: readonly Row[] = [
	['', 'none', true],
	['é', 'none', true],
	['a'.repeat(4096), 'none', true],
	['a'.repeat(4097), 'none', false],
	[marks(30), 'none', true],
	[marks(31), 'none', false],
	['«', 'none', false],
	[':', 'none', true],
	['..', 'outside', true, true],
	['..a', 'none', true],
	['. .', 'outside', true, true],
	['\u200b..', 'unclear', false, true],
	['\ufeff…', 'unclear', false],
	// Encoded.
	['a%2/b', 'none', true],
	['%2e', 'none', false],
	['%5c«*/', 'unclear', false],
	// Homes, variables and commands.
	['a!bc!d', 'none', false],
	['!ab!x', 'unclear', false],
	['!x!', 'unclear', false],
	['``', 'unclear', false],
	['`ls`', 'unclear', false],
	// URIs.
	['view-source:file:x', 'unclear', false],
	['a.b+file:x', 'unclear', false],
	['ws://example.com/a', 'none', true],
	['http://example.com/a', 'none', true],
	['https://example.com:8080/a', 'none', true],
	// Markup and options.
	['a</div> b', 'none', true],
	['/>', 'unclear', false],
	['/>/', 'unclear', false],
	['[/>', 'unclear', false],
	['/>- ]', 'absolute', true],
	['a-b/c', 'none', true],
	// Lines that are an item of a list.
	['a\n12. ../x', 'unclear', false],
	['a\n~root/a b', 'unclear', false],
	['a\n${HOME}/a b', 'unclear', false],
	['a\n%HOME%/a b', 'unclear', false],
	['a\n/etc/x #!y', 'unclear', false],
	// Lines that are prose or source code.
	['a\n/etc is', 'none', false],
	['a\n$HOME is', 'none', false],
	['a\nfile: a/b', 'none', false],
	['x\na/b c', 'none', false],
	['b\na //', 'none', false],
	['b\na//', 'none', false],
	// Lines of slashes alone, with and without a comment around them.
	['a\n//\nb', 'unclear', false],
	['a\n//\n/// b', 'none', false],
	['a\n//\n//  b', 'none', false],
	['a\n//\nx // b', 'unclear', false],
	// As a path, the text as a whole.
	['/a b\nc', 'unclear', false],
	['/a b\nand a text that is longer/b', 'unclear', false],
	['a/../../b c\nd', 'unclear', false, true],
	['a\\..\\..\\b c\nd', 'unclear', false, true],
	// In brackets, beside a text that is no path.
	['[\n"a b", "~root/x"\n]', 'unclear', false],
	['[\n"a b", "C:/x"\n]', 'unclear', false],
	['[\n"a b", "$HOME/x"\n]', 'unclear', false],
	['[\n"a b", "%HOME% x"\n]', 'unclear', false],
	['[\n"a b", "file:x"\n]', 'unclear', false],
	['[\n"a b", "abc+file:x"\n]', 'unclear', false],
	['[\n"a b", "~root and"\n]', 'none', false],
	['[\n"a b", "..x y"\n]', 'none', false],
	['[\n"a b", "$HOME is"\n]', 'none', false],
];

describe('a text, as a path', () => {
	for (const [text, kind, understood, climbs = false] of table) {
		const shown = text.length > 60 ? `${text.slice(0, 10)}… (${text.length})` : text;
		it(`${JSON.stringify(shown)}: ${kind}${understood ? ', read alike by all' : ''}${climbs ? ', climbs' : ''}`, () => {
			assert.deepEqual([locatePath(text).kind, isUnderstood(text), hasParent(text)], [kind, understood, climbs]);
		});
	}
});
