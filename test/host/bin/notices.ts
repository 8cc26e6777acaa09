// Writes the licences of what is shipped: npm run notices
import * as fs from 'node:fs';
import * as path from 'node:path';
import { createNotices, noticesFile } from '../../support/notices.js';
import { projectRoot } from '../paths.js';

void createNotices().then(text => fs.writeFileSync(path.join(projectRoot, noticesFile), text));
