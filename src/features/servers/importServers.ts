/** The command Import Servers: copies the servers of other clients, from files on the machine that runs the extension. */
import * as vscode from 'vscode';
import { toMessage } from '../../base/errors.js';
import { notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { labelOfName } from '../../core/servers/serverLabels.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import type { ClientServers, FoundServer, ServerReader } from '../../core/addServer/foundServer.js';
import { type ClientFile, clientFiles, type ClientFiles, storeApps } from '../../core/addServer/otherClients.js';
import { nameOf } from '../../core/addServer/serverName.js';
import { type ServerInput, withoutSecrets } from '../../core/config/serverInputs.js';
import { describeEntry, type ServerEntry } from '../../core/config/serverEntry.js';
import type { LaunchDefinition } from '../../core/config/serverDefinition.js';
import { nameServers } from './addServer.js';
import { type AddingDeps, NewServers, type StepOutcome, runWizard } from './addSteps.js';

interface Offer extends vscode.QuickPickItem {
	readonly server?: FoundServer;
	readonly inputs?: readonly ServerInput[];
	/** A file that can't be read. Choosing it opens it. */
	readonly broken?: ClientFile;
	readonly isPreselected?: boolean;
}

export class ImportServers {
	private chosen: readonly Offer[] = [];
	private readonly added = new NewServers(vscode.l10n.t('Import Servers'));

	constructor(
		private readonly deps: AddingDeps,
		private readonly files: ClientFiles,
		private readonly loadReader: () => Promise<ServerReader>,
	) {}

	async run(): Promise<void> {
		const { t } = vscode.l10n;
		const offers = await this.offers();
		if (offers.length === 0) {
			const { remoteName } = vscode.env;
			void vscode.window.showInformationMessage(
				remoteName === undefined
					? t('No servers of other MCP clients found on this computer.')
					: t('No servers of other MCP clients found on the remote machine ({0}).', notificationText(remoteName)),
			);
			return;
		}
		const { added } = this;
		const isDone = await runWizard([
			() => this.choose(offers),
			canGoBack => added.askPlace(canGoBack),
			canGoBack => added.askInputs(canGoBack),
		]);
		if (!isDone) {
			return;
		}
		for (const { path } of this.chosen.flatMap(it => it.broken ?? [])) {
			await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
		}
		if (added.servers.length > 0) {
			await this.save();
		}
	}

	private async save(): Promise<void> {
		const { t } = vscode.l10n;
		const { servers, target } = this.added;
		const inputs = this.chosen.flatMap(it => it.inputs ?? []);
		const written = await this.added.save(inputs, this.deps);
		if (!written) {
			return;
		}
		const where = notificationText(target?.label ?? '');
		const names = notificationText(servers.map(it => labelOfName(it.name)).join(', '));
		const reasons = this.added.suggested.map(it => it.suggestion.why);
		const isAsked = inputs.length > 0 || reasons.some(it => it !== 'secret');
		const sentences = [
			t('Added to {0}: {1}.', where, names),
			reasons.includes('secret') && t('Secrets are kept in secret storage, and not in the configuration.'),
			isAsked && t('You are asked for missing values at the first start.'),
		];
		const open = t('Open');
		// Not awaited: the command has ended, but the message may stay open.
		void vscode.window.showInformationMessage(sentences.filter(Boolean).join(' '), open).then(choice => {
			return choice === open ? written.reveal() : undefined;
		});
	}

	private async choose(offers: readonly Offer[]): Promise<StepOutcome> {
		const { t } = vscode.l10n;
		const { remoteName } = vscode.env;
		const placeholder =
			remoteName === undefined
				? t('Select servers to import from this computer')
				: t('Select servers to import from the remote machine ({0})', quickPickText(remoteName));
		const chosen = await askForMany({ title: this.added.title, placeholder }, offers, it => it.isPreselected === true);
		if (chosen === undefined || chosen === back || chosen.length === 0) {
			return 'left';
		}
		this.chosen = chosen;
		const taken = new Set(this.deps.registry.servers.map(it => it.name));
		this.added.servers = nameServers(
			chosen.flatMap(it => it.server ?? []),
			taken,
		);
		return 'next';
	}

	/** One line for each server of each client, and for each file that can't be read. */
	private async offers(): Promise<Offer[]> {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const paths = folders.filter(it => it.uri.scheme === 'file').map(it => it.uri.fsPath);
		const reader = await this.loadReader();
		const apps = storeApps(this.files);
		const files = clientFiles(this.files, paths, apps === undefined ? [] : await this.files.list(apps));
		const results = await Promise.all(files.map(async file => ({ file, ...(await this.read(file, reader)) })));
		const seen = new Set(this.deps.registry.servers.map(it => identity(it.definition.launch)));
		const offers: Offer[] = [];
		for (const { file, groups, problem } of results) {
			if (problem !== undefined) {
				offers.push(separator(file.client), this.brokenOffer(file, problem));
			}
			for (const { project, servers, inputs } of groups) {
				offers.push(separator(project === undefined ? file.client : `${file.client} · ${this.short(project)}`));
				for (const server of servers) {
					const key = identity(server.entry);
					offers.push(this.offer(server, inputs, file, !seen.has(key)));
					seen.add(key);
				}
			}
		}
		return offers;
	}

	private async read(
		{ path, format }: ClientFile,
		reader: ServerReader,
	): Promise<{ groups: readonly ClientServers[]; problem?: string }> {
		try {
			const text = await this.files.read(path);
			const groups = text === undefined ? [] : reader.readClientFile(text, format);
			return groups ? { groups } : { groups: [], problem: vscode.l10n.t('Not valid {0}', format) };
		} catch (error) {
			return { groups: [], problem: toMessage(error) };
		}
	}

	private offer(
		server: FoundServer,
		inputs: readonly ServerInput[],
		{ path, isOfWorkspace = false }: ClientFile,
		isNew: boolean,
	): Offer {
		const { t } = vscode.l10n;
		const what = describeEntry(withoutSecrets(server.entry));
		return {
			label: labelOfName(server.name ?? nameOf(server.entry)),
			description: quickPickText(isNew ? what : t('Already configured: {0}', what)),
			detail: quickPickText(isOfWorkspace ? t('From this workspace: {0}', this.short(path)) : this.short(path)),
			server,
			inputs,
			isPreselected: isNew && !isOfWorkspace,
		};
	}

	private brokenOffer(broken: ClientFile, problem: string): Offer {
		const { t } = vscode.l10n;
		return {
			label: `$(warning) ${quickPickText(this.short(broken.path))}`,
			description: quickPickText(t("Can't be read: {0}", problem)),
			detail: t('Select to open the file'),
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

/** Is equal for servers that run the same command or have the same URL. */
function identity(launch: ServerEntry | LaunchDefinition): string {
	return JSON.stringify('url' in launch ? launch.url : [launch.command, ...(launch.args ?? [])]);
}
