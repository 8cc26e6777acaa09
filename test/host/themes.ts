// The color themes of a workbench.
import type { EditorName } from './versions.js';

export type Theme = 'dark' | 'light' | 'contrast' | 'contrastLight';

/** Their names in the newest editor, and the classes by which workbench and views know them. */
export const themes: Readonly<Record<Theme, { readonly id: string; readonly kind: string; readonly view: string }>> = {
	dark: { id: 'Dark Modern', kind: 'vs-dark', view: 'vscode-dark' },
	light: { id: 'Light Modern', kind: 'vs', view: 'vscode-light' },
	contrast: { id: 'Default High Contrast', kind: 'hc-black', view: 'vscode-high-contrast' },
	contrastLight: { id: 'Default High Contrast Light', kind: 'hc-light', view: 'vscode-high-contrast-light' },
};

/** Newer editors rewrite the older name in the settings, whenever they come to it. */
export function themeId(theme: Theme, editor: EditorName): string {
	const { id } = themes[theme];
	return editor === 'oldest' && !id.startsWith('Default ') ? `Default ${id}` : id;
}
