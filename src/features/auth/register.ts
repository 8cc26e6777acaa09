/** Registers the commands and actions for accounts, and shows servers that need a sign-in as pending requests. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommands } from '../../editor/commands.js';
import { accountAction, authCommands, type AuthDeps } from './commands.js';

export function registerAuth(deps: AuthDeps): Disposable {
	const { registry, requests } = deps;
	const owned = new DisposableStore();
	owned.add(requests.follow(registry));
	owned.add(registerCommands(authCommands(deps)));
	owned.add(deps.serverActions.register(accountAction(deps)));
	return owned;
}
