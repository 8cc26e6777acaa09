/** The items of the rows below a server. */
import * as vscode from 'vscode';
import { Colors, InternalCommands, TreeContexts } from '../contributions.js';
import { describeList, describeNumber } from '../l10n/messages.js';
import { tooltipText, treeText } from '../ui/plainText.js';
import type { FolderNode, GroupNode, LeafNode, MoreNode, NoteNode } from './treeNodes.js';

export function groupItem(node: GroupNode): vscode.TreeItem {
	const { t } = vscode.l10n;
	const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const { list, filter } = node;
	const item = new vscode.TreeItem(node.group.label, filter ? Expanded : Collapsed);
	item.id = node.id;
	item.contextValue = TreeContexts.group;
	item.iconPath = new vscode.ThemeIcon(node.group.icon);
	if (list.kind === 'loaded') {
		const all = describeNumber(list.items.length);
		item.description = filter ? t('{0} of {1}', describeNumber(node.hits(list.items).length), all) : all;
		const summary = node.group.summary?.(node.server, list.items);
		if (summary) {
			item.description = summary.description;
			item.tooltip = summary.tooltip;
		}
	} else if (list.kind === 'growing') {
		item.description = t('{0} so far', describeNumber(node.hits(list.items).length));
		item.iconPath = new vscode.ThemeIcon('loading~spin');
	} else if (list.kind === 'loading') {
		item.description = t('Loading');
		item.iconPath = new vscode.ThemeIcon('loading~spin');
	} else if (list.kind === 'failed') {
		const { length } = node.hits(list.items);
		item.description = list.items.length > 0 ? t('{0} (incomplete)', describeNumber(length)) : t("Can't be listed");
		item.iconPath = warningIcon();
	}
	item.accessibilityInformation = { label: [node.group.label, item.description].filter(Boolean).join(', ') };
	return item;
}

/** A folder without siblings starts expanded. */
export function folderItem(node: FolderNode): vscode.TreeItem {
	const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const { label, prefix, all } = node.folder;
	const item = new vscode.TreeItem(treeText(label), node.isOnly ? Expanded : Collapsed);
	item.id = node.id;
	item.description = describeNumber(all.length);
	item.contextValue = TreeContexts.folder;
	item.iconPath = vscode.ThemeIcon.Folder;
	item.tooltip = tooltipText(prefix);
	item.accessibilityInformation = { label: `${treeText(label)}, ${item.description}` };
	return item;
}

export function leafItem(node: LeafNode): vscode.TreeItem {
	const { look, group } = node;
	const label = treeText(look.label);
	const description = treeText(look.description ?? '');
	const { None, Collapsed } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(label, look.isExpandable === true ? Collapsed : None);
	item.id = node.id;
	item.description = description;
	item.contextValue = look.context;
	item.iconPath = look.icon;
	if (look.resourceUri) {
		item.resourceUri = look.resourceUri;
	}
	item.tooltip = tooltipText(look.tooltip ?? look.label);
	// Otherwise a screen reader reads the tooltip instead of the label.
	const spoken = [label, description, treeText(look.spoken ?? '')].filter(it => it !== '');
	item.accessibilityInformation = { label: describeList(spoken) };
	if (look.checkbox) {
		const { isChecked, tooltip } = look.checkbox;
		const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
		item.checkboxState = {
			state: isChecked ? Checked : Unchecked,
			tooltip,
			accessibilityInformation: { label: tooltip },
		};
	}
	if (group.open !== undefined && look.isExpandable !== true) {
		item.command = { command: group.open, title: vscode.l10n.t('Open'), arguments: [node] };
	}
	return item;
}

export function noteItem({ text, isError }: NoteNode): vscode.TreeItem {
	const item = new vscode.TreeItem('', vscode.TreeItemCollapsibleState.None);
	item.description = treeText(text);
	item.tooltip = tooltipText(text);
	item.contextValue = TreeContexts.note;
	item.accessibilityInformation = { label: treeText(text) };
	if (isError) {
		item.iconPath = warningIcon();
	}
	return item;
}

export function moreItem(node: MoreNode): vscode.TreeItem {
	const { t } = vscode.l10n;
	const { left, next, shown, parent } = node;
	const label = t('Show {0} more', describeNumber(next));
	const description = next < left ? t('{0} remaining', describeNumber(left)) : '';
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
	// A new id for each page: otherwise the editor keeps the selection on this row, far from the rows it has added.
	item.id = `${parent.id}/more/${shown}`;
	item.description = description;
	item.tooltip = t("Filters also search entries that aren't shown yet.");
	item.contextValue = TreeContexts.more;
	item.iconPath = new vscode.ThemeIcon('unfold');
	item.accessibilityInformation = { label: description === '' ? label : `${label}, ${description}` };
	item.command = { command: InternalCommands.showMore, title: label, arguments: [node] };
	return item;
}

export function warningIcon(): vscode.ThemeIcon {
	return new vscode.ThemeIcon('warning', new vscode.ThemeColor(Colors.waiting));
}
