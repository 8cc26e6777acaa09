/** All that is known of a failed start, as plain text. Environment variables but PATH are not in it. */
import * as vscode from 'vscode';
import { describeCause, describeFix, describeSide } from '../../host/diagnosisText.js';
import { oneLine } from '../../host/plainText.js';
import { describeFailedStart } from '../../host/stateWords.js';
import type { Diagnosis, Search, Situation } from '../../model/diagnosis.js';
import type { Place, ShellPath } from '../../model/doctor.js';

export interface ReportFacts {
	readonly label: string;
	readonly situation: Situation;
	readonly place: Place;
	readonly editorPath: string;
	/** Missing for a server at a URL. */
	readonly shell: ShellPath | undefined;
	readonly diagnosis: Diagnosis;
	readonly search: Search | undefined;
	readonly platform: string;
}

const maxLength = 2000;

export function doctorReport(facts: ReportFacts): string {
	const { t } = vscode.l10n;
	const { label, situation, diagnosis, search } = facts;
	const { failure, launch, stderr, noise } = situation;
	const reason = describeCause(diagnosis.cause);
	const isProcess = launch.kind === 'stdio';
	const sections: [title: string, lines: readonly string[]][] = [
		[
			t('What happened'),
			[
				describeFailedStart(line(label), diagnosis.cause, failure),
				...(reason === undefined ? [] : [reason]),
				...(diagnosis.cause.code === 'unknown' ? [t('Nothing more is known about the reason.')] : []),
			],
		],
		[t('What can be done'), diagnosis.fixes.map((fix, index) => `${index + 1}. ${describeFix(fix)}`)],
		isProcess
			? [
					t('What was run'),
					[
						[launch.command, ...launch.args].map(quoteWord).join(' '),
						t('Folder: {0}', line(facts.place.folder)),
						t('Where: {0}', describeSide()),
					],
				]
			: [t('Connection'), [line(launch.url), t('From: {0}', describeSide())]],
		...(search ? [searchSection(search)] : []),
		...(isProcess ? [...outputSections(stderr, noise), ...pathSections(facts)] : []),
	];
	return sections.map(([title, lines]) => [title, ...lines.map(it => `    ${it}`), ''].join('\n')).join('\n');
}

/** The output of a process that isn't messages. */
function outputSections(stderr: readonly string[], noise: readonly string[]): [string, string[]][] {
	const { t } = vscode.l10n;
	return [
		[t('Last lines of stderr'), stderr.length > 0 ? stderr.map(line) : [t('none')]],
		[t("Lines on stdout that aren't messages"), noise.length > 0 ? noise.map(line) : [t('none')]],
	];
}

function searchSection({ program, onPath, onShellPath, elsewhere }: Search): [string, string[]] {
	const { t } = vscode.l10n;
	const nowhere = t('not there');
	return [
		t('Where {0} was looked for', line(program)),
		[
			t('On the PATH of the server: {0}', line(onPath?.path ?? nowhere)),
			t('On the PATH of your shell: {0}', line(onShellPath?.path ?? nowhere)),
			t('Version managers and usual places: {0}', elsewhere.length > 0 ? '' : nowhere).trimEnd(),
			...elsewhere.map(it => `    ${line(it.path)}`),
		],
	];
}

/** The paths folder by folder: what only one of them has is marked. */
function pathSections({ editorPath, place, shell, platform }: ReportFacts): [string, string[]][] {
	const { t } = vscode.l10n;
	const separator = platform === 'win32' ? ';' : ':';
	const split = (path: string): string[] => path.split(separator).filter(it => it !== '');
	const editor = split(editorPath);
	const ofShell = shell?.kind === 'known' ? split(shell.path) : [];
	const marked = (folders: string[], others: string[]): string[] =>
		folders.map(it => (shell?.kind !== 'known' || others.includes(it) ? line(it) : t('{0}  (only here)', line(it))));
	const shellName = line(shell?.shell || t('unknown'));
	return [
		[t('PATH of the editor'), marked(editor, ofShell)],
		...(place.path === editorPath
			? []
			: [[t('PATH of the server'), split(place.path).map(line)] as [string, string[]]]),
		[
			t('PATH of your shell ({0})', shellName),
			shell?.kind === 'known' ? marked(ofShell, editor) : [describeUnknown(shell)],
		],
	];
}

function describeUnknown(shell: ShellPath | undefined): string {
	const { t } = vscode.l10n;
	switch (shell?.kind === 'unknown' ? shell.why : undefined) {
		case 'timeout':
			return t('not known: it took too long to start');
		case 'failed':
			return t('not known: it could not be asked');
		default:
			return t('not asked for: on Windows and in shells that are neither POSIX nor fish');
	}
}

function line(text: string): string {
	return oneLine(text, maxLength);
}

function quoteWord(word: string): string {
	const shown = line(word);
	return /^[^\s"'\\]+$/.test(shown) ? shown : JSON.stringify(shown);
}
