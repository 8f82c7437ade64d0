/** Separate from the definitions, because `ferry --help` needs only the names. */
export const connectablePrograms = [
  'codex',
  'claude',
  'opencode',
  'qwen',
  'copilot',
  'pi',
  'cline',
  'zed',
  'cursor',
  'openwebui',
  'continue',
] as const;

export type ConnectableProgram = (typeof connectablePrograms)[number];
