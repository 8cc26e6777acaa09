// What the test runner and the extension host tell each other about the suites that share a window.

/** A suite as the extension host runs it. */
export interface SuiteInWindow {
	readonly name: string;
	/** Folder below `test/integration`. */
	readonly folder: string;
	/** Names of the test files to run, without `.test.js`; all if left out. */
	readonly files?: readonly string[];
	/**
	 * The workspace that the suite finds in the folder of the window. Left out where the window has no other suite, and
	 * is opened as the suite needs it.
	 */
	readonly fixture?: string;
}

/** The variable that has the suites to run, one after the other: JSON. */
export const suitesVariable = 'MCP_WORKBENCH_TEST_SUITES';

/** The variable that has the test files to run, below `test/editor` and without `.test.ts`: JSON. */
export const filesVariable = 'MCP_WORKBENCH_TEST_FILES';

/** The variable that names the file to which the name of each suite or test file that has passed is appended: a line each. */
export const passedVariable = 'MCP_WORKBENCH_TEST_PASSED';

/** The variable that names the folder in which the editor keeps the person's settings. */
export const userDataVariable = 'MCP_WORKBENCH_TEST_USER_DATA';
