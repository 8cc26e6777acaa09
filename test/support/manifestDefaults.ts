import * as fs from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { settings } from './vscodeDouble.js';

interface Manifest {
	readonly contributes: {
		readonly configuration: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
	};
}

/** Sets the defaults of `package.json` in the settings of `vscodeDouble.ts`. */
export function setManifestDefaults(): void {
	const manifest = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as Manifest;
	for (const [name, property] of Object.entries(manifest.contributes.configuration.properties)) {
		settings.set(name, { defaultValue: property.default });
	}
}
