import { describePalette } from '../paletteCommands.js';

describe('the palette, in a workspace that is not trusted', () => {
	describePalette();
});
