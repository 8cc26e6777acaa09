/** Whether an uncaught error comes from an extension that ships with the editor, such as the Node debugger. */
export function isOfBuiltInExtension(error: unknown): boolean {
	const [frame] = (error instanceof Error ? error.stack : undefined)?.match(/^\s+at .*$/m) ?? [];
	return frame !== undefined && /[\\/]extensions[\\/]ms-vscode\./.test(frame);
}
