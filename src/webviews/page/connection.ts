/** The connection of a page to the extension, and its announcements for screen readers. */
import { element } from './elements.js';

/** A page's access to the extension and to its state, which is kept while the tab is hidden and over a reload of the window. */
export interface Connection<From, State> {
	readonly tell: (message: From) => void;
	readonly getState: () => State | undefined;
	readonly setState: (state: State) => void;
}

declare function acquireVsCodeApi(): {
	readonly postMessage: (message: unknown) => void;
	readonly getState: () => unknown;
	readonly setState: (state: unknown) => void;
};

/** Connects the page. The editor allows this once. */
export function connect<From, State = never>(): Connection<From, State> {
	const { postMessage, getState, setState } = acquireVsCodeApi();
	return { tell: postMessage, getState: () => getState() as State | undefined, setState };
}

/** The element for announcements. It is never replaced, because screen readers only announce changes of an existing element. */
export const announcer = element('p', 'announcer');
announcer.setAttribute('role', 'status');

/** Announces a text to screen readers. */
export function announce(text: string): void {
	announcer.textContent = text;
}
