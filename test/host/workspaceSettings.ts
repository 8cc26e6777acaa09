// The settings of a workspace that a workbench shows.
import * as fs from 'node:fs';
import * as path from 'node:path';

/** Writes a setting into those of a workspace, which is a folder or a workspace file. */
export function setInWorkspace(workspace: string, setting: string, value: unknown): void {
	const inFile = workspace.endsWith('.code-workspace');
	const file = inFile ? workspace : path.join(workspace, '.vscode', 'settings.json');
	const content = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, object>) : {};
	const chosen = { [setting]: value };
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(
		file,
		JSON.stringify({ ...content, ...(inFile ? { settings: { ...content['settings'], ...chosen } } : chosen) }),
	);
}
