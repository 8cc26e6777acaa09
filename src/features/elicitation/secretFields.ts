/** Which fields of a form look as if they asked for a secret. A guess: it warns, and blocks nothing. */
import type { Field } from '../../mcp/index.js';

const kinds =
	'pass(?:word|phrase|code|wd)|secret|credential|(?:api|private|access|auth).?key|(?:access|auth|bearer|refresh|api|session|security).?token|card.?number|social.?security';
/** Short words say it in a name; a description may speak of them to say the opposite. */
const inName = new RegExp(`${kinds}|\\b(?:token|pwd|pin|otp|cvv|cvc|ssn)\\b`, 'i');
const inDescription = new RegExp(`\\byour\\b[^.]{0,40}(?:${kinds})`, 'i');

/** Spec, elicitation: "Servers MUST NOT use form mode elicitation to request sensitive information". */
export function asksForSecret({ kind, name, title, description, isSecret }: Field): boolean {
	if (kind === 'boolean' || kind === 'choices') {
		return false;
	}
	// `apiKey` and `user_pin` are words too.
	const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
	return isSecret || [name, spaced, title ?? ''].some(it => inName.test(it)) || inDescription.test(description ?? '');
}
