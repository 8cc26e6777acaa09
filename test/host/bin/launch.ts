// The launcher as a program (see launcher.ts): for whoever gives it to test-electron as the editor, and for
// `test/lifetimes/host.test.ts`, which looks from outside at what it leaves behind. `npm test` calls it within its own process.
import { launch, parseLaunchArguments } from '../launcher.js';

// A parent that was killed cannot tell us to stop.
const parent = process.ppid;
setInterval(() => {
	if (process.ppid !== parent) {
		process.kill(process.pid, 'SIGTERM');
	}
}, 1000).unref();

async function main(): Promise<void> {
	try {
		process.exit(await launch(parseLaunchArguments(process.argv.slice(2))));
	} catch (error) {
		console.error(error instanceof Error ? `[host] ${error.message}` : error);
		process.exit(1);
	}
}

void main();
