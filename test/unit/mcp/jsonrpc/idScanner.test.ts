import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { IdScanner } from '../../../../src/mcp/jsonrpc/idScanner.js';

function scan(bytes: Uint8Array, size: number): string | number | undefined {
	const scanner = new IdScanner();
	for (let start = 0; start < bytes.length; start += size) {
		// A copy each: a stream may use its buffer again.
		scanner.push(Uint8Array.from(bytes.subarray(start, start + size)));
	}
	return scanner.responseId;
}

describe('IdScanner', () => {
	const table: readonly (readonly [text: string, id: string | number | undefined])[] = [
		// Where it stands.
		['{"id":7,"result":{}}', 7],
		['{"jsonrpc":"2.0","result":{"a":[1,{"b":2}]},"id":7}', 7],
		['{"jsonrpc":"2.0","error":{"code":1,"message":"m"},"id":"x"}', 'x'],
		['{"jsonrpc":"2.0","id":7,"result":{"id":8}}', 7],
		['{"id":7}', 7],
		// Not the one of the message.
		['{"result":{"id":8}}', undefined],
		['{"result":[{"id":8}],"jsonrpc":"2.0"}', undefined],
		['{"result":{"a":{"id":8}},"id":7}', 7],
		['{"id":7,"result":{"a":{"id":8},"id":9}}', 7],
		['{"result":"\\"id\\":8","id":7}', 7],
		['{"result":"{\\"id\\":8}"}', undefined],
		['{"result":"id","other":"\\"id\\":8"}', undefined],
		['{"idx":8,"xid":9,"ID":10," id":11}', undefined],
		['[{"id":7,"result":{}}]', undefined],
		// Strings that look like structure.
		['{"result":"}]{[,:","id":7}', 7],
		['{"result":{"}":"{","]":["[",","]},"id":7}', 7],
		['{"result":"\\\\","id":7}', 7],
		['{"result":"\\\\\\"","id":7}', 7],
		['{"a\\"b}":1,"id":7}', 7],
		['{"result":"\\u0022","id":7}', 7],
		// Every kind of id.
		['{"id":0}', 0],
		['{"id":-12}', -12],
		['{"id":1e3}', 1000],
		['{"id":""}', ''],
		['{"id":"a\\"}{,:\\\\"}', 'a"}{,:\\'],
		['{"id":"ä漢😀\\u00e4"}', 'ä漢😀ä'],
		['{"id":"a b"}', 'a b'],
		['{"id":null,"error":{}}', undefined],
		['{"id":true}', undefined],
		['{"id":{"a":1}}', undefined],
		['{"id":[1,2],"x":{"id":3}}', undefined],
		// Written in unusual ways.
		['{"\\u0069\\u0064":7}', 7],
		[' \t{ "result" : { } , "id" : 7 } \r', 7],
		[`{${' '.repeat(2000)}"id"${' '.repeat(2000)}:${' '.repeat(2000)}7${' '.repeat(2000)}}`, 7],
		['\uFEFF{"id":7}', 7],
		['{"id":7,"id":8}', 8],
		['{"ä漢😀":"😀","id":7}', 7],
		// The peer's own requests and notifications.
		['{"id":7,"method":"roots/list","params":{}}', undefined],
		['{"method":"m","params":{"id":8}}', undefined],
		['{"params":{},"id":7,"\\u006dethod":"m"}', undefined],
		['{"result":{"method":"m"},"id":7}', 7],
		['{"id":7,"method":null,"result":{}}', 7],
		['{"method" : 1 ,"id":7,"result":{}}', 7],
		// Not one whole object.
		['', undefined],
		['{}', undefined],
		['{"id":7', undefined],
		['{"id":7,"result":"', undefined],
		['{"id":7}{"id":8}', undefined],
		['{"id":7} x', undefined],
		['x{"id":7}', undefined],
		['"id"', undefined],
		['7', undefined],
		// Longer than an id of ours.
		[`{"id":"${'x'.repeat(2000)}"}`, undefined],
		[`{"${'x'.repeat(2000)}":1,"id":7}`, 7],
		[`{"id":"${'x'.repeat(2000)}","id":7}`, 7],
	];

	for (const [text, id] of table) {
		it(`${text.length > 60 ? `${text.slice(0, 57)}…` : text} → ${JSON.stringify(id)}, in pieces of every size`, () => {
			const bytes = Buffer.from(text);
			const sizes = bytes.length > 200 ? [1, 2, 3, 7, 64, 1023, bytes.length] : bytes.length + 1;
			for (const size of typeof sizes === 'number' ? Array.from({ length: sizes }, (_, at) => at + 1) : sizes) {
				assert.equal(scan(bytes, size), id, `in pieces of ${size}`);
			}
		});
	}

	it('gives no id of a request whose number is read as another', () => {
		const read = (id: string): unknown => {
			const scanner = new IdScanner();
			scanner.push(Buffer.from(`{"id":${id},"method":"roots/list"}`));
			return scanner.requestId;
		};
		assert.deepEqual(['9007199254740993', '1.00000000000000000001', '12', '"9007199254740993"'].map(read), [
			undefined,
			undefined,
			12,
			'9007199254740993',
		]);
	});

	it('reads the same id as JSON.parse from any object, in pieces of any size', () => {
		const id = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null));
		const value = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('id', '"', '{', '\\'), fc.jsonValue()));
		fc.assert(
			fc.property(
				value,
				id,
				value,
				fc.boolean(),
				fc.integer({ min: 1, max: 50 }),
				(before, it, after, spaced, size) => {
					const text = JSON.stringify({ before, id: it, after }, undefined, spaced ? ' ' : undefined);
					const parsed = (JSON.parse(text) as { id: string | number | null }).id;
					assert.equal(scan(Buffer.from(text), size), parsed ?? undefined);
				},
			),
		);
	});

	describe('what a message contains makes no difference to the cost of a byte', () => {
		const size = 64 * 1024;
		const plain = { head: '{"a":"', repeated: 'x' };
		const shapes: readonly { readonly head: string; readonly repeated: string }[] = [
			{ head: '{', repeated: ':,' },
			{ head: '{', repeated: '"id":,' },
			{ head: '{', repeated: '"id":1,' },
			{ head: '{', repeated: '"id":"a",' },
			{ head: '{', repeated: '"\\u0069\\u0064":1,' },
			{ head: '{', repeated: '"method":1,' },
			{ head: '{', repeated: '"":0,' },
			{ head: '{', repeated: '""' },
			{ head: '{"', repeated: 'i' },
			{ head: '{"', repeated: '\\uzzzz' },
			{ head: '{"id":"', repeated: 'x' },
			{ head: '{"id":', repeated: '[{"id":' },
			{ head: '{"id":', repeated: ' ' },
			{ head: '{"a":', repeated: '[{' },
			{ head: '{"a":"', repeated: '\\"' },
			{ head: '{"a":', repeated: '""' },
		];
		const bytesOf = (repeated: string): Uint8Array =>
			new TextEncoder().encode(repeated.repeat(Math.ceil(size / repeated.length)));

		/** The least CPU time of several scans, in microseconds. */
		function costOf({ head, repeated }: (typeof shapes)[number]): number {
			const bytes = bytesOf(repeated);
			const times = Array.from({ length: 10 }, () => {
				const scanner = new IdScanner();
				scanner.push(Buffer.from(head));
				const began = process.cpuUsage();
				for (let count = 0; count < 16; count++) {
					scanner.push(bytes);
				}
				return process.cpuUsage(began).user;
			});
			return Math.min(...times);
		}

		it('in time', () => {
			costOf(plain);
			const base = costOf(plain);
			for (const shape of shapes) {
				// About 2, measured. A token parsed for each of these would be 50 to 1000.
				const ratio = costOf(shape) / base;
				assert.ok(ratio < 8, `${shape.head} ${shape.repeated}: ${ratio.toFixed(1)} times the cost of plain text`);
			}
		});

		it('in tokens that are decoded or parsed before the result is asked for: none', () => {
			let count = 0;
			const parse = JSON.parse;
			const decode = Reflect.get(TextDecoder.prototype, 'decode') as (...args: unknown[]) => string;
			JSON.parse = (...args) => {
				count++;
				return parse(...args) as unknown;
			};
			Reflect.set(TextDecoder.prototype, 'decode', function (this: unknown, ...args: unknown[]) {
				count++;
				return decode.apply(this, args);
			});
			try {
				for (const { head, repeated } of shapes) {
					const scanner = new IdScanner();
					scanner.push(Buffer.from(head));
					scanner.push(bytesOf(repeated));
				}
			} finally {
				JSON.parse = parse;
				Reflect.set(TextDecoder.prototype, 'decode', decode);
			}
			assert.equal(count, 0);
		});
	});

	it('never throws, whatever the bytes are', () => {
		fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => void scan(bytes, 7)));
	});
});
