/** Recognizes paths of other computers. */

/** Whether a path leads to another computer. Reading it on Windows would send the person's identity to that computer. */
export function isNetworkPath(path: string): boolean {
	return /^[\\/]{2}/.test(path);
}
