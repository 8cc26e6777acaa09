/**
 * Programs that a server can start but that the person uses too, so they must not end with the server: their browser if the
 * server opens a page, their editor if it opens a file, the agent with their keys if it signs something. A browser that was
 * started for automation belongs to the server.
 */
import { type ProcessRow, type ProcessSource, readCommandLine } from './processTable.js';

const browsers =
	/^(?:brave(?:-browser)?|chrome|chromium(?:-browser)?|epiphany|firefox(?:-bin|-esr)?|google-chrome(?:-\w+)?|konqueror|librewolf|microsoft-edge(?:-\w+)?|msedge|opera|vivaldi(?:-bin)?)$/i;
/** Editors, terminals, and programs that run once for all their users. */
const others =
	/^(?:adb|code(?:-insiders|-oss)?|codium|conmon|containerd(?:-shim.*)?|cursor|dbus-(?:broker|daemon)|dockerd|gnome-keyring-daemon|gpg-agent|idea|keyboxd|kitty|konsole|podman|rootlesskit|screen|scdaemon|soffice\.bin|ssh-agent|systemd|tmux|windsurf|xdg-\w+|zed(?:-editor)?)$/i;
const isForAutomation =
	/^--?(?:enable-automation|headless|juggler|marionette|profile(?!-directory)|remote-debugging|test-type|user-data-dir)/i;
const isOfPage = /^--?(?:contentproc$|type=)/;

/** Whether `row` is a process of a program that the person uses too. */
export function isShared(row: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>, source?: ProcessSource): boolean {
	const [own = ''] = wordsOf(readCommandLine(row.pid, source));
	return others.test(programName(own)) || isOwnBrowser(row, byPid, source);
}

/** Whether `row` is a process of a browser that wasn't started for automation. */
function isOwnBrowser(row: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>, source?: ProcessSource): boolean {
	let options: readonly string[] | undefined;
	// The options are those of the browser's first process, the ancestor of the others.
	for (let it: ProcessRow | undefined = row; it; it = it.parent === it.pid ? undefined : byPid.get(it.parent)) {
		const [program = '', ...rest] = wordsOf(readCommandLine(it.pid, source));
		if (!browsers.test(programName(program))) {
			break;
		}
		options = rest;
	}
	// A renderer whose browser has ended (its options name its type) needn't be spared.
	return options !== undefined && !options.some(it => isForAutomation.test(it) || isOfPage.test(it));
}

/** The file name of a program. Some programs replace it with a title, for example "tmux: server". */
function programName(program: string): string {
	return program.replace(/^.*\//, '').replace(/[: ].*$/, '');
}

/** The words of a command line. Chromium's renderers and helpers join all words into the first, separated by spaces. */
function wordsOf(words: readonly string[]): readonly string[] {
	const [all = ''] = words;
	return words.length === 1 ? all.split(/ (?=-)/) : words;
}
