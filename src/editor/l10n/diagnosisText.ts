/** Words for diagnoses. What servers and the system provide passes through plainText, and is quoted or stands alone. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { Cause, Fix } from '../../core/diagnosis/diagnosis.js';
import { adviseOn } from './authWords.js';
import { notificationText as plain } from '../ui/plainText.js';

const { t } = vscode.l10n;

/** On which machine servers start. */
export function describeSide(remoteName: string | undefined = vscode.env.remoteName): string {
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
			return t('the machine behind the tunnel');
		default:
			// An editor in a browser is told where it comes from.
			return /:\d+$/.test(remoteName)
				? t('the machine that serves the editor')
				: t('the remote side ({0})', plain(remoteName));
	}
}

/** The likely reason: a sentence or two. `undefined` where nothing is known beyond the failure. */
export function describeCause(cause: Cause): string | undefined {
	switch (cause.code) {
		case 'onlyOnShellPath':
			return t(
				'Your shell finds {0} at {1}, but the editor was started with another PATH.',
				plain(cause.program),
				plain(cause.path),
			);
		case 'offPath':
			return t('{0} is at {1}, which is not on the PATH.', plain(cause.program), plain(cause.path));
		case 'notInstalled':
			return t("The program isn't installed on {0}.", describeSide());
		case 'noSuchFile':
			return t("The file doesn't exist on {0}.", describeSide());
		case 'argumentsInCommand':
			return t('"command" is the program alone; what follows it belongs into "args".');
		case 'noInterpreter':
			return t('{0} is there, but the program that its first line names is not.', plain(cause.path));
		case 'notExecutable':
			return t('{0} is there, but may not be run: it is a folder, or not marked as a program.', plain(cause.command));
		case 'partIsNoFolder':
			return t('A part of the path {0} is a file, not a folder.', plain(cause.command));
		case 'otherMachine':
			return t('{0} was made for another kind of machine.', plain(cause.command));
		case 'tooLong':
			return t('Its command line or its environment is longer than the system allows.');
		case 'noFolder':
			return t('Create the folder, or correct "cwd".');
		case 'noise':
			return t(
				'It writes to its standard output what is no message, most likely a bug of the server: "{0}"',
				plain(cause.line),
			);
		case 'killed':
			return t('Something else ended it; often that is the system, when memory runs out.');
		case 'crashed':
			return t('It crashed.');
		case 'endedAtOnce':
			return t(
				'It ended at once and without an error: is it an MCP server, and does it need an argument such as "stdio"?',
			);
		case 'notOnDisk':
			return t('Only a server at a URL can work there. A process needs a "cwd" on the disk.');
		case 'variable':
			return t('Define it, or correct its name in the configuration.');
		case 'oldRevision':
			return t('It may be newer, or much older, than what is spoken here.');
		case 'unknown':
			return undefined;
		case 'notRunning':
		case 'unknownHost':
		case 'tls':
		case 'wrongPath':
		case 'redirected':
		case 'signIn':
		case 'authorization':
		case 'serverSide':
			return describeUrlCause(cause);
		case 'downloading':
		case 'asks':
		case 'listens':
		case 'dockerWithoutInput':
		case 'silent':
			return describeSilence(cause);
		default:
			return describeSaid(cause);
	}
}

type UrlCode =
	| 'notRunning'
	| 'unknownHost'
	| 'tls'
	| 'wrongPath'
	| 'redirected'
	| 'signIn'
	| 'authorization'
	| 'serverSide';
type SilentCode = 'downloading' | 'asks' | 'listens' | 'dockerWithoutInput' | 'silent';

function describeUrlCause(cause: Extract<Cause, { code: UrlCode }>): string | undefined {
	switch (cause.code) {
		case 'notRunning':
			return t('Start the server, or correct its URL. It must be reachable from {0}.', describeSide());
		case 'unknownHost':
			return t('Check the URL, the network of {0} and the setting "http.proxy".', describeSide());
		case 'tls':
			// Of a certificate the failure says what is wrong, and what to do.
			return cause.isPlain ? t('Try "http://" in its URL.') : undefined;
		case 'wrongPath':
			return t('There is no MCP server at this path. Usual ones are {0}.', cause.proposals.map(plain).join(', '));
		case 'redirected':
			return t('Use that URL in the configuration if you trust it.');
		case 'signIn':
			return t('It does not let you in: a header of its configuration may be missing or wrong, or you may not use it.');
		case 'authorization':
			return adviseOn(cause.failure);
		case 'serverSide':
			return t('The server, or what stands before it, has a problem of its own.');
		default:
			return assertNever(cause);
	}
}

function describeSilence(cause: Extract<Cause, { code: SilentCode }>): string {
	switch (cause.code) {
		case 'downloading':
			return t('It seems to be downloading still: the next start may find everything there.');
		case 'asks':
			return t('It seems to wait for an answer that nobody can give: "{0}"', plain(cause.line));
		case 'listens':
			return t('It listens at {0}: give its "url" instead of a command, or switch it to stdio.', plain(cause.at));
		case 'dockerWithoutInput':
			return t('"docker run" closes the input of the server: add "-i" to its arguments.');
		case 'silent':
			return t('It runs and says nothing: it may be no MCP server, speak over HTTP only, or be waiting for something.');
		default:
			return assertNever(cause);
	}
}

