/** The run that others are compared with: `recorded.json`, and its table in README.md of this folder. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { type Recording, renderTable, type Row } from './table.js';

const recordedFile = path.join(projectRoot, 'test', 'bench', 'recorded.json');
const documentFile = path.join(projectRoot, 'test', 'bench', 'README.md');
const beginMark = '<!-- npm run bench -- --record: begin -->';
const endMark = '<!-- npm run bench -- --record: end -->';

export function readRecording(): Recording | undefined {
	return fs.existsSync(recordedFile) ? (JSON.parse(fs.readFileSync(recordedFile, 'utf8')) as Recording) : undefined;
}

/** A run of now on this machine, without its name. */
export function recordingOf(rows: readonly Row[]): Recording {
	const names: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
		darwin: 'macOS',
		linux: 'Linux',
		win32: 'Windows',
	};
	const system = names[process.platform] ?? process.platform;
	const node = process.versions.node.split('.').slice(0, 2).join('.');
	return {
		date: new Date().toISOString().slice(0, 10),
		machine: `${os.availableParallelism()} cores, ${system}, Node ${node}`,
		rows,
	};
}

/** @throws Error if README.md has no place for the table */
export function writeRecording(recording: Recording): void {
	fs.writeFileSync(recordedFile, `${JSON.stringify(recording, undefined, '\t')}\n`);
	const text = fs.readFileSync(documentFile, 'utf8');
	fs.writeFileSync(documentFile, replaceTable(text, recording));
}

/** The document with the table of `recording` between its marks. */
export function replaceTable(document: string, recording: Recording): string {
	const begin = document.indexOf(beginMark);
	const end = document.indexOf(endMark);
	if (begin === -1 || end < begin) {
		throw new Error(`No place for the table: ${beginMark} … ${endMark}`);
	}
	const table = `Measured ${recording.date} on ${recording.machine}.\n\n${renderTable(recording.rows)}`;
	return `${document.slice(0, begin)}${beginMark}\n\n${table}\n\n${document.slice(end)}`;
}
