/** Validates grants for calls that are read from the state of the workspace. */
import { isObject } from '../../mcp/index.js';
import type { Grant } from './approval.js';

/** Whether a stored value is a lasting grant. Another version of the extension may have written anything. */
export function isCallGrant(value: unknown): value is Grant {
	return (
		isObject(value) &&
		typeof value['id'] === 'string' &&
		(value['decision'] === 'allow' || value['decision'] === 'deny') &&
		typeof value['serverId'] === 'string' &&
		isTools(value['tools'], value['decision']) &&
		(value['argumentsKey'] === undefined || typeof value['argumentsKey'] === 'string') &&
		value['lasts'] === 'workspace' &&
		Number.isFinite(value['time'])
	);
}

/** Fingerprints by name. Only a denial can be about every tool. */
function isTools(value: unknown, decision: 'allow' | 'deny'): boolean {
	return value === undefined
		? decision === 'deny'
		: isObject(value) && Object.values(value).every(it => typeof it === 'string');
}
