/** Words for files that were not read or written. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { EnvFileProblem } from '../../core/config/envFile.js';
import { RefusedFileError } from '../documents/boundedFile.js';
import { LockError, type LockProblem } from '../storage/locks.js';
import { notificationText } from '../ui/plainText.js';

const { t } = vscode.l10n;

/** A sentence for a notification; nothing if the error is about no such file. */
export function describeFileError(error: unknown): string | undefined {
	if (error instanceof LockError) {
		return describeLockProblem(error.problem);
	}
	return error instanceof RefusedFileError ? describeRefusedFile(error) : undefined;
}

function describeRefusedFile({ uri, problem }: RefusedFileError): string {
	const path = notificationText(vscode.workspace.asRelativePath(uri));
	return problem.code === 'notRegular'
		? t("{0} can't be read: it isn't a regular file.", path)
		: t("{0} can't be read: it has more than {1} bytes.", path, problem.maxBytes);
}

function describeLockProblem(problem: LockProblem): string {
	switch (problem) {
		case 'unreadable':
			return t("The lock file can't be read.");
		case 'fileTooLarge':
			return t('The lock file would be too large.');
		case 'definition':
			return t('The definition of a tool is too large or nested too deeply.');
		default:
			return assertNever(problem);
	}
}

/** Why a server has no environment of its file: a clause without a full stop. */
export function describeEnvFile(problem: EnvFileProblem, path: string): string {
	switch (problem.code) {
		case 'line':
			return t('line {0} of its "envFile" {1} cannot be read', problem.line, path);
		case 'unreadable':
			return t('its "envFile" {0} is missing or cannot be read', path);
		case 'tooLarge':
			return t('its "envFile" {0} has more than {1} bytes', path, problem.maxBytes);
		case 'unseen':
			return t(
				'its "envFile" {0} sets {1}, which could not be shown before the start. Set {1} in "env" instead',
				path,
				notificationText(problem.variable),
			);
		default:
			return assertNever(problem);
	}
}
