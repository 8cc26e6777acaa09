/** The computer that the extension runs on, as a port, because the core and the features may not import Node's modules. */
export interface Environment {
	readonly home: string;
	readonly hostName: string;
	/** Whether its file systems usually ignore case. */
	readonly ignoresCase: boolean;
	/** The value of an environment variable. */
	get(name: string): string | undefined;
	/** The environment variables that a child process inherits. */
	inherited(): Record<string, string>;
}
