// In short what `npm run soak:faults` does at length.
import { defineSoaks } from '../support/faults/soaks.js';

describe('soak, in short', function () {
	this.timeout(30_000);
	defineSoaks({ notifications: 20_000, messages: 2, cycles: 20, stormMs: 200, report: () => undefined });
});
