/** Enables and disables tools, and offers to enable a disabled tool that the person runs. */
import * as vscode from 'vscode';
import { editToolLists, placeFor, type WrittenList } from '../../editor/workspace/serverOptions.js';
import { settingPlaces } from '../../core/config/serverOptions.js';
import type { Server } from '../../core/servers/server.js';
import { offerUndo } from '../../editor/ui/offerUndo.js';
import { toolName } from '../../editor/ui/shownNames.js';

/** @returns the lists that have changed */
export function enableTool({ definition }: Server, tool: string, isEnabled: boolean): Promise<readonly WrittenList[]> {
	return isEnabled
		? editToolLists(definition, 'disabled', settingPlaces, { remove: [tool] })
		: editToolLists(definition, 'disabled', [placeFor(definition, 'disabled')], { add: [tool] });
}

/** Tells where a tool was disabled, and offers to undo that. @param written by `enableTool` */
export function tellDisabled(tool: string, written: readonly WrittenList[]): Promise<void> {
	return offerUndo(written, it => vscode.l10n.t('{0} is disabled in {1}.', toolName(tool), it));
}
