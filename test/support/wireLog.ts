// Checks what went over the wire in a real editor, where tests cannot listen: from the log channels of our extension,
// which hold every message at trace level.
//
// The log is the better witness than fixture servers that record what they hear: it is there for real servers and
// for HTTP as well, and it is what a person would look at. Its price: the tests run at trace level, which asks
// servers for their debug messages, and a line that is too long for the log is cut and cannot be checked; such lines
// are counted and told.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { SentCheck } from './sentCheck.js';

export interface WireReport {
	/** Sent messages that were checked. */
	checked: number;
	/** Sent messages that the log has cut. */
	cut: number;
	/** What is wrong, each with its file. */
	readonly problems: string[];
}

/** The variable that names the file to which every editor's check appends its numbers as a line of JSON. */
export const wireVariable = 'MCP_WORKBENCH_TEST_WIRE';

/** Has the editor log what our extension sends: `--log` of the desktop, `logLevel` of a page. */
export const traceLevel = 'mcp-workbench.mcp-workbench=trace';

/** What `logText` ends a line with that it has cut. */
const cutMark = '…';

interface LogLine {
	readonly text: string;
	readonly direction?: 'sent' | 'received';
}

/**
 * Checks the log files of our channels below a folder, appends the numbers to the file of `wireVariable`, and fails if
 * a message does not fit.
 * @throws Error that names each message
 */
export function checkWireLogs(folder: string, countsFile = process.env[wireVariable]): WireReport {
	const report: WireReport = { checked: 0, cut: 0, problems: [] };
	for (const { name, text, isWhole } of channels(folder)) {
		checkWireLog(name, text, report, isWhole);
	}
	const { checked, cut, problems } = report;
	if (countsFile !== undefined) {
		fs.appendFileSync(countsFile, `${JSON.stringify({ checked, cut })}\n`);
	}
	if (problems.length > 0) {
		throw new Error(`${problems.length} messages do not fit their schema:\n${problems.join('\n')}`);
	}
	return report;
}

/** The sum of what was appended to the file of `wireVariable`. */
export function readWireCounts(file: string): { readonly checked: number; readonly cut: number } {
	const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
	const all = lines.map(line => JSON.parse(line) as { checked: number; cut: number });
	return { checked: all.reduce((sum, it) => sum + it.checked, 0), cut: all.reduce((sum, it) => sum + it.cut, 0) };
}

/**
 * Checks the log of one channel; `report` is added to.
 * @param isWhole otherwise what stands before the first start belongs to one whose handshake is gone: it counts as cut
 */
export function checkWireLog(name: string, text: string, report: WireReport, isWhole = true): void {
	let check = isWhole ? new SentCheck() : undefined;
	for (const line of logLines(text)) {
		if (line.direction === undefined) {
			// Another start of the server: nothing is agreed on.
			check = /^(Starting|Connecting): /.test(line.text) ? new SentCheck() : check;
			continue;
		}
		// A server may answer with facts alone, such as an HTTP status. We always send a message.
		if (line.direction === 'received' && startOf(line.text) < 0) {
			continue;
		}
		if (!check) {
			report.cut += line.direction === 'sent' ? 1 : 0;
			continue;
		}
		try {
			const message = messageOf(line.text);
			if (message === undefined) {
				report.cut += line.direction === 'sent' ? 1 : 0;
			} else if (line.direction === 'received') {
				check.received(message);
			} else {
				report.checked++;
				check.sent(message);
			}
		} catch (error) {
			report.problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
}

/** The editor keeps at least so many full files of a channel, and deletes older ones. */
const fullFiles = 5;

interface Channel {
	readonly name: string;
	readonly text: string;
	/** Nothing of it was deleted. */
	readonly isWhole: boolean;
}

/** The files of each channel as one text: the editor starts another file when one is full. */
function channels(folder: string): Channel[] {
	const files = fs
		.readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter(it => path.basename(it).startsWith('MCP Workbench') && it.endsWith('.log'))
		// `name.1.log` is older than `name.log`.
		.toSorted((a, b) => part(a) - part(b) || a.localeCompare(b));
	const texts = new Map<string, string>();
	for (const file of files) {
		const name = file.replace(/(\.\d+)?\.log$/, '');
		texts.set(name, (texts.get(name) ?? '') + fs.readFileSync(path.join(folder, file), 'utf8'));
	}
	return Array.from(texts, ([name, text]) => ({
		name,
		text,
		isWhole: !files.includes(`${name}.${fullFiles}.log`),
	}));
}

function part(file: string): number {
	return -Number(/\.(\d+)\.log$/.exec(file)?.[1] ?? 0);
}

function logLines(text: string): LogLine[] {
	// What follows a line break within a message is indented: only a line of the editor begins with a time.
	const lines = text.split(/\r?\n(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[)/);
	return lines.map(line => {
		const said = line.trimEnd().replace(/^\S+ \S+ \[\w+\] /, '');
		const [tag, arrow] = /^\[(client → server|server → client)\] /.exec(said) ?? [];
		return tag === undefined
			? { text: said }
			: { text: said.slice(tag.length), direction: arrow === 'client → server' ? 'sent' : 'received' };
	});
}

/** `undefined` if it was cut. Facts such as an HTTP status may stand before the message. @throws SyntaxError */
function messageOf(text: string): unknown {
	const start = startOf(text);
	if (start < 0) {
		throw new Error(`No message: ${text}`);
	}
	try {
		return JSON.parse(
			text
				.slice(start)
				.replace(/\n {4}/g, '\\n')
				.replace(spelledOut, spellAsJson),
		);
	} catch (error) {
		if (text.endsWith(cutMark)) {
			return undefined;
		}
		throw error;
	}
}

/** Where the JSON begins: an object or an array of objects. */
function startOf(text: string): number {
	return text.search(/\{|\[[{\]]/);
}

/** What `logText` spells out of a text in JSON: there, a backslash of the text's own is doubled. */
const spelledOut = /(?<=(?:^|[^\\])(?:\\\\)*)\\u\{([0-9a-f]+)\}/g;

function spellAsJson(_: string, hex: string): string {
	return JSON.stringify(String.fromCodePoint(Number.parseInt(hex, 16))).slice(1, -1);
}
