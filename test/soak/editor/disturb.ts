// What the soak does to servers and their configuration while they are at work, each thing entered before it is done.
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { planned, type Planned } from './plan.js';
import type { Random } from './random.js';
import type { Stage } from './stage.js';

/** How long until an edit has been noticed and taken up. */
export const editMs = 6000;
const revivalMs = 2000;

type Disturbance = (stage: Stage, random: Random) => Promise<void>;

async function killProcess(stage: Stage, random: Random): Promise<void> {
	const victim = random.pick(planned.filter(it => it.transport === 'stdio'));
	stage.trouble('kill', victim.name, 1000);
	await stage.kill(victim);
}

async function killAtUrl(stage: Stage, random: Random): Promise<void> {
	const victim = random.pick(planned.filter(it => it.transport !== 'stdio'));
	stage.trouble('kill', victim.name, revivalMs);
	await stage.kill(victim);
	await delay(random.below(revivalMs));
	await stage.revive(victim);
	stage.trouble('revival', victim.name, 1000);
}

let edits = 0;

async function edit(stage: Stage, random: Random): Promise<void> {
	const { name, folder, transport } = random.pick(planned);
	stage.trouble('edit', name, editMs);
	const number = String(++edits);
	const before = stage.configuration.get(folder, name);
	const { env } = before as { env?: object };
	const changed = transport === 'stdio' ? { env: { ...env, SOAK_EDIT: number } } : { headers: { 'x-edit': number } };
	stage.configuration.set(folder, name, { ...before, ...changed });
	stage.configuration.write(folder);
}

async function takeAway(stage: Stage, random: Random): Promise<void> {
	const { name, folder } = random.pick(planned);
	const definition = stage.configuration.get(folder, name) ?? {};
	stage.trouble('removal', name, 3 * editMs);
	stage.configuration.remove(folder, name);
	stage.configuration.write(folder);
	await delay(random.below(3000));
	stage.configuration.set(folder, name, definition);
	stage.configuration.write(folder);
	stage.trouble('addition', name, editMs);
}

/** Concerns nobody: what was read before holds until the file can be read again. */
async function halfType(stage: Stage, random: Random): Promise<void> {
	stage.trouble('half-typed file', '', 0);
	const folder = random.pick(['first', 'second']);
	stage.configuration.write(folder, true);
	await delay(random.below(2000));
	stage.configuration.write(folder);
}

/** Concerns nobody but as news of roots. */
async function otherFolder(stage: Stage, random: Random): Promise<void> {
	stage.trouble('folder', '', 0);
	const folder = path.join(stage.root, 'third');
	await stage.order({ do: 'folder', path: folder, isThere: true });
	await delay(500 + random.below(3000));
	await stage.order({ do: 'folder', path: folder, isThere: false });
	await delay(500);
}

async function theirFolder(stage: Stage, random: Random): Promise<void> {
	const concerned: readonly Planned[] = planned.filter(it => it.folder === 'second');
	const folder = path.join(stage.root, 'second');
	concerned.forEach(it => stage.trouble('folder removed', it.name, 4 * editMs));
	await stage.order({ do: 'folder', path: folder, isThere: false });
	await delay(500 + random.below(5000));
	await stage.order({ do: 'folder', path: folder, isThere: true });
	concerned.forEach(it => stage.trouble('folder added', it.name, editMs));
	await delay(500);
}

/** Each as often as it stands here. */
const disturbances: Readonly<Record<string, { readonly weight: number; readonly run: Disturbance }>> = {
	kills: { weight: 9, run: killProcess },
	'kills at a URL': { weight: 5, run: killAtUrl },
	edits: { weight: 4, run: edit },
	'removals of servers': { weight: 2, run: takeAway },
	'half-typed files': { weight: 2, run: halfType },
	'folders added and removed': { weight: 2, run: otherFolder },
	'folders of servers removed and added': { weight: 1, run: theirFolder },
};

/** Disturbs until it is over. Everything happens once before anything happens twice. */
export async function disturb(
	stage: Stage,
	random: Random,
	counts: Record<string, number>,
	isOver: () => boolean,
): Promise<void> {
	const names = Object.keys(disturbances);
	const weighted = names.flatMap(name => Array.from({ length: disturbances[name]?.weight ?? 0 }, () => name));
	while (!isOver()) {
		const fresh = names.filter(it => counts[it] === undefined);
		const name = random.pick(fresh.length > 0 ? fresh : weighted);
		await disturbances[name]?.run(stage, random);
		counts[name] = (counts[name] ?? 0) + 1;
		await delay(500 + random.below(2500));
	}
}
