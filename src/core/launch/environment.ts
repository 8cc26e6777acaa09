/** The machine around us, as a port: the rooms of the editor may not ask Node themselves. */
export interface Environment {
	readonly home: string;
	/** What the machine calls itself. */
	readonly hostName: string;
	/** Its disks most often take "A" and "a" for the same name. */
	readonly ignoresCase: boolean;
	/** The value of an environment variable. */
	get(name: string): string | undefined;
	/** What a child process inherits. */
	inherited(): Record<string, string>;
}
