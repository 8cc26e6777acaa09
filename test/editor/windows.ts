import type { WindowOptions } from '../host/suites.js';

export const filesVariable = 'MCP_WORKBENCH_TEST_FILES';

export const gateWindows: readonly (WindowOptions & { readonly files: readonly string[] })[] = [];
