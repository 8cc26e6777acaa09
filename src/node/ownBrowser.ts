/**
 * Tells the web browser of the person from one that a server drives. A page that a server opens may start the person's
 * browser as its descendant: that must not end with the server. One that was started to be driven must.
 */
import { type ProcessRow, type ProcessSource, readCommandLine } from './processTable.js';

const browsers =
	/^(?:brave(?:-browser)?|chrome|chromium(?:-browser)?|epiphany|firefox(?:-bin|-esr)?|google-chrome(?:-\w+)?|konqueror|librewolf|microsoft-edge(?:-\w+)?|msedge|opera|vivaldi(?:-bin)?)$/i;
const isForAutomation =
	/^--?(?:enable-automation|headless|juggler|marionette|profile(?!-directory)|remote-debugging|test-type|user-data-dir)/i;
const isOfPage = /^--?(?:contentproc$|type=)/;

/** Whether `row` is a process of a browser that nobody drives. */
export function isOwnBrowser(row: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>, source?: ProcessSource): boolean {
	let options: readonly string[] | undefined;
	// The process that started the others of a browser has its options.
	for (let it: ProcessRow | undefined = row; it; it = it.parent === it.pid ? undefined : byPid.get(it.parent)) {
		const [program = '', ...rest] = wordsOf(readCommandLine(it.pid, source));
		if (!browsers.test(program.replace(/^.*\//, ''))) {
			break;
		}
		options = rest;
	}
	// A page whose browser has ended is of use to no one.
	return options !== undefined && !options.some(it => isForAutomation.test(it) || isOfPage.test(it));
}

/** Chromium's renderers and helpers write all their words into the first one, with blanks between. */
function wordsOf(words: readonly string[]): readonly string[] {
	const [all = ''] = words;
	return words.length === 1 ? all.split(/ (?=-)/) : words;
}
