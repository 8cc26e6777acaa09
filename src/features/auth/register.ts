/** Registers the commands for accounts, and shows servers that need a sign-in as pending requests. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { registerCommands } from '../../editor/commands.js';
import { authCommands, type AuthDeps } from './commands.js';

export function registerAuth(deps: AuthDeps): Disposable {
	const { registry, requests } = deps;
	const owned = new DisposableStore();
	owned.add(requests.follow(registry));
	owned.add(registerCommands(authCommands(deps)));
	return owned;
}
