/** The command Clear All Data…: removes the data that this extension keeps on the machine, part by part. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { type DataPart, dataParts } from '../../editor/storage/stateKeys.js';
import { describeError, describeNumber } from '../../editor/l10n/messages.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, back, closeHeldInput } from '../../editor/ui/quickInput.js';
import { exists } from '../../editor/documents/unlinkedFiles.js';
import { clearPart, countPart, type DataDeps, describeDataPart } from './parts.js';

export interface DataFeatureDeps extends DataDeps {
	readonly documents: Documents;
}

export function registerClearData(deps: DataFeatureDeps): Disposable {
	// Arguments are ignored: even if another extension runs the command, a person selects the parts and confirms.
	return registerCommand(Commands.clearData, () => clearData(deps));
}

async function clearData(deps: DataFeatureDeps): Promise<void> {
	const parts = await chooseParts(deps);
	if (parts.length === 0 || !(await confirm(parts))) {
		return;
	}
	const failures = new Map<DataPart, string>();
	for (const part of parts) {
		try {
			await clearPart(part, deps);
		} catch (error) {
			failures.set(part, describeError(error));
		}
	}
	// Not awaited: the command ends even if the message stays open.
	void report(deps.documents, parts, failures);
}

async function chooseParts(deps: DataDeps): Promise<readonly DataPart[]> {
	const { t } = vscode.l10n;
	const items = await Promise.all(
		dataParts.map(async part => {
			const count = await countPart(part, deps).catch(() => undefined);
			return { ...describeDataPart(part), description: count === undefined ? '' : describeNumber(count), part };
		}),
	);
	const question = { title: t('Clear All Data'), placeholder: t('Select the data to remove') };
	// Without their deny rules, the person's own servers could do more than before.
	const chosen = await askForMany(question, items, it => it.part !== 'rules');
	return chosen && chosen !== back ? chosen.map(it => it.part) : [];
}

async function confirm(parts: readonly DataPart[]): Promise<boolean> {
	const { t } = vscode.l10n;
	const clear = t('Clear Data');
	const detail = [...parts.map(labelOf), '', t("You can't undo this.")].join('\n');
	const message = t('Remove this data from this machine?');
	closeHeldInput();
	return (await vscode.window.showWarningMessage(message, { modal: true, detail }, clear)) === clear;
}

async function report(
	documents: Documents,
	parts: readonly DataPart[],
	failures: ReadonlyMap<DataPart, string>,
): Promise<void> {
	const { t } = vscode.l10n;
	const details = t('Show Details');
	const settings = t('Open Settings');
	const choice =
		failures.size > 0
			? await vscode.window.showErrorMessage(t("Some of the data couldn't be removed."), details)
			: await vscode.window.showInformationMessage(
					t('The selected data was removed. Your settings, files in the workspace, and editor logs remain.'),
					details,
					settings,
				);
	if (choice === details) {
		await documents.show(t('Cleared data'), await describeOutcome(parts, failures));
	} else if (choice === settings) {
		await vscode.commands.executeCommand('workbench.action.openSettings', 'mcpWorkbench');
	}
}

async function describeOutcome(parts: readonly DataPart[], failures: ReadonlyMap<DataPart, string>): Promise<string> {
	const { t } = vscode.l10n;
	const sections = [
		section(t('Removed:'), parts.filter(it => !failures.has(it)).map(labelOf)),
		section(
			t('Not removed:'),
			Array.from(failures, ([part, reason]) => quickPickText(`${labelOf(part)}: ${reason}`)),
		),
		section(t('Not selected:'), dataParts.filter(it => !parts.includes(it)).map(labelOf)),
		section(t('Not stored by this extension:'), [
			...(await filesOfWorkspace()),
			t('Your settings, including servers and rules'),
			t('Editor logs'),
		]),
		t('Data of other workspaces remains. To remove it, run the command there.'),
	];
	return `${sections.join('')}\n`;
}

function labelOf(part: DataPart): string {
	return describeDataPart(part).label;
}

function section(title: string, lines: readonly string[]): string {
	return lines.length === 0 ? '' : `${title}\n${lines.map(it => `- ${it}\n`).join('')}\n`;
}

/** The paths of the files in the workspace that configure servers or decide about calls. */
async function filesOfWorkspace(): Promise<readonly string[]> {
	const names = ['.mcp.json', '.vscode/mcp.json', '.vscode/mcp-policy.json', '.vscode/mcp-lock.json'];
	const uris = (vscode.workspace.workspaceFolders ?? []).flatMap(folder =>
		names.map(it => vscode.Uri.joinPath(folder.uri, it)),
	);
	const found = await Promise.all(
		uris.map(async it => ((await exists(it)) ? [quickPickText(vscode.workspace.asRelativePath(it))] : [])),
	);
	return found.flat();
}