function describeSaid(cause: Exclude<Cause, { code: Exclude<Cause['code'], SaidCode> }>): string {
	switch (cause.code) {
		case 'missingProgram':
			return t('It needs {0}, which it did not find.', plain(cause.program));
		case 'missingModule':
			return cause.language === 'node'
				? t(
						'The package {0} is not installed where the server looks for it: "npm install" in its folder.',
						plain(cause.module),
					)
				: t('The Python module {0} is not installed in the environment that runs the server.', plain(cause.module));
		case 'missingFile':
			return t('There is no file {0} on {1}; it may have to be built first.', plain(cause.path), describeSide());
		case 'noPackage':
			return t('There is no package {0}, or no such version of it.', plain(cause.name));
		case 'noExecutable':
			return t('The package has no program of this name to run.');
		case 'registryAway':
			return t("The package registry can't be reached from {0}: check the network and proxy.", describeSide());
		case 'cacheDenied':
			return t('npm may not write into its folders; often they belong to another user.');
		case 'syntax':
			return t('The program has a mistake, or was written for another version of its language.');
		case 'oldRuntime':
			return t('The server needs a newer version of {0}.', plain(cause.program));
		case 'missingVariable':
			return cause.name === undefined
				? t('A variable, key or token seems to be missing: set it under "env".')
				: t('{0} seems to be missing: set it under "env".', plain(cause.name));
		case 'badCredentials':
			return t('Its key or token was not accepted.');
		case 'addressInUse':
			return t('Its port is taken: another one of it may still be running.');
		case 'dockerDown':
			return t('Docker does not run on {0}: start it, then try again.', describeSide());
		case 'dockerDenied':
			return t('You may not use Docker on {0}: is your user in its group?', describeSide());
		case 'dockerTerminal':
			return t('There is no terminal here: remove "-t" from the arguments, and keep "-i".');
		case 'noImage':
			return t('There is no image {0}, or it may not be pulled.', plain(cause.name));
		case 'memory':
			return t('It ran out of memory.');
		case 'permission':
			return t('It was not allowed to do what it needs.');
		case 'usage':
			return t('Its arguments do not seem to be what it expects.');
		default:
			return assertNever(cause);
	}
}

type SaidCode = Extract<
	Cause['code'],
	| 'missingProgram'
	| 'missingModule'
	| 'missingFile'
	| 'noPackage'
	| 'noExecutable'
	| 'registryAway'
	| 'cacheDenied'
	| 'syntax'
	| 'oldRuntime'
	| 'missingVariable'
	| 'badCredentials'
	| 'addressInUse'
	| 'dockerDown'
	| 'dockerDenied'
	| 'dockerTerminal'
	| 'noImage'
	| 'memory'
	| 'permission'
	| 'usage'
>;

/** What a fix is called on a button; `undefined` for one that a person does elsewhere. */
export function fixButton(fix: Fix): string | undefined {
	switch (fix.kind) {
		case 'useShellPath':
			return t('Use Shell\u2019s PATH');
		case 'useBinary':
			return fix.replaces ? t('Use {0}', plain(fix.path)) : t('Add Its Folder to PATH');
		case 'install':
			return t('Install {0}…', plain(fix.program));
		case 'editConfiguration':
			return t('Edit Configuration');
		case 'showSignInReport':
			return t('Show Sign-in Report');
		case 'setClient':
			return t('Set Client Id and Secret…');
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
 * What to do first, for causes that say more than their fixes: a sentence. Stands for the fix `editConfiguration` as well.
 * @param file where the server is configured
 */
export function adviceFor(cause: Cause, file: string): string | undefined {
	switch (cause.code) {
		case 'missingVariable':
			return cause.name === undefined
				? t('Set the missing variable, key or token under "env" in {0}.', file)
				: t('Set {0} under "env" in {1}.', plain(cause.name), file);
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
				? t('Run "npm install" in the folder of the server.')
				: t('Install {0} for the Python that runs the server.', plain(cause.module));
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
 * What can be done, as a sentence.
 * @param file where the server is configured
 */
export function describeFix(fix: Fix, file: string): string {
	switch (fix.kind) {
		case 'useShellPath':
			return t('Start servers with the PATH of your shell (the setting mcpWorkbench.usePathOfShell).');
		case 'useBinary':
			return fix.replaces
				? t('Write the full path into the configuration: {0}', plain(fix.path))
				: t('Put the folder of {0} before the PATH of this server.', plain(fix.path));
		case 'install':
			return t('Install {0} on {1}: {2}', plain(fix.program), describeSide(), fix.page);
		case 'installByHand':
			return t(
				'Install {0} on {1}, or write its full path into the configuration.',
				plain(fix.program),
				describeSide(),
			);
		case 'editConfiguration':
			return t('Correct the configuration of the server in {0}.', file);
		case 'startByHand':
			return t('Start the server that answers at {0}.', plain(fix.url));
		case 'showLog':
			return t('Read the log of the server.');
		case 'showSignInReport':
			return t('Read the sign-in report of the server: Account… in the menu of its line.');
		case 'setClient':
			return t('Enter the client that you have registered: Account… in the menu of its line.');
		case 'fixNoise':
			return t(
				'Tell the author of the server: standard output is for messages alone, everything else belongs on stderr.',
			);
		case 'wait':
			return t('Try again in a while, or raise the setting mcpWorkbench.requestTimeout.');
		default:
			return assertNever(fix);
	}
}
