/** Guesses which fields of a form ask for a secret. The guess shows a warning and blocks nothing. */
import type { Field } from '../../mcp/index.js';

const kinds =
	'pass(?:word|phrase|code|wd)|secret|credential|(?:api|private|access|auth).?key|(?:access|auth|bearer|refresh|api|session|security).?token|card.?number|social.?security';
/** Short words count only in names: a description may mention them without asking for one. */
const inName = new RegExp(`${kinds}|\\b(?:token|pwd|pin|otp|cvv|cvc|ssn)\\b`, 'i');
const inDescription = new RegExp(`\\byour\\b[^.]{0,40}(?:${kinds})`, 'i');

/** Spec, elicitation: "Servers MUST NOT use form mode elicitation to request sensitive information". */
export function asksForSecret({ kind, name, title, description, isSecret }: Field): boolean {
	if (kind === 'boolean' || kind === 'choices') {
		return false;
	}
	// Divides `apiKey` and `user_pin` into words.
	const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
	return isSecret || [name, spaced, title ?? ''].some(it => inName.test(it)) || inDescription.test(description ?? '');
}
