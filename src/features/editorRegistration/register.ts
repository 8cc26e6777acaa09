/**
 * Our servers for the editor's own MCP host, only if the person asks for it: it runs each of them a second time, and what
 * it calls there passes neither our approvals, nor the history, nor what hides secrets in logs.
 */
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/lifecycle.js';
import { onDidChangeSetting, registersWithEditor } from '../../editor/workspace/config.js';
import { type EditorHostDeps, EditorHostServers } from './editorServers.js';

export function registerEditorHost(deps: EditorHostDeps): Disposable {
	const owned = new DisposableStore();
	const registration = owned.add(new MutableDisposable<EditorHostServers>());
	const update = (): void => {
		registration.value = registersWithEditor() ? new EditorHostServers(deps) : undefined;
	};
	owned.add(onDidChangeSetting('registerWithEditor', update));
	update();
	return owned;
}
