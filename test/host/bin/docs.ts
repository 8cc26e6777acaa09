// Writes the generated pages of docs/: npm run docs
import * as fs from 'node:fs';
import { createSettingsPage, settingsPage } from '../../support/settingsPage.js';

fs.writeFileSync(settingsPage, createSettingsPage());
