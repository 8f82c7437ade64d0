/** Messages between `ferry up` and its child processes over Node's IPC channel. */
import { z } from 'zod';

export const childMessage = z.discriminatedUnion('kind', [
  /** The start has come to this step, in words that complete "it is …". */
  z.object({ kind: z.literal('starting'), step: z.string().max(100) }),
  /** Ready to serve. `facts` describes the service, such as its address. */
  z.object({ kind: z.literal('ready'), facts: z.record(z.string(), z.unknown()) }),
  /** The start failed, with the error as it would be shown to the user. */
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string().nullable() }),
  /** The child received SIGTERM. The supervisor decides, because a signal to the process group reaches the supervisor as well. */
  z.object({ kind: z.literal('stop_requested') }),
]);
export type ChildMessage = z.output<typeof childMessage>;
export type Facts = Readonly<Record<string, unknown>>;

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
