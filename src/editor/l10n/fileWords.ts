/** Describes why a file wasn't read or written. */
import * as vscode from 'vscode';
import type { EnvFileProblem } from '../../core/config/envFile.js';
import { RefusedFileError } from '../documents/boundedFile.js';
import { notificationText } from '../ui/plainText.js';
import { chooseText } from './chooseText.js';

const { t } = vscode.l10n;

/** A sentence for a notification; `undefined` if the error isn't about a file. */
export function describeFileError(error: unknown): string | undefined {
	return error instanceof RefusedFileError ? describeRefusedFile(error) : undefined;
}

function describeRefusedFile({ uri, problem }: RefusedFileError): string {
	const path = notificationText(vscode.workspace.asRelativePath(uri));
	return problem.code === 'notRegular'
		? t("{0} can't be read because it isn't a regular file.", path)
		: t("{0} can't be read because it has more than {1} bytes.", path, problem.maxBytes);
}

/** Why the environment file of a server can't be used: a sentence without a period. */
export function describeEnvFile(problem: EnvFileProblem, path: string): string {
	return chooseText(problem, {
		line: ({ line }) => t('Line {0} of the "envFile" {1} can\'t be read', line, path),
		unreadable: () => t('The "envFile" {0} is missing or can\'t be read', path),
		tooLarge: ({ maxBytes }) => t('The "envFile" {0} has more than {1} bytes', path, maxBytes),
		unseen: ({ variable }) =>
			t(
				'The "envFile" {0} sets {1}, which must be set in "env" instead so that you can review the value',
				path,
				notificationText(variable),
			),
	});
}
