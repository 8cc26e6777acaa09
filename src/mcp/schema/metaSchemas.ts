/**
 * Validators of the meta-schemas. `esbuild.js` replaces this file with code that Ajv generates during the build, because
 * compiling the meta-schemas at run time delayed the first check by 50 ms.
 */
import type { ValidateFunction } from 'ajv';
import type { Dialect } from './schemaLimits.js';

/**
 * Whether a value is a schema of the dialect; the function's `errors` has the first error. Formats are not checked, because
 * `$id`s that aren't URIs and patterns that aren't Unicode patterns are in use.
 */
export declare const metaSchemas: Readonly<Record<Dialect, ValidateFunction>>;
