/** What package.js does, for tests. */
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';

interface Packer {
	readonly problemsOf: (
		packed: {
			readonly size: number;
			readonly sizeWithoutPictures: number;
			readonly files: ReadonlyMap<string, Buffer>;
		},
		built: ReadonlyMap<string, Buffer>,
	) => string[];
	readonly rewriteLinks: (
		name: string,
		text: string,
		packed: ReadonlySet<string>,
		repository: string | undefined,
		readPicture: (file: string) => Buffer,
	) => string;
}

export const packer = createRequire(path.join(projectRoot, 'package.json'))('./package.js') as Packer;
