/** Paths of other computers. */

/** Whether a path leads to another computer: looking at it tells that computer who the person is. Windows only. */
export function isNetworkPath(path: string): boolean {
	return /^[\\/]{2}/.test(path);
}
