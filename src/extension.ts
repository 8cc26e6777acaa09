/**
 * The entry point of the extension on a desktop or a remote machine: chooses Node for everything that needs the
 * machine.
 */
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { debounce, within } from './base/async.js';
import { createResumeMonitor } from './base/resumeMonitor.js';
import type { ExtensionApi } from './api.js';
import { compose, type Composition } from './compose.js';
import type { StoredFile } from './editor/storage/editorState.js';
import { ExtensionLog } from './editor/workspace/log.js';
import { NodeClientFiles } from './node/clientFiles.js';
import { networkNow, NodeEnvironment } from './node/machine/environment.js';
import { createHttpFetch } from './node/http/httpFetch.js';
import { Journal } from './node/journal.js';
import { openForwardingPage, openLoopbackPage } from './node/http/loopback.js';
import { NodeMachine } from './node/machine/machine.js';
import { freePort, untilListening } from './node/machine/ports.js';
import { ServerRecords } from './node/process/serverRecords.js';
import { StdioTransport } from './node/process/stdioTransport.js';
import { ValidatorThread } from './node/validatorThread.js';

/**
 * Milliseconds that a server gets for each of the two steps of its shutdown. Both must fit into the few seconds that
 * the editor gives `deactivate`, or servers would be left behind.
 */
const graceMs = 1000;

/**
 * The longest wait of the activation for configuration files, in milliseconds. Commands, resources and dependent
 * extensions look servers up by name right after activation; a disk that doesn't respond must not delay them for
 * longer.
 */
const configurationMs = 1000;

/** Milliseconds after activation at which servers of killed windows are stopped. */
const sweepMs = 1000;

/** The size on the disk for one workspace: about 100,000 calls of usual size. */
const historySize = { maxFileBytes: 1024 * 1024, maxFiles: 64 };

/** Not in `context.subscriptions`, which the editor disposes without waiting for `deactivate`. */
let composition: Composition | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<ExtensionApi> {
	const log = new ExtensionLog();
	context.subscriptions.push(log);
	const records = new ServerRecords(join(context.globalStorageUri.fsPath, 'servers' satisfies StoredFile), log);
	const sweep = debounce(sweepMs, () => void records.sweep());
	context.subscriptions.push(sweep);
	const environment = new NodeEnvironment();
	const { name, version } = context.extension.packageJSON as Record<'name' | 'version', string>;
	const fetch = createHttpFetch({ userAgent: `${name}/${version}` });
	const didResume = createResumeMonitor(networkNow);
	composition = compose(context, {
		environment,
		log,
		machine: new NodeMachine({ environment }),
		clientFiles: new NodeClientFiles(),
		loadServerReader: async () => (await import('./serverReader.js')).serverReader,
		demo: {
			// The Node that runs the extension. If it is Electron, it acts as Node only with this variable.
			command: process.execPath,
			args: [join(context.extensionPath, 'dist', 'demo.js')],
			env: { ELECTRON_RUN_AS_NODE: '1' },
		},
		stdio: (launch, options) => new StdioTransport(launch, { graceMs, records, ...options }),
		historyJournal:
			context.storageUri && new Journal(join(context.storageUri.fsPath, 'history' satisfies StoredFile), historySize),
		fetch,
		onDidWake: listener =>
			didResume(() => {
				fetch.closeIdle();
				listener();
			}),
		ports: { free: freePort, untilListening },
		loopback: { openPage: openLoopbackPage, openForwardingPage },
		loadAuthorization: () => import('./authorization.js'),
		startValidator: () => new ValidatorThread(join(context.extensionPath, 'dist', 'validator.js')),
	});
	await within(composition.ready, configurationMs);
	sweep.schedule();
	return composition.api;
}

/** Waits until every server has stopped, because the editor kills this process right after. */
export async function deactivate(): Promise<void> {
	try {
		await composition?.stopAll();
	} finally {
		// Stops by force the servers that could not be stopped in order.
		composition?.dispose();
	}
}
