// `npm run soak:faults`: minutes of what test/faults/soak.test.ts does in a moment.
import { defineSoaks } from '../support/faults/soaks.js';

describe('soak', function () {
	this.timeout(600_000);
	defineSoaks({ notifications: 1_000_000, messages: 40, cycles: 500, stormMs: 20_000, report: console.log });
});
