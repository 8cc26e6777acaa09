/** The thread that checks values by JSON Schemas: a bundle of its own. `mcp/schema/validator.ts` tells why. */
import { parentPort } from 'node:worker_threads';
import { AjvValidator } from './mcp/schema/ajvValidator.js';

const validator = new AjvValidator();

parentPort?.on('message', ({ schema, value }: { schema: string; value: string }) => {
	parentPort?.postMessage('started');
	parentPort?.postMessage(validator.check(schema, value));
});
