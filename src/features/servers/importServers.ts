/** "Import Servers…": what other clients on this side have configured, copied on request. */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import type { Addition } from '../../core/config/configEdit.js';
import { type ClientFile, clientFiles, type ClientFiles, readClientFile } from '../../core/addServer/otherClients.js';
import type { FoundServer } from '../../core/addServer/pastedServer.js';
import { nameOf } from '../../core/addServer/serverName.js';
import type { ServerInput, Wish } from '../../core/config/serverInputs.js';
import { withoutSecrets } from '../../core/config/serverInputs.js';
import { describeEntry, type ServerEntry } from '../../core/config/serverEntry.js';
import type { LaunchDefinition } from '../../core/config/serverDefinition.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { nameAll } from './addServer.js';
import { type Accept, askPlace, askWishes, grantAll, type StepOutcome, walk } from './addSteps.js';
import type { ServerTarget } from './targets.js';

interface Offer extends vscode.QuickPickItem {
	readonly server?: FoundServer;
	readonly inputs?: readonly ServerInput[];
	/** To be opened: it could not be read. */
	readonly broken?: ClientFile;
	/** Chosen unless the person says otherwise. */
	readonly isNew?: boolean;
}

export class ImportServers {
	private chosen: readonly Offer[] = [];
	private servers: readonly Addition[] = [];
	private target: ServerTarget | undefined;
	private wishes: ReadonlyMap<Addition, readonly Wish[]> = new Map();

	constructor(
		private readonly registry: ServerRegistry,
		private readonly accept: Accept,
		private readonly files: ClientFiles,
	) {}

	async run(): Promise<void> {
		const { t } = vscode.l10n;
		const offers = await this.offers();
		if (offers.length === 0) {
			void vscode.window.showInformationMessage(t('No other MCP client has servers on {0}.', whichSide()));
			return;
		}
		const title = t('Import Servers');
		const steps = [
			() => this.choose(title, offers),
			(canGoBack: boolean) =>
				this.servers.length === 0
					? Promise.resolve<StepOutcome>('skipped')
					: askPlace(title, canGoBack, it => (this.target = it)),
			(canGoBack: boolean) => askWishes(title, canGoBack, this.servers, it => (this.wishes = it)),
		];
		if (!(await walk(steps))) {
			return;
		}
		for (const { path } of this.chosen.flatMap(it => it.broken ?? [])) {
			await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
		}
		if (this.target && this.servers.length > 0) {
			await this.write(this.target);
		}
	}

	private async write(target: ServerTarget): Promise<void> {
		const { t } = vscode.l10n;
		const known = this.chosen.flatMap(it => it.inputs ?? []);
		const { additions, inputs, answers } = grantAll(this.servers, this.wishes, known);
		const written = await target.write(additions, inputs);
		if (!written) {
			return;
		}
		await this.accept(written, answers);
		const where = notificationText(target.label);
		const names = notificationText(additions.map(it => it.name).join(', '));
		const message =
			additions.length === 1
				? t('1 server was added to {0}: {1}.', where, names)
				: t('{0} servers were added to {1}: {2}.', additions.length, where, names);
		const open = t('Open');
		// Not awaited: the command has done what it was asked for.
		void vscode.window.showInformationMessage(message, open).then(choice => {
			return choice === open ? written.reveal() : undefined;
		});
	}

	private async choose(title: string, offers: readonly Offer[]): Promise<StepOutcome> {
		const { t } = vscode.l10n;
		const placeholder = t('Copy from {0}', whichSide());
		const chosen = await askForMany({ title, placeholder }, offers, it => it.isNew === true);
		if (chosen === undefined || chosen === back || chosen.length === 0) {
			return 'left';
		}
		this.chosen = chosen;
		const taken = new Set(this.registry.servers.map(it => it.name));
		this.servers = nameAll(
			chosen.flatMap(it => it.server ?? []),
			taken,
		);
		return 'next';
	}

	/** One line for each server of each client, and for each file that cannot be read. */
	private async offers(): Promise<Offer[]> {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const paths = folders.filter(it => it.uri.scheme === 'file').map(it => it.uri.fsPath);
		const files = clientFiles(this.files, paths);
		const groups = await Promise.all(files.map(file => this.read(file)));
		const seen = new Set(this.registry.servers.map(it => identity(it.definition.launch)));
		const offers: Offer[] = [];
		for (const [index, { groups: found, problem }] of groups.entries()) {
			const file = files[index];
			if (file && problem !== undefined) {
				offers.push(separator(file.client), this.brokenOffer(file, problem));
			}
			for (const { project, servers, inputs } of file ? found : []) {
				offers.push(
					separator(project === undefined ? (file?.client ?? '') : `${file?.client} · ${this.short(project)}`),
				);
				for (const server of servers) {
					const key = identity(server.entry);
					offers.push(this.offer(server, inputs, file?.path ?? '', !seen.has(key)));
					seen.add(key);
				}
			}
		}
		return offers;
	}

	private async read(
		file: ClientFile,
	): Promise<{ groups: ReturnType<typeof readClientFile> & object; problem?: string }> {
		try {
			const text = await this.files.read(file.path);
			const groups = text === undefined ? [] : readClientFile(text);
			return groups ? { groups } : { groups: [], problem: vscode.l10n.t('not valid JSON') };
		} catch (error) {
			return { groups: [], problem: toMessage(error) };
		}
	}

	private offer(server: FoundServer, inputs: readonly ServerInput[], path: string, isNew: boolean): Offer {
		const { t } = vscode.l10n;
		const what = describeEntry(withoutSecrets(server.entry));
		return {
			label: quickPickText(server.name ?? nameOf(server.entry)),
			description: quickPickText(isNew ? what : t('already there · {0}', what)),
			detail: quickPickText(this.short(path)),
			server,
			inputs,
			isNew,
		};
	}

	private brokenOffer(broken: ClientFile, problem: string): Offer {
		const { t } = vscode.l10n;
		return {
			label: `$(warning) ${quickPickText(this.short(broken.path))}`,
			description: quickPickText(t('cannot be read: {0}', problem)),
			detail: t('Choose it to open the file'),
			broken,
		};
	}

	private short(path: string): string {
		const { home } = this.files;
		return home !== '' && path.startsWith(home) ? `~${path.slice(home.length)}` : path;
	}
}

function separator(label: string): Offer {
	return { label: quickPickText(label), kind: vscode.QuickPickItemKind.Separator };
}

/** Only the side that the extension runs on is looked at: its servers would start there as well. */
function whichSide(): string {
	const { t } = vscode.l10n;
	const { remoteName } = vscode.env;
	return remoteName === undefined ? t('this computer') : t('the remote side ({0})', quickPickText(remoteName));
}

/** The same for servers that run the same or connect to the same. */
function identity(launch: ServerEntry | LaunchDefinition): string {
	return JSON.stringify('url' in launch ? launch.url : [launch.command, ...(launch.args ?? [])]);
}
