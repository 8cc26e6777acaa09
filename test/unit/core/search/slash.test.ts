import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findCommands, parseSlash, slashText, typedArguments } from '../../../../src/core/search/slash.js';

const commands = [
	'everything.simple-prompt',
	'everything.args-prompt',
	'everything.completable-prompt',
	'everything.resource-prompt',
	'my server.greet',
	'context7.code',
];

function find(text: string): string[] {
	const entries = commands.map(name => ({ name, prompt: { title: name.includes('greet') ? 'Say hello' : '' } }));
	return findCommands(entries, parseSlash(text), 10).map(it => it.name);
}

describe('slash commands', () => {
	it('finds a command by the beginnings of its parts', () => {
		assert.equal(find('/ev co')[0], 'everything.completable-prompt');
		assert.equal(find('/eve.ar')[0], 'everything.args-prompt');
		assert.equal(find('/ev ar')[0], 'everything.args-prompt');
		assert.equal(find('completable')[0], 'everything.completable-prompt');
		assert.equal(find('/evcmp')[0], 'everything.completable-prompt');
		assert.equal(find('/ev completable-pr')[0], 'everything.completable-prompt');
		assert.equal(find('/hello')[0], 'my server.greet');
	});

	it('gives all of them, in their order, while nothing is typed', () => {
		assert.deepEqual([find(''), find('/'), find(' / ')], [commands, commands, commands]);
	});

	it('finds nothing for what no command has', () => {
		assert.deepEqual(find('/zzz'), []);
		assert.deepEqual(find('/ev zzz'), []);
	});

	it('puts a command that is named in full first', () => {
		assert.deepEqual(find('/context7.code'), ['context7.code']);
		assert.deepEqual(find('/my server.greet'), ['my server.greet']);
	});

	const two = ['city', 'state'];
	for (const [typed, expected] of [
		['/everything.args-prompt city="Paris"', { city: 'Paris' }],
		['/ev ar city="New York" state=NY', { city: 'New York', state: 'NY' }],
		[`/ev ar city='say "hi"'`, { city: 'say "hi"' }],
		[String.raw`/ev ar city="a \"b\" \\ c"`, { city: String.raw`a "b" \ c` }],
		['/ev ar city="unfinished bus', { city: 'unfinished bus' }],
		['/ev ar city= state=x', { city: '', state: 'x' }],
		['/ev ar city=a city=b', { city: 'b' }],
		['/ev ar other=1 city=a', { city: 'a' }],
		['/everything.args-prompt "New York" NY more', { city: 'New York', state: 'NY' }],
		['/everything.args-prompt state=NY "New York"', { city: 'New York', state: 'NY' }],
		['/everything.args-prompt', {}],
		['/ev ar Paris', {}],
		['', {}],
	] as const) {
		it(`takes the arguments of ${typed || 'nothing'}`, () => {
			assert.deepEqual(typedArguments(parseSlash(typed), 'everything.args-prompt', two), expected);
		});
	}

	it('takes arguments behind a name with blanks', () => {
		assert.deepEqual(find('/my server.greet Ada'), ['my server.greet']);
		assert.deepEqual(typedArguments(parseSlash('/my server.greet Ada'), 'my server.greet', ['who']), { who: 'Ada' });
	});

	it('reads back what it writes, whatever the values are', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (city, state) => {
				const text = slashText('everything.args-prompt', { city, state });
				assert.deepEqual(typedArguments(parseSlash(text), 'everything.args-prompt', two), { city, state });
			}),
		);
	});
});
