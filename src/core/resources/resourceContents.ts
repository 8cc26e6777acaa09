/** PURE: what one read of a resource gave, as bytes, and what can go wrong on the way. */
import { tryDecodeBase64 } from '../../base/base64.js';
import { type ResourceContents, RpcError, RpcErrorCode } from '../../mcp/index.js';

/** One content of a read. */
export interface ReadContent {
	/** The server's own URI of it; of one of several it may differ from the one that was read. */
	readonly uri: string;
	readonly mimeType: string | undefined;
	readonly bytes: Uint8Array;
	/** It came as text; bytes may be text all the same. */
	readonly isText: boolean;
}

export type ResourceProblem =
	/** The server answered with no contents at all. */
	| { readonly code: 'nothing' }
	| { readonly code: 'brokenBase64' }
	/** One of several contents, which the answer does not have any more. */
	| { readonly code: 'noPart' }
	/** More bytes than one message may have. */
	| { readonly code: 'tooLarge'; readonly size: number; readonly limit: number };

/** A resource cannot be had, for a reason that no request failed with. */
export class ResourceError extends Error {
	override readonly name = 'ResourceError';

	constructor(readonly problem: ResourceProblem) {
		super(problem.code);
	}
}

/** @throws ResourceError for what is no base64 */
export function toContents(contents: readonly ResourceContents[]): readonly ReadContent[] {
	return contents.map(({ uri, mimeType, text, blob = '' }) => {
		const bytes = text === undefined ? tryDecodeBase64(blob) : new TextEncoder().encode(text);
		if (!bytes) {
			throw new ResourceError({ code: 'brokenBase64' });
		}
		return { uri, mimeType, bytes, isText: text !== undefined };
	});
}

/** Whether both would look the same. */
export function sameContents(a: readonly ReadContent[], b: readonly ReadContent[]): boolean {
	return (
		a.length === b.length &&
		a.every((it, index) => {
			const other = b[index];
			return (
				other !== undefined &&
				it.uri === other.uri &&
				it.mimeType === other.mimeType &&
				sameBytes(it.bytes, other.bytes)
			);
		})
	);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
	let at = a.length === b.length ? 0 : -1;
	while (at >= 0 && at < a.length && a[at] === b[at]) {
		at++;
	}
	return at === a.length;
}

/** Bytes that base64 of them takes in a message. */
export function encodedSize(bytes: number): number {
	return Math.ceil(bytes / 3) * 4;
}

/**
 * Whether an error of a read says that there is no such resource. Spec: -32602 since 2026-07-28, -32002 before, and
 * servers of either era send either.
 */
export function isVanished(error: unknown): boolean {
	return (
		error instanceof RpcError &&
		(error.code === RpcErrorCode.resourceNotFound || error.code === RpcErrorCode.invalidParams)
	);
}
