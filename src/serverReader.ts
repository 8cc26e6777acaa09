/**
 * The entry point of the bundle that finds servers in texts of other programs. It has parsers of TOML and YAML, and is loaded
 * when a person first adds or imports servers.
 */
import { parsePasted, readClientFile } from './core/addServer/pastedServer.js';
import type { ServerReader } from './core/addServer/foundServer.js';

export const serverReader: ServerReader = { parsePasted, readClientFile };
