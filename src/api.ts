/** What `activate` returns to other extensions. Versioned; grows, never changes. */

/** One configured server as it is now. */
export interface ServerSnapshot {
	readonly name: string;
	readonly state: 'stopped' | 'untrusted' | 'waiting' | 'starting' | 'running' | 'stopping' | 'reconnecting' | 'failed';
	/** The negotiated protocol revision, while it runs. */
	readonly protocolVersion: string | undefined;
	/** How many tools, resources, templates and prompts it lists; `undefined` until they are known. */
	readonly counts: {
		readonly tools: number | undefined;
		readonly resources: number | undefined;
		readonly resourceTemplates: number | undefined;
		readonly prompts: number | undefined;
	};
}

export interface ExtensionApi {
	readonly version: 1;
	/** Every configured server, in the order of the configuration. */
	servers(): readonly ServerSnapshot[];
	/** Calls back after any change of what `servers` gives. */
	onDidChangeServers(listener: () => void): { dispose(): void };
}
