// Tables of faults stand where they are tested. Whoever only wants the tables has no tests: to be imported before them.
const globals = globalThis as { describe?: unknown };

globals.describe ??= (): void => undefined;
