/** Which network this machine is in, as far as its own addresses tell. */
import { networkInterfaces } from 'node:os';

/** A text that changes with the network. */
export function networkNow(): string {
	const addresses = Object.values(networkInterfaces()).flatMap(it => it ?? []);
	return addresses
		.filter(it => !it.internal && !it.address.startsWith('fe80:'))
		.map(it => it.address)
		.sort()
		.join(' ');
}
