/** Messages between `ferry up` and its child processes over Node's IPC channel. */

export type ChildMessage =
  /** The start has come to this step, in words that complete "it is …". */
  | { readonly kind: 'starting'; readonly step: string }
  /** Ready to serve. `facts` describes the service, such as its address. */
  | { readonly kind: 'ready'; readonly facts: Facts }
  /** The start failed, with the error as it would be shown to the user. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly hint: string | null }
  /** The child received SIGTERM. The supervisor decides, because a signal to the process group reaches the supervisor as well. */
  | { readonly kind: 'stop_requested' };
export type Facts = Readonly<Record<string, unknown>>;

const LONGEST_STEP_CHARACTERS = 100;

/** Drain and exit. A message instead of a signal, because a process cannot handle SIGTERM on Windows. */
export const stopMessage = { kind: 'stop' } as const;
/** The relay is ready again: connect now instead of after the back-off. */
export const reconnectMessage = { kind: 'reconnect' } as const;
/** Read the settings file again. */
export const reloadMessage = { kind: 'reload' } as const;

const isOfKind =
  (kind: string) =>
  (message: unknown): boolean =>
    (message as { kind?: unknown } | null)?.kind === kind;

export const isStopMessage = isOfKind(stopMessage.kind);
export const isReconnectMessage = isOfKind(reconnectMessage.kind);
export const isReloadMessage = isOfKind(reloadMessage.kind);

/**
 * Undefined for anything else that comes over the channel. Checked by hand: the supervisor waits for months, and a library of schemas would be
 * a third of its memory.
 */
export function childMessageOf(raw: unknown): ChildMessage | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const { kind, step, facts, code, message, hint } = raw as Facts;
  switch (kind) {
    case 'starting':
      return typeof step === 'string' ? { kind, step: step.slice(0, LONGEST_STEP_CHARACTERS) } : undefined;
    case 'ready':
      return typeof facts === 'object' && facts !== null ? { kind, facts: facts as Facts } : undefined;
    case 'failed':
      return typeof code === 'string' && typeof message === 'string'
        ? { kind, code, message, hint: typeof hint === 'string' ? hint : null }
        : undefined;
    case 'stop_requested':
      return { kind };
    default:
      return undefined;
  }
}
