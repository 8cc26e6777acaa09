/** Texts of diagnoses: causes and fixes. Texts of servers and the system are cleaned by `plain`. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { Cause, Fix } from '../../core/diagnosis/diagnosis.js';
import { adviseOn } from '../../editor/l10n/authWords.js';
import { notificationText as plain } from '../../editor/ui/plainText.js';

const { t } = vscode.l10n;

/** The machine that servers start on, for use within a sentence. */
export function describeServerMachine(remoteName: string | undefined = vscode.env.remoteName): string {
	switch (remoteName) {
		case undefined:
			return t('this computer');
		case 'wsl':
			return t('WSL');
		case 'ssh-remote':
			return t('the SSH host');
		case 'dev-container':
		case 'attached-container':
			return t('the container');
		case 'codespaces':
			return t('the codespace');
		case 'tunnel':
			return t('the tunnel host');
		default:
			// In a browser, the remote name is the host and port of the editor's server.
			return /:\d+$/.test(remoteName) ? t('the remote machine') : t('the remote machine ({0})', plain(remoteName));
	}
}

/** The likely reason in one or two sentences; `undefined` if nothing is known beyond the failure itself. */
export function describeCause(cause: Cause): string | undefined {
	switch (cause.code) {
		case 'onlyOnShellPath':
			return t(
				'Your shell finds {0} at {1}, but the editor was started with a different PATH.',
				plain(cause.program),
				plain(cause.path),
			);
		case 'offPath':
			return t('{0} is at {1}, which is not on the PATH.', plain(cause.program), plain(cause.path));
		case 'notInstalled':
			return t("The program isn't installed on {0}.", describeServerMachine());
		case 'noSuchFile':
			return t("The file doesn't exist on {0}.", describeServerMachine());
		case 'argumentsInCommand':
			return t('"command" must contain only the executable. Move the arguments to "args".');
		case 'noInterpreter':
			return t("{0} exists, but the interpreter in its first line doesn't.", plain(cause.path));
		case 'notExecutable':
			return t(
				"{0} exists but can't be run because it's a folder or isn't marked as executable.",
				plain(cause.command),
			);
		case 'noFolder':
			return t('Create the folder, or correct "cwd".');
		case 'noise':
			return t(
				'The server writes output other than messages to stdout, probably because of a bug in the server: "{0}"',
				plain(cause.line),
			);
		case 'killed':
			return t('The process was killed from outside, often by the system because memory ran out.');
		case 'endedAtOnce':
			return t(
				'The server exited immediately without an error. Check that it\'s an MCP server and whether it needs an argument such as "stdio".',
			);
		case 'notOnDisk':
			return t('A process needs a "cwd" on the local file system. Only servers with a "url" work without one.');
		case 'variable':
			return t('Define the missing value, or correct its name in the configuration.');
		case 'unset':
			return t('Set the variable and restart the editor, or use an input to be asked for the value.');
		case 'oldRevision':
			return t('The server may be newer or much older than the supported protocol revisions.');
		case 'notRunning':
			return t('Start the server, or correct its URL. It must be reachable from {0}.', describeServerMachine());
		case 'unknownHost':
			return t('Check the URL, the network of {0} and the setting "http.proxy".', describeServerMachine());
		case 'tls':
			// The failure itself explains problems of certificates.
			return cause.isPlain ? t('Try "http://" in the URL.') : undefined;
		case 'wrongPath':
			return t('No MCP server responds at this path. Common paths are {0}.', cause.proposals.map(plain).join(', '));
		case 'redirected':
			return t('Use that URL in the configuration if you trust it.');
		case 'signIn':
			return t(
				'The server denied access. A header in the configuration may be missing or wrong, or you may not have permission.',
			);
		case 'authorization':
			return adviseOn(cause.failure);
		case 'serverSide':
			return t('The server or a proxy in front of it has an internal problem.');
		case 'downloading':
			return t('The package is probably still downloading. Start the server again later.');
		case 'asks':
			return t('The program seems to be waiting for input: "{0}"', plain(cause.line));
		case 'listens':
			return t(
				'The server listens at {0}. Configure its "url" instead of "command", or switch the server to stdio.',
				plain(cause.at),
			);
		case 'dockerWithoutInput':
			return t('"docker run" closes the server\'s input. Add "-i" to its arguments.');
		case 'silent':
			return t(
				'The server is running but sends no output. It may support only HTTP, be waiting for input, or not be an MCP server.',
			);
		case 'missingProgram':
			return t("The server needs {0}, which it couldn't find.", plain(cause.program));
		case 'missingModule':
			return cause.language === 'node'
				? t(
						'The package {0} isn\'t installed where the server looks for it. Run "npm install" in the server\'s folder.',
						plain(cause.module),
					)
				: t("The Python module {0} isn't installed in the environment that runs the server.", plain(cause.module));
		case 'missingFile':
			return t(
				"The file {0} doesn't exist on {1}. It may have to be built first.",
				plain(cause.path),
				describeServerMachine(),
			);
		case 'noPackage':
			return t("The package {0} or the requested version of it doesn't exist.", plain(cause.name));
		case 'registryAway':
			return t("The package registry can't be reached from {0}. Check the network and proxy.", describeServerMachine());
		case 'oldRuntime':
			return t('The server needs a newer version of {0}.', plain(cause.program));
		case 'missingVariable':
			return cause.name === undefined
				? t('A variable, key, or token seems to be missing. Set it under "env".')
				: t('{0} seems to be missing. Set it under "env".', plain(cause.name));
		case 'badCredentials':
			return t("The server's key or token was rejected.");
		case 'addressInUse':
			return t('The port is already in use, possibly by another instance of the server.');
		case 'dockerDown':
			return t("Docker isn't running on {0}. Start Docker, then try again.", describeServerMachine());
		case 'unknown':
			return undefined;
		default:
			return assertNever(cause);
	}
}

