// What shells make of a text: segments that become `..`, and variables after which another path begins.
import * as assert from 'node:assert/strict';
import { climbsBelow, expandVariables, hasParent, mayBeParent } from '../../../../src/core/approvals/pathSegments.js';
import { isUnderstood, locatePath } from '../../../../src/core/approvals/pathText.js';

/** Segments that are the parent in some shell, or on some system. */
const parents = [
	'..',
	'...',
	'. .',
	'.\u200b.',
	'..;a',
	'..?a',
	'..#a',
	'..:a',
	'..\0a',
	// Variables that are empty.
	'..$9',
	'$9..',
	'.$9.',
	'..$x',
	'..${x}',
	'..$@',
	'..$*',
	'..$#',
	'..$?',
	'..$!',
	'..$$',
	'..$-',
	'.%XY%.',
	'.!xy!.',
	// Quotes and escapes.
	'."".',
	".''.",
	'.``.',
	'.\\.',
	'\\.\\.',
	'.^.',
	// Wildcards.
	'.?',
	'.??',
	'..*',
	'..*?',
	'.*.',
	'.[.]',
	'.[.a]',
	'.[a.]',
	'.[].]',
	'.[!a]',
	'.[^a]',
	'.[!a-z]',
	'.[+-0]',
	'.[[:punct:]]',
	'.[.][.]',
	// Alternatives.
	'..{,}',
	'.{.,}',
	'.{,.}',
	'.{.,a}',
	'.{a,.}',
	'.{a,.,b}',
	'.{a,{b,.}}',
	'{.,}.',
	// One alternative is none, but nested ones are.
	'..{a}',
	'.{{a},.}',
	'{..,x}',
	'{x,..}',
	'{.,x}{.,y}',
	'.{a,?}',
];

/** The same of `.*`, which is also a regular expression, and the hidden files. */
const hidden = ['.*', '.**', '.*?', '.?*', '.$x*', '.{*,a}'];

const children = [
	'.',
	'',
	'a',
	'..a',
	'a..',
	'.a.',
	'.$',
	'.""',
	'$x',
	'""',
	'*.*',
	'**',
	'?.',
	'*..',
	'[.].',
	'.[a]',
	'.[a-z]',
	'.[!.]',
	'.[^.]',
	'.[]',
	'.[.',
	'.].',
	'.{}',
	'.{,}',
	'.{a,b}',
	'{...}',
	'.{..}',
	'{.}.',
	'.{.',
	'.{.,a',
	'.}.',
	'.}{.,a',
	'.,.',
	'.{a,b}.c',
	'.{js,ts}',
	'.+',
	'.(.)',
	'.^\\.',
	'.é.',
	'{*,a}..',
	'{?,a}.*',
	'.},.{',
	'é..',
	'%..',
];

type Row = readonly [text: string, kind: ReturnType<typeof locatePath>['kind'], isUnderstood: boolean];

