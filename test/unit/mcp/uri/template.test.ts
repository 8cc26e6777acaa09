import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseUriTemplate, type UriTemplate } from '../../../../src/mcp/index.js';

function parse(text: string): UriTemplate {
	const template = parseUriTemplate(text);
	assert.ok(template, `${text} is a template`);
	return template;
}

describe('URI templates', () => {
	// RFC 6570, 1.2 and 3.2: its own examples, of all levels.
	const values = {
		var: 'value',
		hello: 'Hello World!',
		path: '/foo/bar',
		empty: '',
		list: 'red,green,blue',
		segments: 'red/green/blue',
		x: '1024',
		y: '768',
		constructor: 'made',
	};
	const expanded: readonly (readonly [template: string, uri: string])[] = [
		['{var}', 'value'],
		['{hello}', 'Hello%20World%21'],
		['{+var}', 'value'],
		['{+hello}', 'Hello%20World!'],
		['{+path}/here', '/foo/bar/here'],
		['here?ref={+path}', 'here?ref=/foo/bar'],
		['X{#hello}', 'X#Hello%20World!'],
		['map?{x,y}', 'map?1024,768'],
		['{x,hello,y}', '1024,Hello%20World%21,768'],
		['{+path,x}/here', '/foo/bar,1024/here'],
		['X{.x,y}', 'X.1024.768'],
		['{/var,x}/here', '/value/1024/here'],
		['{;x,y,empty}', ';x=1024;y=768;empty'],
		['{?x,y,empty}', '?x=1024&y=768&empty='],
		['?fixed=yes{&x}', '?fixed=yes&x=1024'],
		['{var:3}', 'val'],
		['{list*}', 'red,green,blue'],
		['{/segments*}', '/red/green/blue'],
		['{.list*}', '.red.green.blue'],
		['{?list*}', '?list=red&list=green&list=blue'],
		['{?undef}', ''],
		['x{undef}y', 'xy'],
		['{constructor}', 'made'],
		['{toString}', ''],
		['grün {var}', 'gr%C3%BCn%20value'],
	];
	for (const [template, uri] of expanded) {
		// covers: resources.templates
		it(`${template} comes to ${uri}`, () => {
			assert.equal(parse(template).expand(values), uri);
		});
	}

	it('a list in a path is written as a path', () => {
		assert.equal(parse('lib://tree{/path*}').expand({ path: 'a/b c//d' }), 'lib://tree/a/b%20c/d');
	});

	it('lists its variables, each once, and which have to be there', () => {
		assert.deepEqual(parse('db://{table}/{row-id:4}{?columns*,table}').variables, [
			{ name: 'table', isRequired: true, isList: false },
			{ name: 'row-id', isRequired: true, isList: false, maxLength: 4 },
			{ name: 'columns', isRequired: false, isList: true },
		]);
		assert.deepEqual(parse('x:{?a}{a}').variables, [{ name: 'a', isRequired: true, isList: false }]);
		assert.deepEqual(parse('lib://plain').variables, []);
	});

	const wrong = [
		'{',
		'}',
		'a{b',
		'a}b',
		'{}',
		'{a',
		'{{a}}',
		'{a,}',
		'{,a}',
		'{=a}',
		'{!a}',
		'{|a}',
		'{@a}',
		'{a b}',
		'{a:0}',
		'{a:12345}',
		'{a:}',
		'{a**}',
		'{.}',
		'{a..b}',
		'{%zz}',
	];
	for (const text of wrong) {
		it(`${text} is none`, () => {
			assert.equal(parseUriTemplate(text), undefined);
		});
	}

	it('refuses values that no address can have, or has no use for', () => {
		const template = parse('x:{a}{b:3}{?c}');
		const codes = (name: string, ...tried: readonly string[]): unknown[] =>
			tried.map(it => template.check(name, it)?.code);
		assert.deepEqual(codes('a', '', 'a', 'a\nb', '\uD800', '🌱', 'x'.repeat(2001)), [
			'required',
			undefined,
			'invisible',
			'invisible',
			undefined,
			'tooLong',
		]);
		assert.deepEqual(codes('b', 'abc', 'abcd'), [undefined, 'tooLong']);
		assert.deepEqual(codes('c', ''), [undefined]);
	});

	it('never throws, and expands what it has let pass', () => {
		const text = fc.string({
			unit: fc.constantFrom('{', '}', 'a', ',', '*', ':', '1', '?', '/', '%', 'ü', '\uD800', '.'),
		});
		fc.assert(
			fc.property(text, fc.string({ unit: 'binary' }), (written, rest) => {
				// A list of commas only is empty.
				const value = `a${rest}`;
				const template = parseUriTemplate(written);
				const isFine = template?.variables.every(it => !template.check(it.name, value)) ?? false;
				if (template && isFine) {
					const uri = template.expand(Object.fromEntries(template.variables.map(it => [it.name, value])));
					assert.equal(typeof uri, 'string');
				}
			}),
		);
	});
});
