/**
 * Programs that a server can start and that the person uses besides: they must not end with the server. A server that
 * opens a page can start the person's browser as its descendant, one that opens a file their editor, one that signs
 * something the agent that has their keys. A browser that was started for automation is the server's.
 */
import { type ProcessRow, type ProcessSource, readCommandLine } from './processTable.js';

const browsers =
	/^(?:brave(?:-browser)?|chrome|chromium(?:-browser)?|epiphany|firefox(?:-bin|-esr)?|google-chrome(?:-\w+)?|konqueror|librewolf|microsoft-edge(?:-\w+)?|msedge|opera|vivaldi(?:-bin)?)$/i;
/** Editors and terminals, and programs that run once for all who use them. */
const others =
	/^(?:adb|code(?:-insiders|-oss)?|codium|conmon|containerd(?:-shim.*)?|cursor|dbus-(?:broker|daemon)|dockerd|gnome-keyring-daemon|gpg-agent|idea|keyboxd|kitty|konsole|podman|rootlesskit|screen|scdaemon|soffice\.bin|ssh-agent|systemd|tmux|windsurf|xdg-\w+|zed(?:-editor)?)$/i;
const isForAutomation =
	/^--?(?:enable-automation|headless|juggler|marionette|profile(?!-directory)|remote-debugging|test-type|user-data-dir)/i;
const isOfPage = /^--?(?:contentproc$|type=)/;

/** Whether `row` is a process of such a program. */
export function isShared(row: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>, source?: ProcessSource): boolean {
	const [own = ''] = wordsOf(readCommandLine(row.pid, source));
	return others.test(nameOf(own)) || isOwnBrowser(row, byPid, source);
}

/** Whether `row` is a process of a browser that wasn't started for automation. */
function isOwnBrowser(row: ProcessRow, byPid: ReadonlyMap<number, ProcessRow>, source?: ProcessSource): boolean {
	let options: readonly string[] | undefined;
	// A browser's first process, the parent of its others, has the options.
	for (let it: ProcessRow | undefined = row; it; it = it.parent === it.pid ? undefined : byPid.get(it.parent)) {
		const [program = '', ...rest] = wordsOf(readCommandLine(it.pid, source));
		if (!browsers.test(nameOf(program))) {
			break;
		}
		options = rest;
	}
	// A page whose browser has ended is of use to no one.
	return options !== undefined && !options.some(it => isForAutomation.test(it) || isOfPage.test(it));
}

/** The file name of a program; some servers of a session write a title such as "tmux: server" in its place. */
function nameOf(program: string): string {
	return program.replace(/^.*\//, '').replace(/[: ].*$/, '');
}

/** Chromium's renderers and helpers write all their words into the first one, with blanks between. */
function wordsOf(words: readonly string[]): readonly string[] {
	const [all = ''] = words;
	return words.length === 1 ? all.split(/ (?=-)/) : words;
}
