/** Tells whether the machine has changed its network. */
import { networkInterfaces } from 'node:os';

/** The machine's own addresses as a text, which changes with the network. */
export function networkNow(): string {
	const addresses = Object.values(networkInterfaces()).flatMap(it => it ?? []);
	return addresses
		.filter(it => !it.internal && !it.address.startsWith('fe80:'))
		.map(it => it.address)
		.sort()
		.join(' ');
}
