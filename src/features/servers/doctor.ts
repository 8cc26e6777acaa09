/** Diagnose Server: what happened, the likely reason, the fix as a button, and all that is known as a document. */
import * as vscode from 'vscode';
import { firstFound } from '../../base/async.js';
import { didUseButton } from '../../editor/commands.js';
import { usePathOfShell, writeSetting } from '../../editor/workspace/config.js';
import { Commands } from '../../editor/contributions.js';
import { describeCause, fixButton } from '../../editor/l10n/diagnosisText.js';
import type { Documents } from '../../editor/documents/documents.js';
import { lineBreakOf, openCurrent, saveAs } from '../../editor/documents/fileEdit.js';
import { openAddress } from '../../editor/auth/pages.js';
import { notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { describeFailedStart } from '../../editor/l10n/stateWords.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import { describePlace } from '../../editor/workspace/variables.js';
import { changeServer, mcpJsonPlaces, type ValueChange } from '../../core/config/configEdit.js';
import type { Fix, Situation } from '../../core/diagnosis/diagnosis.js';
import { type Examination, examine, type Machine, type Place, shellPathFirst } from '../../core/diagnosis/doctor.js';
import type { Consents } from '../../core/launch/consents.js';
import type { Environment } from '../../core/launch/environment.js';
import { findErrorLine } from '../../core/diagnosis/lastWords.js';
import type { Server } from '../../core/servers/server.js';
import { parseServerConfig } from '../../core/config/serverConfig.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { doctorReport } from './doctorReport.js';
import { openDefinition } from './openConfiguration.js';
import { readMs } from './untilThere.js';

export interface DoctorDeps {
	readonly registry: ServerRegistry;
	readonly consents: Consents;
	readonly documents: Documents;
	readonly environment: Environment;
	readonly machine: Machine;
	/** Starts a server, and explains again if that fails. */
	readonly start: (server: Server) => Promise<void>;
}

type BinaryFix = Extract<Fix, { kind: 'useBinary' }>;

/** A button and what it does. */
interface Action {
	readonly title: string;
	readonly run: () => unknown;
}

/** More buttons than these do not fit below a message: the editor cuts their words. */
const maxButtons = 4;
const maxFixes = 2;

export class Doctor {
	/** The failures whose message has not been closed: the editor does not show one a second time. */
	private readonly told = new WeakMap<Server, Server['state']>();

	constructor(private readonly deps: DoctorDeps) {}

	/** Tells why a server failed, and shows the report where that was told already; resolves when the message is gone. */
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
			// It was started again, or its definition changed, while the shell was asked.
			return;
		}
		if (this.told.get(server) === state) {
			await this.showReport(server, situation, place, examination);
			return;
		}
		const { cause, fixes } = examination.diagnosis;
		const name = notificationText(registry.label(server));
		const reason = describeCause(cause);
		const output = notificationText(findErrorLine(state.stderr) ?? '');
		const happened = [describeFailedStart(name, cause, state.failure), ...(reason === undefined ? [] : [reason])].join(
			' ',
		);
		// The message may quote the output already.
		const isNews = output !== '' && cause.code !== 'onlyOnShellPath' && !happened.includes(output);
		const message = isNews ? `${happened} ${t('Server output: "{0}"', output)}` : happened;
		const tryAgain = { title: t('Try Again'), run: () => this.startAgain(server) };
		const mend = this.fixActions(server, fixes);
		// Where nothing is known, nothing is likelier to help than another try.
		const first = cause.code === 'unknown' ? [tryAgain, ...mend] : [...mend, tryAgain];
		const log = { title: t('Show Log'), run: () => (registry.current(server) ?? server).log.show() };
		const details = {
			title: t('Details'),
			run: () => this.showReport(server, situation, place, examination),
		};
		const actions = [...first, ...(first.length + 2 <= maxButtons ? [log] : []), details];
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

	/** A shell that takes long to say its PATH is waited for where everybody can see it. */
	private async examine(situation: Situation, place: Place): Promise<Examination> {
		const title = vscode.l10n.t('Looking for what is missing…');
		return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
			examine(situation, place, this.deps.machine),
		);
	}

	/** Where it is started, with the PATH that it gets. */
	private async placeOf({ definition }: Server): Promise<Place> {
		const { environment, machine } = this.deps;
		const { launch } = definition;
		if (launch.kind !== 'stdio') {
			return { path: environment.get('PATH') ?? '', folder: '' };
		}
		const { folder, path, setsPath } = describePlace(definition, launch, environment);
		const ofShell = usePathOfShell() && !setsPath ? await shellPathFirst(machine, environment) : undefined;
		return { folder, path: ofShell ?? path };
	}

	/** Fixes that have a button; of several programs that would do, one is chosen. */
	private fixActions(server: Server, fixes: readonly Fix[]): Action[] {
		const { t } = vscode.l10n;
		const binaries = fixes.filter(it => it.kind === 'useBinary');
		const actions: Action[] = [];
		for (const fix of fixes) {
			const title = fixButton(fix);
			if (title === undefined || (fix.kind === 'useBinary' && fix !== binaries[0])) {
				continue;
			}
			actions.push(
				fix.kind === 'useBinary' && binaries.length > 1
					? { title: t('Choose a Program Found…'), run: () => this.chooseBinary(server, binaries) }
					: { title, run: () => this.apply(server, fix) },
			);
		}
		return actions.slice(0, maxFixes);
	}

	private async apply(server: Server, fix: Fix): Promise<void> {
		switch (fix.kind) {
			case 'useShellPath':
				await writeSetting('usePathOfShell', true);
				await this.startAgain(server);
				break;
			case 'useBinary':
				await this.useBinary(server, fix);
				break;
			case 'install':
				await openAddress(fix.page);
				break;
			case 'editConfiguration': {
				// The message may have stood there while the configuration was mended.
				await openDefinition((this.deps.registry.current(server) ?? server).definition);
				break;
			}
			case 'showSignInReport':
				await vscode.commands.executeCommand(Commands.showSignInReport, this.nodeOf(server));
				break;
			case 'setClient':
				await vscode.commands.executeCommand(Commands.setClient, this.nodeOf(server));
				break;
			default:
				break;
		}
	}

	private nodeOf(server: Server): ServerNode {
		return new ServerNode(this.deps.registry.current(server) ?? server);
	}

	private async chooseBinary(server: Server, binaries: readonly BinaryFix[]): Promise<void> {
		const items = binaries.map(fix => ({ label: quickPickText(fix.path), fix }));
		const placeHolder = vscode.l10n.t('Choose the program to run');
		const chosen = await chooseLine(items, placeHolder);
		await (chosen && this.useBinary(server, chosen.fix));
	}

	/** Writes the path where the server is configured, as far as it still is, and starts it again. */
	private async useBinary(server: Server, { path, replaces, addsFolder }: BinaryFix): Promise<void> {
		const { t } = vscode.l10n;
		const { registry, machine } = this.deps;
		const { definition } = registry.current(server) ?? server;
		const isWindows = machine.platform === 'win32';
		const folder = path.slice(0, Math.max(1, path.lastIndexOf(isWindows ? '\\' : '/')));
		const before = (definition.launch.kind === 'stdio' && definition.launch.env['PATH']) || '${env:PATH}';
		const changes: ValueChange[] = [
			...(replaces ? [{ path: ['command'], value: path }] : []),
			...(addsFolder ? [{ path: ['env', 'PATH'], value: `${folder}${isWindows ? ';' : ':'}${before}` }] : []),
		];
		if (definition.source.kind !== 'vscodeFolder') {
			await openDefinition(definition);
			throw new Error(t('Nothing was changed: write the path where the server is configured.'));
		}
		const uri = vscode.Uri.parse(definition.source.uri);
		const document = await openCurrent(uri);
		const eol = lineBreakOf(document);
		const changed = changeServer(document.getText(), definition.name, changes, mcpJsonPlaces, eol);
		if (changed === undefined) {
			await openDefinition(definition);
			throw new Error(t("The configuration wasn't changed: it has a mistake, or the server is no longer in it."));
		}
		await this.allowChange(definition, document.getText(), changed);
		// The file is read when it is saved; the server that then stands there is another one.
		const outdated = registry.current(server);
		const isReplaced = (): true | undefined => registry.current(server) !== outdated || undefined;
		const replaced = firstFound(registry.onDidChange, isReplaced, readMs);
		if (!(await saveAs(document, changed))) {
			throw new Error(t('The configuration could not be written.'));
		}
		await replaced;
		await this.startAgain(server);
	}

	/** The person chose the program: what else they have seen of the server stays as they have seen it. */
	private async allowChange({ name, source }: ServerDefinition, before: string, after: string): Promise<void> {
		const [was, is] = [before, after].map(it =>
			parseServerConfig(it, source).servers.find(server => server.name === name),
		);
		await (was && is && this.deps.consents.allowInstead(was, is));
	}

	private async startAgain(server: Server): Promise<void> {
		const current = this.deps.registry.current(server);
		if (!current) {
			throw new Error(
				vscode.l10n.t('{0} is no longer configured.', notificationText(this.deps.registry.label(server))),
			);
		}
		await this.deps.start(current);
	}

	private async showReport(server: Server, situation: Situation, place: Place, known: Examination): Promise<void> {
		const { t } = vscode.l10n;
		const { documents, machine, registry } = this.deps;
		const { name, definition } = server;
		const text = doctorReport({
			name,
			source: definition.source,
			situation,
			place,
			shell: known.search && (await machine.shellPath(false)),
			...known,
			platform: machine.platform,
		});
		await documents.show(t('Why {0} failed', registry.label(server)), text, true);
	}
}
