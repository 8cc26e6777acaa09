/** Part of `vscodeDouble.ts`: the columns of the editor area. */
export enum ViewColumn {
	Active = -1,
	Beside = -2,
}
