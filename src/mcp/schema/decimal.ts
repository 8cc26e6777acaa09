/**
 * Decimal arithmetic. In binary floating point, 0.3 is not a multiple of 0.1, and an integer of twenty digits is rounded.
 */
import { trimEnd } from '../../base/trim.js';

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
	readonly digits: bigint;
	readonly exponent: number;
}

/** Whether `value` is a multiple of `of`, both taken as decimal numbers. */
export function isMultipleOf(value: number, of: number): boolean {
	if (!Number.isFinite(value) || !Number.isFinite(of) || of <= 0) {
		// An invalid `multipleOf` is a mistake of the schema, not of the value.
		return true;
	}
	const a = decimal(String(value));
	const b = decimal(String(of));
	// Exponents of JavaScript numbers are at most a few hundred, so the scaled numbers stay small.
	const exponent = Math.min(a.exponent, b.exponent);
	return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

/** Whether `value`, the JavaScript number for a JSON number, is exactly the number of the text. */
export function isSameNumber(text: string, value: number): boolean {
	const a = decimal(text);
	const b = decimal(String(value));
	return a.digits === b.digits && (a.digits === 0n || a.exponent === b.exponent);
}

/** The normal form, without zeros at the end of the digits, so that equal numbers have equal parts. */
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