const table: readonly Row[] = [
	// Beside other segments.
	['..$9/x', 'unclear', false],
	['/w/..$9/x', 'unclear', false],
	['/w/.?/x', 'unclear', false],
	['/w/.*/x', 'unclear', false],
	['src/.$Z./x', 'unclear', false],
	['src/.""./x', 'unclear', false],
	['src/.\\./.\\./x', 'unclear', false],
	['src\\.^.\\x', 'unclear', false],
	['a b\nsrc/..$9/..$9/x', 'unclear', false],
	['.[!.]*/x', 'none', true],
	['src/**/*.*', 'none', true],
	['src/{a,b}/[id]/x', 'none', true],
	['^\\.\\./', 'none', false],
	['a/.*', 'none', false],
	// Hidden files, as long as the parent isn't above the start.
	['.*', 'none', true],
	['src/.*/x', 'none', false],
	['a/.*?/b', 'none', false],
	['**/.*', 'none', false],
	['.*/x', 'unclear', false],
	['src/.*/.*/x', 'unclear', false],
	['src/./.*/.*/x', 'unclear', false],
	['src/$9/.*/.*/x', 'unclear', false],
	['src/{.,}/.*/.*/x', 'unclear', false],
	['/a b\n.*/x', 'unclear', false],
	['a b\n.*/x', 'none', false],
	['.*/a b\nc', 'none', false],
	['/* a */ .*/b\nc', 'none', false],
	// Variables before a path.
	['$9/x', 'unclear', false],
	['$@/x', 'unclear', false],
	['$$/x', 'unclear', false],
	['a $9/x', 'unclear', false],
	['a ${HOME}/x', 'unclear', false],
	['--a=${x}/y', 'unclear', false],
	['a$IFS/x', 'unclear', false],
	['a${IFS}/x', 'unclear', false],
	['a$*/x', 'unclear', false],
	['a${*}/x', 'unclear', false],
	['a$IFS../x', 'unclear', false],
	['a%X%/x', 'unclear', false],
	['a!X!/x', 'unclear', false],
	['a${x:- }/x', 'unclear', false],
	['b\na$IFS/x', 'unclear', false],
	['b\n$@/x y', 'unclear', false],
	['$5 and 10/2', 'none', false],
	['a$x/b', 'none', false],
	['a$Ab/b', 'none', false],
	['a${x.y}/b', 'none', false],
	['$9', 'none', false],
	['#/$defs/a', 'none', false],
	['a `${b}/c` d', 'none', false],
	['b\ninclude(${AB}/c)', 'none', false],
	['b\nx,${A}/c)', 'unclear', false],
	["a$'b", 'none', false],
	['a$"b', 'none', false],
	['a$', 'none', true],
	['a$|b/c', 'none', true],
	// Commands, and other values.
	['src/$(printf x)', 'unclear', false],
	['$(x)', 'unclear', false],
	['x$(y)', 'none', false],
	['a/b $("c")', 'none', false],
	["a/b $('c')", 'none', false],
	['a/b $(<c)', 'none', false],
	['src/${Z:-..}', 'unclear', false],
	['src/${Z:-\\56}', 'unclear', false],
	['src/${ZZ:-..}', 'unclear', false],
	['src/${Z:-a.}', 'unclear', false],
	['src/${Z:-a}', 'none', false],
	['src/${a.b}', 'none', false],
	['${Z:-.}', 'unclear', false],
	['x${Z:-.}', 'none', false],
	// A URL has nameless folders.
	['file:///a//../x', 'unclear', false],
	['file:///a//x', 'absolute', true],
	['file:///a/../x', 'absolute', true],
	['/a//../x', 'absolute', true],
];

describe('what shells make of a path', () => {
	for (const part of parents) {
		it(`${JSON.stringify(part)} may be the parent`, () => {
			assert.deepEqual([hasParent(part), mayBeParent(part)], [true, true]);
			assert.equal(hasParent(`a/${part}/b`), true);
			assert.equal(isUnderstood(`a/${part}/b`), part === '..');
			assert.equal(climbsBelow(`a/${part}/b`, 0, false), false);
			assert.equal(climbsBelow(`a/${part}/${part}`, 0, false), true);
		});
	}

	for (const part of hidden) {
		it(`${JSON.stringify(part)} may be the parent, or hidden files`, () => {
			assert.deepEqual([hasParent(part), mayBeParent(part)], [false, true]);
			assert.deepEqual([climbsBelow(part, 0, true), climbsBelow(part, 0, false)], [true, false]);
			assert.equal(climbsBelow(`a/${part}`, 0, true), false);
		});
	}

	for (const part of children) {
		it(`${JSON.stringify(part)} is not the parent`, () => {
			assert.deepEqual([hasParent(part), mayBeParent(part), climbsBelow(part, 0, true)], [false, false, false]);
		});
	}

	for (const [text, kind, understood] of table) {
		it(`${JSON.stringify(text)}: ${kind}${understood ? ', read alike by all' : ''}`, () => {
			assert.deepEqual([locatePath(text).kind, isUnderstood(text)], [kind, understood]);
		});
	}

	it('counts folders from the start', () => {
		assert.equal(climbsBelow('a', 1, false), false);
		assert.equal(climbsBelow('.b/..', 0, false), false);
		assert.equal(climbsBelow('.{/..', 0, false), false);
		assert.equal(climbsBelow('', 1, false), true);
		assert.equal(climbsBelow('a\\..', 1, false), true);
		assert.equal(climbsBelow('a/""/..', 1, false), true);
	});

	it('has blanks for variables that may have some', () => {
		assert.equal(expandVariables('a$IFS,${IFS},$x,${x},$X1,$_,$*,$@,$#,$1'), 'a , ,,, , , , ,, ');
		assert.equal(expandVariables('%x%,!x!,${x:-y},${a b},${a.b},`$x`,$!,${ab:-c}'), ' , , , ,,`x`,, ');
	});
});
