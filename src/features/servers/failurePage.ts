/** The page of a failed start. It contains no environment variables except PATH. */
import * as vscode from 'vscode';
import { describeSource } from '../../editor/l10n/configWords.js';
import { describeCause, describeFix, describeServerMachine } from './diagnosisText.js';
import { documentText, oneLine } from '../../editor/ui/plainText.js';
import { shownAddress } from '../../editor/ui/shownNames.js';
import { describeFailedStart } from '../../editor/l10n/stateWords.js';
import type { Diagnosis, LaunchPlace, Search, ShellPath, Situation } from '../../core/diagnosis/diagnosis.js';
import type { ConfigSource, StdioDefinition } from '../../core/config/serverDefinition.js';
import type { PageBlock, PageContent, PageSection } from '../../webviews/page/reading/protocol.js';
import { quoteWord } from '../../core/addServer/shellWords.js';

const maxLength = 2000;

export interface DiagnosisFacts {
	/** The full name of the server, because labels may be cut. */
	readonly name: string;
	readonly source: ConfigSource;
	readonly situation: Situation;
	readonly place: LaunchPlace;
	/** `undefined` if no program was searched for. */
	readonly shell: ShellPath | undefined;
	readonly diagnosis: Diagnosis;
	readonly search: Search | undefined;
	readonly platform: string;
}

export function failurePage(facts: DiagnosisFacts): PageContent {
	const { t } = vscode.l10n;
	const { name, source, situation, diagnosis } = facts;
	const { launch } = situation;
	const reasons = reasonsOf(facts);
	return {
		title: t('Diagnosis of {0}', name),
		summary: describeFailedStart(name, diagnosis.cause, situation.failure),
		tone: 'error',
		facts: [{ label: t('Configured in'), value: describeSource(source) }],
		sections: [
			...(reasons.length > 0
				? [section(t('Likely reason'), ...reasons.map(text => ({ kind: 'text', text }) as const))]
				: []),
			section(t('Solutions'), { kind: 'numbers', items: stepsFor(facts) }),
			...(launch.kind === 'stdio'
				? [...outputSections(situation), commandSection(launch, facts), ...searchSections(facts)]
				: [
						section(t('Connection'), {
							kind: 'rows',
							rows: [
								{ label: t('URL'), value: shownAddress(launch.url) },
								{ label: t('Connecting from'), value: describeServerMachine() },
							],
						}),
					]),
		],
	};
}

function section(title: string, ...blocks: readonly PageBlock[]): PageSection {
	return { title, blocks };
}

function reasonsOf({ diagnosis: { cause }, situation }: DiagnosisFacts): string[] {
	const reason = describeCause(cause);
	const isUnknown = cause.code === 'unknown' && !hasOutput(situation);
	return [...(reason === undefined ? [] : [reason]), ...(isUnknown ? [vscode.l10n.t('The cause is unknown.')] : [])];
}

/** Actions for the person, the most likely to help first. */
function stepsFor({ source, diagnosis: { cause, fixes }, situation }: DiagnosisFacts): string[] {
	const { t } = vscode.l10n;
	const file = line(describeSource(source));
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

/** Output of the process apart from messages. */
function outputSections({ failure, stderr, noise }: Situation): PageSection[] {
	const { t } = vscode.l10n;
	const output = (title: string, lines: readonly string[]): PageSection => ({
		...section(title, { kind: 'code', text: lines.map(line).join('\n') }),
		isServers: true,
	});
	const stderrTitle = t('Error output (stderr)');
	return [
		...(stderr.length > 0
			? [output(stderrTitle, stderr)]
			: failure.kind === 'exited'
				? [section(stderrTitle, { kind: 'text', text: t('None') })]
				: []),
		...(noise.length > 0 ? [output(t('Invalid output on stdout'), noise)] : []),
	];
}

function commandSection({ command, args }: StdioDefinition, { place, platform }: DiagnosisFacts): PageSection {
	const { t } = vscode.l10n;
	const words = [command, ...args].map(it => quoteWord(it, platform === 'win32'));
	return section(
		t('Command'),
		{ kind: 'code', text: documentText(words.join(' ')).replaceAll('\n', '\\n') },
		{
			kind: 'rows',
			rows: [
				{ label: t('Working directory'), value: place.folder },
				{ label: t('Machine'), value: describeServerMachine() },
			],
		},
	);
}

/** Where a program that isn't on the server's PATH was searched for. */
function searchSections({ search, place, shell, platform }: DiagnosisFacts): PageSection[] {
	const { t } = vscode.l10n;
	if (!search || search.onPath || /[\\/]/.test(search.program)) {
		return [];
	}
	const { program, onShellPath, elsewhere } = search;
	const nowhere = t('Not found');
	const separator = platform === 'win32' ? ';' : ':';
	const split = (path: string): string[] => [...new Set(path.split(separator))].filter(it => it !== '');
	const folders = split(place.path);
	return [
		section(t('Search locations for {0}', line(program)), {
			kind: 'rows',
			rows: [
				{ label: t('Server PATH'), value: nowhere },
				{ label: t('Shell PATH'), value: onShellPath?.path ?? nowhere },
				{
					label: t('Version managers and common locations'),
					value: elsewhere.map(it => it.path).join('\n') || nowhere,
				},
			],
		}),
		listSection(t('Server PATH'), folders),
		shell?.kind === 'known'
			? listSection(
					t('Only on the shell PATH ({0})', line(shell.shell)),
					split(shell.path).filter(it => !folders.includes(it)),
				)
			: section(t('Shell PATH ({0})', line(shell?.shell || t('unknown'))), {
					kind: 'text',
					text: describeUnknown(shell),
				}),
	];
}

function listSection(title: string, items: readonly string[]): PageSection {
	return section(title, { kind: 'list', items: items.length > 0 ? items : [vscode.l10n.t('None')] });
}

function describeUnknown(shell: ShellPath | undefined): string {
	const { t } = vscode.l10n;
	switch (shell?.kind === 'unknown' ? shell.why : undefined) {
		case 'timeout':
			return t('Unknown because the shell took too long to start');
		case 'failed':
			return t("Unknown because the shell couldn't be run");
		default:
			return t('Not checked on Windows or in shells other than POSIX shells and fish');
	}
}

function line(text: string): string {
	return oneLine(text, maxLength);
}
