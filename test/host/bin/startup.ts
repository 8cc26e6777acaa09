// Writes the list of the modules that start-up runs: npm run startup
import * as fs from 'node:fs';
import * as path from 'node:path';
import { startupFile, writeStartup } from '../../support/startup.js';
import { projectRoot } from '../paths.js';

void writeStartup().then(text => fs.writeFileSync(path.join(projectRoot, startupFile), text));
