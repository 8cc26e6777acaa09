/** PURE: the four formats that elicitation names, checked while somebody types. Every pattern here is linear. */

/** Formats of other names are not checked. */
export function hasFormat(value: string, format: string): boolean {
	switch (format) {
		case 'email':
			return /^[^\s@]+@[^\s@]+$/.test(value);
		case 'uri':
			return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value);
		case 'date':
			return /^\d{4}-\d{2}-\d{2}$/.test(value) && isDate(value);
		case 'date-time':
			return /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/i.test(value) && isDate(value);
		default:
			return true;
	}
}

/** JavaScript rolls 30 February over into March; a date that does not read back is none. */
function isDate(value: string): boolean {
	const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
	return !Number.isNaN(Date.parse(value)) && day.toISOString().startsWith(value.slice(0, 10));
}
