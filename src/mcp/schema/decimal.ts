/**
 * PURE: arithmetic on numbers as they are written. In binary, 0.3 is no multiple of 0.1, and a whole number of twenty
 * digits turns into its neighbour.
 */

import { trimEnd } from '../../base/trim.js';

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
	readonly digits: bigint;
	readonly exponent: number;
}

/** Whether `value` is a multiple of `of`, both read as they are written. */
export function isMultipleOf(value: number, of: number): boolean {
	if (!Number.isFinite(value) || !Number.isFinite(of) || of <= 0) {
		// No multiple of that can be asked for; the schema is wrong, not the value.
		return true;
	}
	const a = decimal(String(value));
	const b = decimal(String(of));
	// Exponents of JavaScript's numbers end at a few hundred, so these stay small.
	const exponent = Math.min(a.exponent, b.exponent);
	return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

/** Whether text that JSON calls a number, read by JavaScript, is still that number. */
export function isSameNumber(text: string, value: number): boolean {
	const a = decimal(text);
	const b = decimal(String(value));
	return a.digits === b.digits && (a.digits === 0n || a.exponent === b.exponent);
}

/** Without zeros at the end of the digits, so that equal numbers are equal. */
function decimal(text: string): Decimal {
	const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
	const [whole = '', fraction = ''] = mantissa.split('.');
	const trimmed = trimEnd(`${whole}${fraction}`, '0');
	const digits = /\d$/.test(trimmed) ? trimmed : `${trimmed}0`;
	const removed = whole.length + fraction.length - digits.length;
	return { digits: BigInt(digits), exponent: Number(power) - fraction.length + removed };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
	return digits * 10n ** BigInt(exponent - to);
}
