/** The mistakes in a configuration file, as data. `editor/l10n` has the words. */
import type { JsonExcess } from '../text/boundedJson.js';
import type { TextRange } from '../text/jsonNodes.js';
import type { ConfigSource, DebugDefinition } from './serverDefinition.js';

/** A mistake in the file, at its position. */
export type ConfigProblem = TextRange &
	(
		| { readonly code: 'syntax'; readonly error: string }
		/** The text wasn't parsed, because it has more levels or UTF-16 units than the limit. */
		| { readonly code: JsonExcess['code']; readonly limit: number }
		/** The file wasn't read: it is a device, pipe or folder; it has more bytes than the limit; or reading it failed. */
		| { readonly code: 'notRegular' }
		| { readonly code: 'tooLarge'; readonly limit: number }
		| { readonly code: 'unreadable'; readonly error: string }
		| { readonly code: 'wrongType'; readonly key: string; readonly expected: ConfigType }
		| { readonly code: 'missing'; readonly server: string; readonly key: 'command' | 'url' }
		| { readonly code: 'unknownTransport'; readonly server: string; readonly value: string }
		| { readonly code: 'duplicate'; readonly server: string }
		/** The servers are in a key that other programs use. */
		| { readonly code: 'wrongKey'; readonly found: string; readonly expected: string }
		/** The server isn't left out; it fails when it is started. */
		| { readonly code: 'unknownVariable'; readonly variable: string }
		/** A place that takes precedence configures the same server. */
		| { readonly code: 'shadowed'; readonly server: string; readonly by: ConfigSource }
		| { readonly code: 'unknownDebugger'; readonly value: string }
		/** The debugger can't run `command`; it is `undefined` for a server at a URL. */
		| { readonly code: 'cannotDebug'; readonly type: DebugDefinition['type']; readonly command: string | undefined }
		| InputProblem
	);

/** The type that a value in a configuration file must have. */
export type ConfigType =
	| 'object'
	| 'array'
	| 'string'
	| 'boolean'
	| 'array of strings'
	| 'string or strings'
	| 'object of strings'
	/** Options of an input. */
	| 'options';

/** A mistake in `inputs`. */
type InputProblem =
	| { readonly code: 'missingInInput'; readonly input: string | undefined; readonly key: string }
	| { readonly code: 'unknownInputType'; readonly input: string; readonly value: string }
	| { readonly code: 'duplicateInput'; readonly input: string }
	/** A value uses an input that the file doesn't define. */
	| { readonly code: 'undefinedInput'; readonly input: string };
