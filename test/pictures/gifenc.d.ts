// What we use of `gifenc`, which has no types of its own.
declare module 'gifenc' {
	type Palette = number[][];
	interface FrameOptions {
		readonly palette?: Palette;
		/** In milliseconds. */
		readonly delay?: number;
		readonly transparent?: boolean;
		readonly transparentIndex?: number;
		readonly dispose?: number;
	}
	interface Encoder {
		writeFrame(pixels: Uint8Array, width: number, height: number, options?: FrameOptions): void;
		finish(): void;
		bytes(): Uint8Array;
	}
	export function GIFEncoder(): Encoder;
	export function quantize(rgba: Uint8Array, maxColors: number): Palette;
	export function applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
}
