// How much work something is, whatever else the machine does: a limit of wall-clock time fails on a busy one.

/** Milliseconds of processor time that this process needs for `work`. */
export function cpuMsOf(work: () => unknown): number {
	const start = process.cpuUsage();
	work();
	return process.cpuUsage(start).user / 1000;
}
