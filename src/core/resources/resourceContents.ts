/** The contents of a resource as bytes, and the errors of reading them. */
import { tryDecodeBase64 } from '../../base/base64.js';
import { type ResourceContents, RpcError, RpcErrorCode } from '../../mcp/index.js';

/** One content of a resource; a read can return several. */
export interface ReadContent {
	/** The URI that the server sent with the content. It may differ from the one that was read. */
	readonly uri: string;
	readonly mimeType: string | undefined;
	readonly bytes: Uint8Array;
	/** Whether the content was sent as text. */
	readonly isText: boolean;
}

export type ResourceProblem =
	/**
	 * `nothing`: the server returned no contents. `noPart`: the requested one of several contents no longer exists.
	 * `versionGone`: the earlier version is no longer kept.
	 */
	| { readonly code: 'nothing' | 'brokenBase64' | 'noPart' | 'versionGone' }
	/** The resource exceeds the limit of one message; both in bytes. */
	| { readonly code: 'tooLarge'; readonly size: number; readonly limit: number };

/** A resource can't be shown although its request succeeded, or because the request would exceed a limit. */
export class ResourceError extends Error {
	override readonly name = 'ResourceError';

	constructor(readonly problem: ResourceProblem) {
		super(problem.code);
	}
}

/** @throws ResourceError `brokenBase64` */
export function toContents(contents: readonly ResourceContents[]): readonly ReadContent[] {
	return contents.map(({ uri, mimeType, text, blob = '' }) => {
		const bytes = text === undefined ? tryDecodeBase64(blob) : new TextEncoder().encode(text);
		if (!bytes) {
			throw new ResourceError({ code: 'brokenBase64' });
		}
		return { uri, mimeType, bytes, isText: text !== undefined };
	});
}

/** Whether both have the same URIs, media types and bytes, in the same order. */
export function sameContents(a: readonly ReadContent[], b: readonly ReadContent[]): boolean {
	return (
		a.length === b.length &&
		a.every(({ uri, mimeType, bytes }, index) => {
			const other = b[index];
			return uri === other?.uri && mimeType === other.mimeType && sameBytes(bytes, other.bytes);
		})
	);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
	// Not `every`: contents may have millions of bytes.
	for (let at = 0; at < a.length; at++) {
		if (a[at] !== b[at]) {
			return false;
		}
	}
	return a.length === b.length;
}

/** The size of bytes as base64. */
export function encodedSize(bytes: number): number {
	return Math.ceil(bytes / 3) * 4;
}

/** Whether a read failed because the resource does not exist. Spec: -32602 since 2026-07-28, -32002 before; servers mix both. */
export function isVanished(error: unknown): boolean {
	return (
		error instanceof RpcError &&
		(error.code === RpcErrorCode.resourceNotFound || error.code === RpcErrorCode.invalidParams)
	);
}
