/** Apart from their definitions, because `ferry --help` reads the names only. */
export const connectablePrograms = ['codex', 'claude', 'opencode', 'cursor', 'openwebui', 'continue'] as const;

export type ConnectableProgram = (typeof connectablePrograms)[number];
