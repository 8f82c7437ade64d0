/** What a supervised process and `ferry up` say to each other over the IPC channel that Node gives a forked child. */
import { z } from 'zod';

export const childMessage = z.discriminatedUnion('kind', [
  /** Ready to serve. `facts` is what the service says about itself, such as its address. */
  z.object({ kind: z.literal('ready'), facts: z.record(z.string(), z.unknown()) }),
  /** Cannot start. The same words that a person would be shown. */
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string().nullable() }),
  /** It was sent SIGTERM. The supervisor decides, because a signal to the whole process group reached the supervisor as well. */
  z.object({ kind: z.literal('stop_requested') }),
]);
export type ChildMessage = z.output<typeof childMessage>;
export type Facts = Readonly<Record<string, unknown>>;

/** Drain and end. A message, not a signal, because Windows has no SIGTERM that a process could catch. */
export const stopMessage = { kind: 'stop' } as const;
/** The relay is ready again: connect now instead of waiting for the next attempt. */
export const reconnectMessage = { kind: 'reconnect' } as const;

const isOfKind =
  (kind: string) =>
  (message: unknown): boolean =>
    (message as { kind?: unknown } | null)?.kind === kind;

export const isStopMessage = isOfKind(stopMessage.kind);
export const isReconnectMessage = isOfKind(reconnectMessage.kind);
