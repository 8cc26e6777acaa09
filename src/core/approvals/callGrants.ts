/** Validates stored grants for calls, which another version of the extension may have written to the workspace's state. */
import { isObject } from '../../mcp/index.js';
import type { Grant } from './approval.js';

/** Whether a stored value is a grant that lasts for the workspace. */
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

/** Whether a value has hashes by tool name. Without them, the grant is about every tool, and so must be a denial. */
function isTools(value: unknown, decision: 'allow' | 'deny'): boolean {
	return value === undefined
		? decision === 'deny'
		: isObject(value) && Object.values(value).every(it => typeof it === 'string');
}
