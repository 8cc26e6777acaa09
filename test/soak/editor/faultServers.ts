// Every server that does what it must not: those of the tables of test/faults, and the other fixtures with a fault.
import './withoutMocha.js';
import '../../faults/httpAnswers.test.js';
import '../../faults/httpConnection.test.js';
import '../../faults/httpContent.test.js';
import '../../faults/httpStatus.test.js';
import '../../faults/httpStreams.test.js';
import '../../faults/modern.test.js';
import '../../faults/stdio.test.js';
import * as path from 'node:path';
import { projectRoot } from '../../host/paths.js';
import { definedHttpFaults, serveGood, serveHttpFault } from '../../support/faults/httpFaults.js';
import { definedStdioFaults } from '../../support/faults/stdioFaults.js';
import type { ScriptedServer } from '../../support/httpServer.js';
import { faultPrefix } from './orders.js';

/** One that a workspace can be told of. */
export interface FaultServer {
	readonly name: string;
	readonly definition: object;
}

/** Fixtures that have a fault, besides those that the tables name. */
const fixtures = ['closesStdin', 'deaf', 'grandchild', 'leavesWriter', 'lingering', 'slowExit', 'stubborn'];

/** Starts those over HTTP. Twice the same server with the same arguments is one. */
export async function startFaultServers(): Promise<{ servers: readonly FaultServer[]; dispose: () => void }> {
	const commands = new Map<string, readonly string[]>();
	for (const args of [...definedStdioFaults.map(it => it.server), ...fixtures.map(it => [it])]) {
		commands.set(args.join('-'), args);
	}
	const stdio = Array.from(commands, ([name, [file, ...args]]): FaultServer => {
		const script = path.join(projectRoot, 'test', 'fixtures', 'servers', `${file}.mjs`);
		return { name: `${faultPrefix}${name}`, definition: { command: 'node', args: [script, ...args, 'always'] } };
	});
	const other = await serveGood();
	const open: ScriptedServer[] = [other];
	const http = await Promise.all(
		definedHttpFaults.map(async (fault, index): Promise<FaultServer> => {
			const server = await serveHttpFault(fault, other);
			open.push(server);
			return {
				name: `${faultPrefix}${index} ${fault.name.slice(0, 60)}`,
				definition: { type: 'http', url: server.url },
			};
		}),
	);
	return { servers: [...stdio, ...http], dispose: () => open.forEach(it => void it.close().catch(() => undefined)) };
}
