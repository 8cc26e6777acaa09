// Texts by what is made of them: where they lead, whether all servers read them alike, whether a segment climbs.
import * as assert from 'node:assert/strict';
import { hasParent } from '../../../src/model/pathSegments.js';
import { isUnderstood, locatePath } from '../../../src/model/pathText.js';

type Row = readonly [
	text: string,
	kind: ReturnType<typeof locatePath>['kind'],
	isUnderstood: boolean,
	hasParent?: true,
];

const marks = (count: number): string => `a${'\u0301'.repeat(count)}`;

/** A character that was percent-encoded more than once. */
const encoded = (hex: string, times: number): string => `%${'25'.repeat(times - 1)}${hex}a`;

const table: readonly Row[] = [
	['', 'none', true],
	['é', 'none', true],
	['a'.repeat(4096), 'none', true],
	['a'.repeat(4097), 'none', false],
	[marks(30), 'none', true],
	[marks(31), 'none', false],
	// No equals sign: the first stroke makes another character of it.
	[`a=${'\u0338'.repeat(31)}/b`, 'none', false],
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
	['a/%c0%ae%c0%ae/b', 'unclear', false],
	['..%25c0%afx', 'unclear', false],
	['%%002fetc', 'unclear', false],
	[encoded('2f', 5), 'unclear', false],
	[encoded('2f', 6), 'unclear', false],
	[encoded('20', 5), 'none', false],
	[encoded('20', 6), 'unclear', false],
	[encoded('20', 20), 'unclear', false],
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
	['https://example.com:8/a', 'none', true],
	['https://example.com/a:80', 'none', true],
	['https://example.com.:80/a', 'none', false],
	['https://c:/x', 'none', true],
	['u=https://example.com\\a', 'none', false],
	['file:///..', 'absolute', true, true],
	['file:///a\\b', 'unclear', false],
	// Markup and options.
	['a</div> b', 'none', true],
	['/>', 'unclear', false],
	['/>/', 'unclear', false],
	['[/>', 'unclear', false],
	['/>- ]', 'absolute', true],
	['a-b/c', 'none', true],
	['a-b/c+', 'none', true],
	// Lines that are an item of a list.
	['a\n12. ../x', 'unclear', false],
	['a\n~root/a b', 'unclear', false],
	['a\n${HOME}/a b', 'unclear', false],
	['a\n%HOME%/a b', 'unclear', false],
	['a\n%HOME%', 'unclear', false],
	['a\n!HOME!', 'unclear', false],
	['a\nb,/etc', 'unclear', false],
	['a\n  +++ /etc b', 'unclear', false],
	['a\n/*a*/b/c', 'unclear', false],
	['a\n/*a/', 'unclear', false],
	['a\n/etc/x #!y', 'unclear', false],
	['a\nb c\0/etc', 'unclear', false],
	['a\n\u200b/etc', 'unclear', false],
	[`${marks(30)}\n\u200b/etc`, 'unclear', false],
	['a\nb="/etc', 'unclear', false],
	['a\n--file="/etc"', 'unclear', false],
	['a\n-b=("/etc")', 'unclear', false],
	['a\n/*b/* </b>', 'unclear', false],
	['a\n/*b/c </b>', 'unclear', false],
	['a\n/*b/*', 'unclear', false],
	['a\nb/...', 'unclear', false, true],
	['a\n.../b', 'unclear', false],
	['a\nC:', 'unclear', false],
	// Lines that are prose or source code.
	['a\n/etc is', 'none', false],
	['a\nsee --- /b c', 'none', false],
	['a\n/*ab c/d*/', 'none', false],
	['a\n$HOME is', 'none', false],
	['a\nfile: a/b', 'none', false],
	['x\na/b c', 'none', false],
	['b\na //', 'none', false],
	['b\na//', 'none', false],
	['a\nb=* /c', 'none', false],
	['a\nf("/b"/c)', 'none', false],
	['a\n(="b"/c', 'none', false],
	['a\n$b=c', 'none', false],
	['a\nb:,c', 'none', false],
	['a\n<b>c,</b>/d', 'none', false],
	['<a\n  b\n/>\n', 'none', false],
	['a\n/// "\nb', 'none', false],
	['a\n/* </b>', 'none', false],
	['a\n/*b', 'none', false],
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
	['a b/../c\n', 'unclear', false, true],
	['a\nb c/../.."', 'unclear', false, true],
	['a b//../../c\nd', 'unclear', false, true],
	['a b/./../../c\nd', 'unclear', false, true],
	['a b/ /../../c\nd', 'unclear', false, true],
	['a\u2044b c/\u200b/../../d\ne', 'unclear', false, true],
	['/a b\nc // d', 'unclear', false],
	['$a;// b\nc', 'unclear', false],
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
