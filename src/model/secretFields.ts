/** PURE: which fields of a form look as if they asked for a secret. A guess: it warns, and blocks nothing. */
import type { Field } from '../mcp/index.js';

const words =
	/(?:pass(?:word|phrase|code|wd)|\bpwd\b|secret|credential|api.?key|private.?key|access.?key|auth.?key|(?:access|auth|bearer|refresh|api|session|security).?token|^token$|\btoken\b|\bpin\b|\botp\b|\bcvv\b|\bcvc\b|card.?number|social.?security|\bssn\b)/i;

/** Spec, elicitation: "Servers MUST NOT use form mode elicitation to request sensitive information". */
export function looksLikeSecret({ kind, name, title, description, ...rest }: Field): boolean {
	if (kind === 'boolean' || kind === 'choices') {
		return false;
	}
	const format = 'format' in rest ? rest.format : undefined;
	// `apiKey` and `user_pin` are words too.
	const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
	return format === 'password' || [name, spaced, title ?? '', description ?? ''].some(it => words.test(it));
}
