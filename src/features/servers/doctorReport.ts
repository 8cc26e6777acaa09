/** All that is known of a failed start, as plain text. Environment variables but PATH are not in it. */
import * as vscode from 'vscode';
import { describeSource } from '../../editor/l10n/configWords.js';
import { adviceFor, describeCause, describeFix, describeSide } from '../../editor/l10n/diagnosisText.js';
import { documentText, oneLine } from '../../editor/ui/plainText.js';
import { describeFailedStart } from '../../editor/l10n/stateWords.js';
import type { Diagnosis, Search, Situation } from '../../core/diagnosis/diagnosis.js';
import type { Place, ShellPath } from '../../core/diagnosis/doctor.js';
import type { ConfigSource, StdioDefinition } from '../../core/config/serverDefinition.js';
import { quoteWord } from '../../core/addServer/shellWords.js';

export interface ReportFacts {
	/** All of it: a label may be cut. */
	readonly name: string;
	/** Where it is configured. */
	readonly source: ConfigSource;
	readonly situation: Situation;
	readonly place: Place;
	/** Missing where no program was looked for. */
	readonly shell: ShellPath | undefined;
	readonly diagnosis: Diagnosis;
	readonly search: Search | undefined;
	readonly platform: string;
}

type Section = readonly [title: string, lines: readonly string[]];

const maxLength = 2000;

export function doctorReport(facts: ReportFacts): string {
	const { t } = vscode.l10n;
	const { launch } = facts.situation;
	const sections: readonly Section[] = [
		[t('What happened'), whatHappened(facts)],
		[t('What can be done'), stepsFor(facts).map((step, index) => `${index + 1}. ${step}`)],
		...(launch.kind === 'stdio'
			? [...outputSections(facts.situation), commandSection(launch, facts), ...searchSections(facts)]
			: [[t('Connection'), [line(launch.url), t('From: {0}', describeSide())]] as const]),
	];
	return sections.map(([title, lines]) => [title, ...lines.map(it => `    ${it}`), ''].join('\n')).join('\n');
}

function whatHappened({ name, diagnosis: { cause }, situation }: ReportFacts): string[] {
	const reason = describeCause(cause);
	const isUnknown = cause.code === 'unknown' && !hasOutput(situation);
	return [
		describeFailedStart(line(name), cause, situation.failure),
		...(reason === undefined ? [] : [reason]),
		...(isUnknown ? [vscode.l10n.t('Nothing more is known about the reason.')] : []),
	];
}

/** The likeliest first. */
function stepsFor({ source, diagnosis: { cause, fixes }, situation }: ReportFacts): string[] {
	const { t } = vscode.l10n;
	const file = line(describeSource(source));
	const advice = adviceFor(cause, file);
	if (advice !== undefined) {
		return [advice, ...fixes.filter(it => it.kind !== 'editConfiguration').map(it => describeFix(it, file))];
	}
	const steps = fixes.map(it => describeFix(it, file));
	if (cause.code !== 'unknown' || situation.failure.kind !== 'exited') {
		return steps;
	}
	return [
		hasOutput(situation)
			? t('Read the error output below, or run the command in a terminal.')
			: t('Run the command in a terminal to see what it does.'),
		...steps,
	];
}

function hasOutput({ stderr, noise }: Situation): boolean {
	return stderr.length > 0 || noise.length > 0;
}

/** The output of a process that isn't messages. */
function outputSections({ failure, stderr, noise }: Situation): Section[] {
	const { t } = vscode.l10n;
	const hasRun = stderr.length > 0 || failure.kind === 'exited';
	return [
		...(hasRun ? [[t('Error output (stderr)'), linesOr(stderr, t('none'))] as const] : []),
		...(noise.length > 0 ? [[t("Lines on stdout that aren't messages"), noise.map(line)] as const] : []),
	];
}

function commandSection({ command, args }: StdioDefinition, { place, platform }: ReportFacts): Section {
	const { t } = vscode.l10n;
	const words = [command, ...args].map(it => quoteWord(it, platform === 'win32'));
	return [
		t('What was run'),
		[
			documentText(words.join(' ')).replaceAll('\n', '\\n'),
			t('Folder: {0}', line(place.folder)),
			t('Where: {0}', describeSide()),
		],
	];
}

/** Where a program was looked for that was not found by its name. */
function searchSections({ search, place, shell, platform }: ReportFacts): Section[] {
	const { t } = vscode.l10n;
	if (!search || search.onPath || /[\\/]/.test(search.program)) {
		return [];
	}
	const { program, onShellPath, elsewhere } = search;
	const nowhere = t('not there');
	const separator = platform === 'win32' ? ';' : ':';
	const split = (path: string): string[] => [...new Set(path.split(separator))].filter(it => it !== '');
	const folders = split(place.path);
	return [
		[
			t('Where {0} was looked for', line(program)),
			[
				t('On the PATH of the server: {0}', nowhere),
				t('On the PATH of your shell: {0}', line(onShellPath?.path ?? nowhere)),
				t('Version managers and usual places: {0}', elsewhere.length > 0 ? '' : nowhere).trimEnd(),
				...elsewhere.map(it => `    ${line(it.path)}`),
			],
		],
		[t('PATH of the server'), linesOr(folders, t('none'))],
		shell?.kind === 'known'
			? [
					t('Only on the PATH of your shell ({0})', line(shell.shell)),
					linesOr(
						split(shell.path).filter(it => !folders.includes(it)),
						t('none'),
					),
				]
			: [t('PATH of your shell ({0})', line(shell?.shell || t('unknown'))), [describeUnknown(shell)]],
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

function linesOr(lines: readonly string[], none: string): string[] {
	return lines.length > 0 ? lines.map(line) : [none];
}

function line(text: string): string {
	return oneLine(text, maxLength);
}
