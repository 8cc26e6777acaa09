/** Fills in the form of a page as a person does: finds fields by label and role, and adds rows and groups where necessary. */
import type { Locator } from 'playwright-core';
import type { JsonObject } from '../../src/mcp/index.js';

/** @param within the form, or a group in it @param values by the label of the field, which is its title or else its name */
export async function fillForm(within: Locator, values: JsonObject): Promise<void> {
	for (const [label, value] of Object.entries(values)) {
		await fillField(within, label, value);
	}
}

async function fillField(within: Locator, label: string, value: unknown): Promise<void> {
	const group = within.getByRole('group', { name: label, exact: true });
	if (Array.isArray(value)) {
		const add = within.getByRole('button', { name: `Add Item: ${label}`, exact: true });
		for (const [index, item] of value.entries()) {
			if ((await add.count()) === 0) {
				await group.getByLabel(String(item), { exact: true }).check();
			} else {
				await add.click();
				await fillItem(within.getByRole('group', { name: `${label}: ${index + 1}`, exact: true }), label, item);
			}
		}
	} else if (isMembers(value) && (await group.count()) > 0) {
		const add = within.getByRole('button', { name: `Add: ${label}`, exact: true });
		if (await add.isVisible()) {
			await add.click();
		}
		await fillForm(group, value);
	} else {
		await fillControl(within, label, value);
	}
}

async function fillItem(row: Locator, label: string, item: unknown): Promise<void> {
	await (isMembers(item) ? fillForm(row, item) : fillField(row, label, item));
}

/** Types a value into a field, or selects it. Values without a field of their type are typed as JSON. */
async function fillControl(within: Locator, label: string, value: unknown): Promise<void> {
	const controls = within.getByLabel(label, { exact: true }).and(within.locator('input, textarea, select'));
	// The list of variants has the same label, and comes before the field of the chosen variant.
	const control = controls.last();
	if ((await control.evaluate(it => it.tagName)) === 'SELECT') {
		await control.selectOption({ label: typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value) });
	} else {
		await control.fill(typeof value === 'string' ? value : JSON.stringify(value));
	}
}

function isMembers(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
