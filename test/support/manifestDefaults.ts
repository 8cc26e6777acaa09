import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { listSettings, type SettingsManifest } from './settingsPage.js';
import { settings } from './vscodeDouble.js';

/** Sets the defaults of `package.json` in the settings of `vscodeDouble.ts`. */
export function setManifestDefaults(): void {
	const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as SettingsManifest;
	for (const [name, property] of listSettings(manifest)) {
		settings.set(name, { defaultValue: property.default });
	}
}