/** The title of a fix on a button; `undefined` for a fix that the person makes elsewhere. */
export function fixButton(fix: Fix): string | undefined {
	switch (fix.kind) {
		case 'useShellPath':
			return t('Use Shell\u2019s PATH');
		case 'useBinary':
			return fix.replaces ? t('Use {0}', plain(fix.path)) : t('Add Folder to PATH');
		case 'install':
			return t('Install {0}…', plain(fix.program));
		case 'editConfiguration':
			return t('Edit Configuration');
		case 'showSignInReport':
			return t('Show Sign-in Report');
		case 'setClient':
			return t('Set Client ID and Secret…');
		case 'makeException':
			return t('Make an Exception…');
		case 'showLog':
		case 'fixNoise':
		case 'installByHand':
		case 'startByHand':
		case 'wait':
			return undefined;
		default:
			return assertNever(fix);
	}
}

/**
 * A fix as a sentence.
 * @param file the name of the configuration
 */
export function describeFix(fix: Fix, file: string): string {
	switch (fix.kind) {
		case 'useShellPath':
			return t(
				'Start servers with the PATH of your shell ("usePathOfShell" in the setting mcpWorkbench.serverOptions).',
			);
		case 'useBinary':
			return fix.replaces
				? t('Enter the full path in the configuration: {0}', plain(fix.path))
				: t("Add the folder of {0} to the start of this server's PATH.", plain(fix.path));
		case 'install':
			return t('Install {0} on {1}: {2}', plain(fix.program), describeServerMachine(), fix.page);
		case 'installByHand':
			return t(
				'Install {0} on {1}, or enter its full path in the configuration.',
				plain(fix.program),
				describeServerMachine(),
			);
		case 'editConfiguration':
			return t('Correct the server configuration in {0}.', file);
		case 'startByHand':
			return t('Start the server that responds at {0}.', plain(fix.url));
		case 'showLog':
			return t('Check the server log.');
		case 'showSignInReport':
			return t('Check the sign-in report. To open it, select "Show Sign-in Report" in the server\'s context menu.');
		case 'setClient':
			return t(
				'Enter the client that you registered. To do so, select "Set Client ID and Secret…" in the server\'s context menu.',
			);
		case 'makeException':
			return t('If you trust the provider, make an exception for this server.');
		case 'fixNoise':
			return t("Tell the server's author that only messages belong on stdout and other output belongs on stderr.");
		case 'wait':
			return t('Try again later, or increase the setting mcpWorkbench.requestTimeout.');
		default:
			return assertNever(fix);
	}
}
