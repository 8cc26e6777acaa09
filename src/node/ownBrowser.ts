/**
 * Tells the person's web browser from one that a server automates. A server that opens a page can start the person's
 * browser as its descendant, which must not be ended with the server; a browser started for automation must be.
 */
import { type ProcessRow, type ProcessSource, readCommandLine } from './processTable.js';

const browsers =
	/^(?:brave(?:-browser)?|chrome|chromium(?:-browser)?|epiphany|firefox(?:-bin|-esr)?|google-chrome(?:-\w+)?|konqueror|librewolf|microsoft-edge(?:-\w+)?|msedge|opera|vivaldi(?:-bin)?)$/i;
const isForAutomation =
	/^--?(?:enable-automation|headless|juggler|marionette|profile|remote-debugging|test-type|user-data-dir)/i;

/** Whether `row` is a process of a browser that wasn't started for automation. */
export function isOwnBrowser(row: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>, source?: ProcessSource): boolean {
	let options: readonly string[] | undefined;
	// A browser's first process, the parent of its others, has the options.
	for (let it: ProcessRow | undefined = row; it; it = it.parent === it.pid ? undefined : byPid.get(it.parent)) {
		const [program = '', ...rest] = readCommandLine(it.pid, source);
		if (!browsers.test(program.replace(/^.*\//, ''))) {
			break;
		}
		options = rest;
	}
	return options !== undefined && !options.some(it => isForAutomation.test(it));
}
