import * as assert from 'node:assert/strict';
import {
	type Disposable,
	DisposableStore,
	Emitter,
	MutableDisposable,
	Owner,
	toDisposable,
} from '../../../src/base/lifecycle.js';
import { leakCheck } from '../../support/leakCheck.js';

describe('lifecycle', () => {
	const { own } = leakCheck();
	let lines: string[] = [];
	beforeEach(() => (lines = []));

	function thing(name: string, error?: Error): Disposable {
		return toDisposable(() => {
			lines.push(name);
			if (error) {
				throw error;
			}
		});
	}

	describe('toDisposable', () => {
		it('calls once, also when disposing disposes again', () => {
			const it: Disposable = toDisposable(() => {
				lines.push('called');
				it.dispose();
			});
			it.dispose();
			it.dispose();
			assert.deepEqual(lines, ['called']);
		});
	});

	describe('DisposableStore', () => {
		it('disposes in reverse order, once', () => {
			const store = new DisposableStore();
			for (const name of ['a', 'b', 'c']) {
				store.add(thing(name));
			}
			assert.equal(store.isDisposed, false);
			store.dispose();
			store.dispose();
			assert.equal(store.isDisposed, true);
			assert.deepEqual(lines, ['c', 'b', 'a']);
		});

		it('disposes all even if some throw, and throws their errors together', () => {
			const [first, second] = [new Error('first'), new Error('second')];
			const store = new DisposableStore();
			store.add(thing('a', first));
			store.add(thing('b'));
			store.add(thing('c', second));
			assert.throws(
				() => store.dispose(),
				(error: unknown) => {
					assert.ok(error instanceof AggregateError);
					assert.deepEqual(error.errors, [second, first]);
					return true;
				},
			);
			assert.deepEqual(lines, ['c', 'b', 'a']);
			store.dispose();
		});

		it('disposes late arrivals at once', () => {
			const store = new DisposableStore();
			store.dispose();
			const late = thing('late');
			assert.equal(store.add(late), late);
			assert.deepEqual(lines, ['late']);
		});
	});

	describe('Owner', () => {
		it('disposes what it owns, last made first', () => {
			class Both extends Owner {
				readonly a = this.own(thing('a'));
				readonly b = this.own(thing('b'));
			}
			const both = new Both();
			both.dispose();
			both.dispose();
			assert.deepEqual(lines, ['b', 'a']);
		});
	});

	describe('MutableDisposable', () => {
		it('disposes the value before, not one that is set again', () => {
			const slot = own(new MutableDisposable<Disposable>());
			const a = thing('a');
			slot.value = a;
			slot.value = a;
			assert.deepEqual(lines, []);
			slot.value = thing('b');
			assert.deepEqual(lines, ['a']);
			slot.value = undefined;
			assert.deepEqual(lines, ['a', 'b']);
			assert.equal(slot.value, undefined);
		});

		it('disposes what is set after the end', () => {
			const slot = new MutableDisposable<Disposable>();
			slot.value = thing('a');
			slot.dispose();
			slot.value = thing('late');
			assert.equal(slot.value, undefined);
			assert.deepEqual(lines, ['a', 'late']);
		});
	});

	describe('Emitter', () => {
		it('calls listeners in order until they unsubscribe', () => {
			const emitter = own(new Emitter<number>());
			const first = own(emitter.event(value => lines.push(`first ${value}`)));
			const second = own(emitter.event(value => lines.push(`second ${value}`)));
			assert.equal(emitter.hasListeners, true);
			emitter.fire(1);
			first.dispose();
			emitter.fire(2);
			second.dispose();
			emitter.fire(3);
			assert.equal(emitter.hasListeners, false);
			assert.deepEqual(lines, ['first 1', 'second 1', 'second 2']);
		});

		it('does not call a listener that one before it has unsubscribed', () => {
			const emitter = own(new Emitter<void>());
			own(emitter.event(() => second.dispose()));
			const second = own(emitter.event(() => lines.push('second')));
			emitter.fire();
			assert.deepEqual(lines, []);
		});

		it('calls the other listeners after one that throws', () => {
			const errors: unknown[] = [];
			const emitter = own(new Emitter<void>(error => errors.push(error)));
			const error = new Error('listener');
			own(
				emitter.event(() => {
					throw error;
				}),
			);
			own(emitter.event(() => lines.push('second')));
			emitter.fire();
			assert.deepEqual([lines, errors], [['second'], [error]]);
		});

		it('is silent after the end, also in the middle of an event', () => {
			const emitter = new Emitter<void>();
			own(emitter.event(() => emitter.dispose()));
			own(emitter.event(() => lines.push('second')));
			emitter.fire();
			emitter.fire();
			own(emitter.event(() => lines.push('late')));
			emitter.fire();
			assert.equal(emitter.hasListeners, false);
			assert.deepEqual(lines, []);
		});
	});
});
