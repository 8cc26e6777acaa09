// Writes the generated pages of docs/: npm run docs
import * as fs from 'node:fs';
import { commandsPage, createCommandsPage } from '../../support/commandsPage.js';
import { createSettingsPage, settingsPage } from '../../support/settingsPage.js';

fs.writeFileSync(settingsPage, createSettingsPage());
fs.writeFileSync(commandsPage, createCommandsPage());
