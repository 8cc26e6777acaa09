/**
 * Validators of the dialects' own schemas. `esbuild.js` replaces this file with the code that Ajv generates for them:
 * compiling them at run time held the first check up for 50 ms.
 */
import type { ValidateFunction } from 'ajv';
import type { Dialect } from './dialect.js';

/**
 * Each says whether a value is a schema of its dialect, and leaves the first error on itself. Formats are not checked:
 * `$id`s that are no URIs and patterns that are no Unicode patterns are in use.
 */
export declare const metaSchemas: Readonly<Record<Dialect, ValidateFunction>>;
