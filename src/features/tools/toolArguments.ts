/** Creates the parts that ask for arguments of tools. Approvals need them before the rest of the feature exists. */
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { ArgumentsDocuments } from './argumentsDocument.js';
import { ArgumentsInput, type ArgumentsInputDeps } from './argumentsInput.js';
import { LastArguments } from './lastArguments.js';
import type { EditorState } from '../../editor/storage/editorState.js';

export interface ToolArgumentsDeps extends Pick<ArgumentsInputDeps, 'registry' | 'documents' | 'validator'> {
	/** State of the workspace. */
	readonly state: EditorState;
}

export interface ToolArguments extends Disposable {
	readonly documents: ArgumentsDocuments;
	readonly last: LastArguments;
	readonly input: ArgumentsInput;
	/** Lets the person change the arguments of a call that waits for approval. */
	readonly edit: ArgumentsInput['edit'];
}

export function createToolArguments({ registry, documents, validator, state }: ToolArgumentsDeps): ToolArguments {
	const owned = new DisposableStore();
	const argumentsDocuments = owned.add(new ArgumentsDocuments(registry));
	const last = new LastArguments(state);
	const input = new ArgumentsInput({ registry, documents, argumentsDocuments, last, validator });
	return {
		documents: argumentsDocuments,
		last,
		input,
		edit: (...edited) => input.edit(...edited),
		dispose: () => owned.dispose(),
	};
}
