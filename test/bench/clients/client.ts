/** What a scenario asks of a client: ours, the two rivals and the floor each have it in a file of their own. */

/** In this order in every table. */
export const clientNames = ['floor', 'sdkV1', 'sdkV2', 'ours'] as const;
export type ClientName = (typeof clientNames)[number];

/** Where the server is. A stdio server is started by the client, as in real life. */
export type Address =
	| { readonly over: 'stdio'; readonly args: readonly string[] }
	| { readonly over: 'http'; readonly url: string; readonly isModern: boolean };

export interface BenchClient {
	/** The result, checked against the `outputSchema` that the last listing had for it (not by the floor). */
	callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
	/** Every page; how many there are. */
	listTools(): Promise<number>;
	listResources(): Promise<number>;
	/** Told of every log message of the server. */
	onLog(listener: () => void): void;
	/** Resolves when a subscription to a resource has told of so many updates. Only of clients that know the modern era. */
	readUpdates?(count: number): Promise<void>;
	close(): Promise<void>;
}

/** Connects, with the handshake of the legacy era unless told: the default of both rivals. */
export type OpenClient = (address: Address) => Promise<BenchClient>;

/** Bytes that a message may have, for the clients that have a limit. */
export const maxMessageBytes = 256 * 1024 * 1024;

/** The resource of which the server tells so many updates as soon as it is subscribed to. */
export function updatedResource(count: number): string {
	return `bench:///updated/${count}`;
}

/** Follows `nextCursor` where a client leaves that to its user. */
export async function countPages<Page extends { readonly nextCursor?: string | undefined }>(
	ask: (params: { cursor?: string }) => Promise<Page>,
	entries: (page: Page) => readonly unknown[],
): Promise<number> {
	const all: unknown[] = [];
	let cursor: string | undefined;
	do {
		const page = await ask(cursor === undefined ? {} : { cursor });
		for (const entry of entries(page)) {
			all.push(entry);
		}
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return all.length;
}
