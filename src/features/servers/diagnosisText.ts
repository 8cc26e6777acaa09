/** Texts of diagnoses: causes, fixes, and advice. Texts of servers and the system are cleaned by `plain`. */
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
		case 'partIsNoFolder':
			return t('A part of the path {0} is a file, not a folder.', plain(cause.command));
		case 'otherMachine':
			return t('{0} was built for a different platform.', plain(cause.command));
		case 'tooLong':
			return t('The command line or environment is longer than the system allows.');
		case 'noFolder':
			return t('Create the folder, or correct "cwd".');
		case 'noise':
			return t(
				'The server writes output other than messages to stdout, probably because of a bug in the server: "{0}"',
				plain(cause.line),
			);
		case 'killed':
			return t('The process was killed from outside, often by the system because memory ran out.');
		case 'crashed':
			return t('The server crashed.');
		case 'endedAtOnce':
			return t(
				'The server exited immediately without an error. Check that it\'s an MCP server and whether it needs an argument such as "stdio".',
			);
		case 'notOnDisk':
			return t('A process needs a "cwd" on the local file system. Only servers with a "url" work without one.');
		case 'variable':
			return t('Define the missing value, or correct its name in the configuration.');
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
		case 'noExecutable':
			return t('The package contains no program with this name.');
		case 'registryAway':
			return t("The package registry can't be reached from {0}. Check the network and proxy.", describeServerMachine());
		case 'cacheDenied':
			return t("npm can't write to its folders, often because they belong to another user.");
		case 'syntax':
			return t('The program has a syntax error or was written for a different version of its language.');
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
		case 'dockerDenied':
			return t(
				'You don\'t have permission to use Docker on {0}. Check that your user is in the "docker" group.',
				describeServerMachine(),
			);
		case 'dockerTerminal':
			return t('No terminal is available. Remove "-t" from the arguments and keep "-i".');
		case 'noImage':
			return t("The image {0} doesn't exist or can't be pulled.", plain(cause.name));
		case 'memory':
			return t('The server ran out of memory.');
		case 'permission':
			return t('The server lacks a permission that it needs.');
		case 'usage':
			return t("The server doesn't accept its arguments.");
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
 * What to do first, as a sentence, for causes that are more specific than their fixes. Replaces the fix `editConfiguration`.
 * @param file the name of the configuration
 */
export function adviceFor(cause: Cause, file: string): string | undefined {
	switch (cause.code) {
		case 'missingVariable':
			return cause.name === undefined
				? t('Set the missing variable, key, or token under "env" in {0}. For a secret, use an input.', file)
				: t('Set {0} under "env" in {1}. For a secret, use an input.', plain(cause.name), file);
		case 'badCredentials':
			return t('Correct the key or token under "env" in {0}.', file);
		case 'noPackage':
			return t('Check the name and version of the package {0} in {1}.', plain(cause.name), file);
		case 'noImage':
			return t('Check the name of the image {0} in {1}.', plain(cause.name), file);
		case 'missingFile':
		case 'noSuchFile':
			return t('Check the path {0} in {1}.', plain(cause.path), file);
		case 'argumentsInCommand':
			return t('Move the arguments from "command" to "args" in {0}.', file);
		case 'missingModule':
			return cause.language === 'node'
				? t('Run "npm install" in the server\'s folder.')
				: t('Install {0} in the Python environment of the server.', plain(cause.module));
		case 'usage':
			return t('Check "args" in {0}.', file);
		case 'dockerWithoutInput':
			return t('Add "-i" to "args" in {0}.', file);
		case 'dockerTerminal':
			return t('Remove "-t" from "args" in {0}.', file);
		default:
			return undefined;
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
		case 'fixNoise':
			return t("Tell the server's author that only messages belong on stdout and other output belongs on stderr.");
		case 'wait':
			return t('Try again later, or increase the setting mcpWorkbench.requestTimeout.');
		default:
			return assertNever(fix);
	}
}
