/** A process of a relay with several workers. It ends when the primary process says so, or is gone. */
import { on } from 'node:events';
import { AdvisedError } from '../../../kernel/errors/advised-error.js';
import { PrimaryLink } from '../../platform/workers/primary-link.js';
import type { FromWorker, StartFailure, ToWorker } from '../../platform/workers/worker-messages.js';
import type { StartedProcess } from '../start-process.js';

/** A terminal sends them to all processes of its group, and a service manager does. The primary process decides when workers drain. */
const SIGNALS_OF_THE_PRIMARY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ends the process when the worker has drained.
 * @param start starts the relay of this process
 */
export async function runWorker(
  start: (link: PrimaryLink, begin: (step: string) => void) => Promise<StartedProcess>,
): Promise<void> {
  for (const signal of SIGNALS_OF_THE_PRIMARY) process.on(signal, () => undefined);
  const link = await greet(process);
  const drain = new Promise<number | undefined>((resolve) => {
    link.on('drain', ({ timeoutMs }) => {
      resolve(timeoutMs);
    });
  });
  try {
    const relay = await start(link, (step) => void link.send({ kind: 'step', step }));
    link.on('reload', () => {
      relay.reload();
    });
    link.on('metrics', ({ id }) => {
      void link.metrics?.().then((text) => link.send({ kind: 'metrics', id, text }));
    });
    const { baseUrl, port, replicaId } = relay;
    await link.send({ kind: 'ready', replicaId, baseUrl, port, hasUsers: await relay.hasUsers() });
    await relay.close(await drain);
    process.exit(0);
  } catch (error) {
    await link.send({ kind: 'failed', error: failureOf(error) });
    process.exit(1);
  }
}

async function greet(channel: NodeJS.Process): Promise<PrimaryLink> {
  const messages = on(channel, 'message') as AsyncIterable<[ToWorker]>;
  channel.send?.({ kind: 'hello' } satisfies FromWorker);
  for await (const [message] of messages) {
    if (message.kind === 'start') return new PrimaryLink(channel, message);
  }
  throw new Error('the primary process sent no start');
}

function failureOf(error: unknown): StartFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return {
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error instanceof AdvisedError && { advice: error.advice }),
  };
}
