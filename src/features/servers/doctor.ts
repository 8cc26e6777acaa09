/** The command Diagnose Server: a message with the likely reason of a failed start and its fixes, and a page with all facts. */
import * as vscode from 'vscode';
import { firstFound } from '../../base/async.js';
import { didUseButton } from '../../editor/commands.js';
import { serverOptions, writeOption } from '../../editor/workspace/serverOptions.js';
import { InternalCommands } from '../../editor/contributions.js';
import { describeCause, fixButton } from './diagnosisText.js';
import { lineBreakOf, openCurrent, saveAs } from '../../editor/documents/fileEdit.js';
import { openAddress } from '../../editor/auth/externalBrowser.js';
import { notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { describeFailedStart } from '../../editor/l10n/stateWords.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { describePlace } from '../../editor/workspace/variables.js';
import { allServers } from '../../core/config/serverOptions.js';
import { changeServer, type ValueChange } from '../../core/config/configEdit.js';
import {
	type Examination,
	examine,
	type Fix,
	type LaunchPlace,
	type ServerMachine,
	shellPathFirst,
	type Situation,
} from '../../core/diagnosis/diagnosis.js';
import type { Environment } from '../../core/launch/environment.js';
import { findErrorLine } from '../../core/diagnosis/stderrPatterns.js';
import type { Server } from '../../core/servers/server.js';
import { fullName } from '../../core/servers/serverLabels.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { type DiagnosisFacts, failurePage } from './failurePage.js';
import type { ShowPage } from '../../webviews/page/reading/protocol.js';
import { openDefinition } from './openConfiguration.js';
import { rereadMs } from './configPlaces.js';

export interface DoctorDeps {
	readonly registry: ServerRegistry;
	readonly showPage: ShowPage;
	readonly environment: Environment;
	readonly machine: ServerMachine;
	/** Starts a server, and diagnoses it again if that fails. */
	readonly start: (server: Server) => Promise<void>;
}

type BinaryFix = Extract<Fix, { kind: 'useBinary' }>;

/** A button of the message. */
interface Action {
	readonly title: string;
	readonly run: () => unknown;
}

/** With more buttons, the editor would cut their titles. */
const maxButtons = 4;
const maxFixes = 2;

export class Doctor {
	/** The failures whose messages are open. The editor doesn't show the same message twice. */
	private readonly told = new WeakMap<Server, Server['state']>();

	constructor(private readonly deps: DoctorDeps) {}

	/** Tells why a server failed, or shows the report if that message is open already. Resolves when the message has closed. */
	async explain(server: Server): Promise<void> {
		const { t } = vscode.l10n;
		const { registry } = this.deps;
		const { state } = server;
		if (state.kind !== 'failed') {
			return;
		}
		const situation = { ...state, noise: state.noise ?? [], launch: server.definition.launch };
		const place = await this.placeOf(server);
		const examination = await this.examine(situation, place);
		if (server.state !== state || registry.current(server) !== server) {
			// The server was started again, or its definition changed, while the shell was asked for its PATH.
			return;
		}
		const { source } = server.definition;
		const { platform } = this.deps.machine;
		const facts = { name: fullName(server.name), source, situation, place, ...examination, platform };
		if (this.told.get(server) === state) {
			await this.showReport(server, facts);
			return;
		}
		const { cause, fixes } = examination.diagnosis;
		const label = registry.label(server);
		const reason = describeCause(cause);
		const output = notificationText(findErrorLine(state.stderr) ?? '');
		const happened = [describeFailedStart(label, cause, state.failure), ...(reason === undefined ? [] : [reason])].join(
			' ',
		);
		// The message may quote the output already.
		const isNews = output !== '' && cause.code !== 'onlyOnShellPath' && !happened.includes(output);
		const message = isNews ? `${happened} ${t('Server output: "{0}"', output)}` : happened;
		const tryAgain = { title: t('Try Again'), run: () => this.startAgain(server) };
		const fixActions = this.fixActions(server, fixes);
		// If the cause is unknown, another try is the most likely help.
		const first = cause.code === 'unknown' ? [tryAgain, ...fixActions] : [...fixActions, tryAgain];
		const log = this.logAction(server);
		const details = { title: t('Details'), run: () => this.showReport(server, facts) };
		// The titles for a failed sign-in are long: only two of them fit.
		const isSignIn = cause.code === 'authorization';
		const others = isSignIn ? [] : [...(first.length + 2 <= maxButtons ? [log] : []), details];
		const actions = [...first.slice(0, isSignIn ? 2 : maxButtons), ...others];
		this.told.set(server, state);
		const chosen = await vscode.window.showErrorMessage(message, ...actions.map(it => it.title));
		if (this.told.get(server) === state) {
			this.told.delete(server);
		}
		const action = actions.find(it => it.title === chosen);
		if (action) {
			didUseButton();
			await action.run();
		}
	}

	/** Finds the cause. The status bar shows progress, because the shell may take long to tell its PATH. */
	private async examine(situation: Situation, place: LaunchPlace): Promise<Examination> {
		const title = vscode.l10n.t('Looking for the cause…');
		return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
			examine(situation, place, this.deps.machine),
		);
	}

	/** The working directory of the server, and the PATH that it gets. */
	private async placeOf({ definition }: Server): Promise<LaunchPlace> {
		const { environment, machine } = this.deps;
		const { launch } = definition;
		if (launch.kind !== 'stdio') {
			return { path: environment.get('PATH') ?? '', folder: '' };
		}
		const { folder, path, setsPath } = describePlace(definition, launch, environment);
		const ofShell =
			serverOptions(definition).usePathOfShell && !setsPath ? await shellPathFirst(machine, environment) : undefined;
		return { folder, path: ofShell ?? path };
	}

	/** The buttons for fixes. Several programs that would work share one button, which lists them. */
	private fixActions(server: Server, fixes: readonly Fix[]): Action[] {
		const { t } = vscode.l10n;
		const binaries = fixes.filter(it => it.kind === 'useBinary');
		const actions = fixes.flatMap((fix): Action[] => {
			const title = fixButton(fix);
			if (title === undefined || (fix.kind === 'useBinary' && fix !== binaries[0])) {
				return [];
			}
			return fix.kind === 'useBinary' && binaries.length > 1
				? [{ title: t('Select Program…'), run: () => this.chooseBinary(server, binaries) }]
				: [{ title, run: () => this.apply(server, fix) }];
		});
		return actions.slice(0, maxFixes);
	}

	private async apply(server: Server, fix: Fix): Promise<void> {
		switch (fix.kind) {
			case 'useShellPath':
				// Most other servers need it too.
				await writeOption(allServers, 'usePathOfShell', true);
				await this.startAgain(server);
				break;
			case 'useBinary':
				await this.useBinary(server, fix);
				break;
			case 'install':
				await openAddress(fix.page);
				break;
			case 'editConfiguration':
				await this.editConfiguration(server);
				break;
			case 'showSignInReport':
			case 'setClient':
			case 'makeException':
				await vscode.commands.executeCommand(InternalCommands[fix.kind], new ServerNode(this.current(server)));
				break;
			default:
				break;
		}
	}

	private async editConfiguration(server: Server): Promise<void> {
		await openDefinition(this.current(server).definition);
	}

	private logAction(server: Server): Action {
		return { title: vscode.l10n.t('Show Log'), run: () => this.current(server).log.show() };
	}

	/** The server as it is configured now: its definition may change while the message is open. */
	private current(server: Server): Server {
		return this.deps.registry.current(server) ?? server;
	}

	private async chooseBinary(server: Server, binaries: readonly BinaryFix[]): Promise<void> {
		const items = binaries.map(fix => ({ label: quickPickText(fix.path), fix }));
		const placeHolder = vscode.l10n.t('Select the program to run');
		const chosen = await chooseLine(items, placeHolder);
		await (chosen && this.useBinary(server, chosen.fix));
	}

	/** Writes the path of a program into the server's configuration, and starts the server again. */
	private async useBinary(server: Server, { path, replaces, addsFolder }: BinaryFix): Promise<void> {
		const { t } = vscode.l10n;
		const { registry, machine } = this.deps;
		const { definition } = this.current(server);
		const isWindows = machine.platform === 'win32';
		const folder = path.slice(0, Math.max(1, path.lastIndexOf(isWindows ? '\\' : '/')));
		const before = (definition.launch.kind === 'stdio' && definition.launch.env['PATH']) || '${env:PATH}';
		const changes: ValueChange[] = [
			...(replaces ? [{ path: ['command'], value: path }] : []),
			...(addsFolder ? [{ path: ['env', 'PATH'], value: `${folder}${isWindows ? ';' : ':'}${before}` }] : []),
		];
		const uri = vscode.Uri.parse(definition.source.uri);
		if (definition.source.kind === 'userSettings' || uri.scheme === 'untitled') {
			await openDefinition(definition);
			throw new Error(t("MCP Workbench can't change this configuration. Enter the path yourself."));
		}
		const document = await openCurrent(uri);
		const eol = lineBreakOf(document);
		const changed = changeServer(document.getText(), definition.name, changes, definition.source.kind, eol);
		if (changed === undefined) {
			await openDefinition(definition);
			throw new Error(t("The configuration wasn't changed because it has errors or no longer contains the server."));
		}
		// Once the saved file has been read, another server object has the same id.
		const outdated = registry.current(server);
		const isReplaced = (): true | undefined => registry.current(server) !== outdated || undefined;
		const replaced = firstFound(registry.onDidChange, isReplaced, rereadMs);
		if (!(await saveAs(document, changed))) {
			throw new Error(t("Can't write the configuration."));
		}
		await replaced;
		await this.startAgain(server);
	}

	private async startAgain(server: Server): Promise<void> {
		const current = this.deps.registry.current(server);
		if (!current) {
			throw new Error(vscode.l10n.t('{0} is no longer configured.', this.deps.registry.label(server)));
		}
		await this.deps.start(current);
	}

	private async showReport(server: Server, facts: Omit<DiagnosisFacts, 'shell'>): Promise<void> {
		const { t } = vscode.l10n;
		const { showPage, machine, registry } = this.deps;
		const { definition } = server;
		const content = failurePage({ ...facts, shell: facts.search && (await machine.shellPath(false)) });
		const fixes = this.fixActions(server, facts.diagnosis.fixes);
		const edit = { title: fixButton({ kind: 'editConfiguration' }) ?? '', run: () => this.editConfiguration(server) };
		const actions: readonly Action[] = [
			...fixes,
			{ title: t('Try Again'), run: () => this.startAgain(server) },
			this.logAction(server),
			...(fixes.some(it => it.title === edit.title) ? [] : [edit]),
		];
		showPage({
			key: `failure ${definition.id}`,
			name: t('Diagnosis of {0}', registry.label(server)),
			content,
			actions: actions.map(({ title, run }) => ({ label: title, run })),
			isRead: true,
		});
	}
}
