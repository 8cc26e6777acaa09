/**
 * PURE: whether an address could have come of a template (RFC 6570). Templates are a server's: nothing here goes back to
 * try again, so that none takes longer than its length times that of the address.
 */
import { parseTemplate } from 'url-template';

/** Characters; no server means longer ones. */
const maxLength = 4000;

/** What an expression begins with if it comes to anything, and what else than unreserved characters it may hold. */
const operators: Readonly<Record<string, { readonly first: string; readonly also: string }>> = {
	'.': { first: '.', also: ',' },
	'/': { first: '/', also: '/,' },
	';': { first: ';', also: ';=,' },
	'?': { first: '?', also: '&=,' },
	'&': { first: '&', also: '&=,' },
};
const reserved = new Set(":/?#[]@!$&'()*+,;=");

/** @param template one that `parseUriTemplate` takes */
export function isFit(template: string, uri: string): boolean {
	if (template.length > maxLength || uri.length > maxLength || /[\p{Z}\p{C}]/u.test(uri)) {
		return false;
	}
	const letters = Array.from(uri);
	// Where in the address one can be after each part of the template.
	let places = letters.map((_, index) => index === 0);
	places.push(letters.length === 0);
	for (const part of template.split(/(\{[^{}]*\})/)) {
		places = part.startsWith('{') ? afterExpression(part, letters, places) : afterLiteral(part, letters, places);
	}
	return places.at(-1) === true;
}

/** As it stands there, or as it is expanded: people write `grün`, addresses hold `gr%C3%BCn`. */
function afterLiteral(literal: string, letters: readonly string[], places: readonly boolean[]): boolean[] {
	const next = places.map(() => false);
	for (const text of new Set([literal, parseTemplate(literal).expand({})])) {
		const expected = Array.from(text);
		places.forEach((isHere, from) => {
			if (isHere && expected.every((it, index) => letters[from + index] === it)) {
				next[from + expected.length] = true;
			}
		});
	}
	return next;
}

function afterExpression(expression: string, letters: readonly string[], places: readonly boolean[]): boolean[] {
	const operator = expression.charAt(1);
	const isFree = operator === '+' || operator === '#';
	const { first, also } =
		operator === '#' ? { first: '#', also: '' } : (operators[operator] ?? { first: '', also: ',' });
	const isTaken = (letter: string): boolean => isFree || !reserved.has(letter) || also.includes(letter);
	// Without a first letter of its own it would leave a gap.
	const next = first === '' ? places.map(() => false) : [...places];
	let isInside = false;
	letters.forEach((letter, index) => {
		const begins = places[index] === true && (first === '' ? isTaken(letter) : letter === first);
		isInside = begins || (isInside && isTaken(letter));
		next[index + 1] ||= isInside;
	});
	return next;
}
