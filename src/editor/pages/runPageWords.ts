/** The texts of a run page that are the same for tools, prompts and resource templates. */
import * as vscode from 'vscode';
import type { Completion } from '../../core/search/completions.js';
import type { Strings } from '../../webviews/page/run/protocol.js';
import { describeMore } from '../forms/suggestedStep.js';

const { t } = vscode.l10n;

/** Says that the server has more values, or why it suggests none; otherwise empty. */
export function describeCompletion(completion: Completion, serverLabel: string): string {
	switch (completion.kind) {
		case 'none':
			return '';
		case 'away':
			return t("{0} isn't running", serverLabel);
		case 'failed':
			return t("{0} couldn't suggest values", serverLabel);
		case 'values':
			return describeMore(completion) ?? '';
	}
}

/** The labels of the page. */
export function pageStrings(): Strings {
	return {
		actions: t('Actions'),
		cancel: t('Cancel'),
		compare: t('Compare with Shown Result'),
		copyAs: t('Copy Request As…'),
		editAsForm: t('Edit as Form'),
		editAsJson: t('Edit as JSON'),
		enable: t('Enable'),
		forModels: t('On for models'),
		fromServer: t('From the server:'),
		inputSchema: t('Arguments (JSON Schema)'),
		lastArguments: t('Use Last Arguments'),
		messages: t('Messages'),
		noResult: t('Run the tool to see its result here.'),
		noRuns: t('No runs yet'),
		outputSchema: t('Structured result (JSON Schema)'),
		result: t('Result'),
		review: t('Review Change'),
		run: t('Run'),
		runAnyway: t('Run Anyway'),
		runs: t('Runs'),
		schema: t('Schema'),
		start: t('Start'),
		startedAt: t('Started: {0}', '{0}'),
		tabs: t('Page sections'),
		unverified: t('Unverified'),
		useArguments: t('Use Arguments'),
	};
}
