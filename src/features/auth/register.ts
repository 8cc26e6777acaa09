/** Registers the commands for accounts, and shows servers that need a sign-in as pending requests. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommands } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import { authCommands, type AuthDeps } from './commands.js';

const commandIds = [
	Commands.signIn,
	Commands.signOut,
	Commands.showAccount,
	Commands.showSignInReport,
	Commands.setClient,
	Commands.forgetRegistration,
	Commands.pasteAddress,
] as const;
export type AuthCommand = (typeof commandIds)[number];

export function registerAuth(deps: AuthDeps): Disposable {
	const { registry, requests } = deps;
	const owned = new DisposableStore();
	owned.add(registry.withServers(() => requests.follow(registry)));
	owned.add(registerCommands(commandIds, () => authCommands(deps)));
	return owned;
}
