/** The methods that a client may send, by the official schemas of the revisions. `test/source/methods.test.ts` compares them. */
const first = '2024-11-05';
const tasks = '2025-11-25';
const modern = '2026-07-28';

/** The name, the first and the last revision, and the parameters that it requires, and the usual ones, without values. */
const methods: readonly (readonly [name: string, from: string, to: string, params: object])[] = [
	['tools/call', first, modern, { name: '', arguments: {} }],
	['tools/list', first, modern, {}],
	['resources/read', first, modern, { uri: '' }],
	['resources/list', first, modern, {}],
	['resources/templates/list', first, modern, {}],
	['resources/subscribe', first, tasks, { uri: '' }],
	['resources/unsubscribe', first, tasks, { uri: '' }],
	['prompts/get', first, modern, { name: '' }],
	['prompts/list', first, modern, {}],
	['completion/complete', first, modern, { ref: { type: 'ref/prompt', name: '' }, argument: { name: '', value: '' } }],
	['logging/setLevel', first, tasks, { level: 'info' }],
	['ping', first, tasks, {}],
	['tasks/list', tasks, tasks, {}],
	['tasks/get', tasks, tasks, { taskId: '' }],
	['tasks/result', tasks, tasks, { taskId: '' }],
	['tasks/cancel', tasks, tasks, { taskId: '' }],
	['server/discover', modern, modern, {}],
	['subscriptions/listen', modern, modern, { notifications: {} }],
];

/** Those of a revision; without `initialize`, which only begins a session. */
export function methodsOf(revision = modern): { readonly name: string; readonly params: object }[] {
	const those = methods.filter(([, from, to]) => from <= revision && revision <= to);
	return those.map(([name, , , params]) => ({ name, params }));
}

/** Whether a person may send the method: nothing that begins a session, and no notification. */
export function isSendable(method: string): boolean {
	return method !== '' && method !== 'initialize' && !method.startsWith('notifications/');
}
