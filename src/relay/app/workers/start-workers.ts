/** The primary process of a relay with several workers: it starts, replaces and drains them, and is the one service that a supervisor sees. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { Logger as PinoLogger } from 'pino';
import { MetricsServer } from '../../../kernel/metrics/metrics-server.js';
import { UNHANDLED_FAILURE, UnhandledFailures } from '../../../kernel/unhandled-failures.js';
import type { RelaySettings } from '../../platform/config/relay-settings.js';
import { endWithResponse } from '../../platform/http/server/end-with-response.js';
import { createLogger } from '../../platform/logging/create-logger.js';
import { RelayLogger } from '../../platform/logging/relay-logger.js';
import { listen } from '../../platform/lifecycle/listen.js';
import type { HandedLink } from '../../platform/workers/worker-messages.js';
import { lockDatabase } from '../relay-state.js';
import type { RunningRelay } from '../running-relay.js';
import { BusHub } from './bus-hub.js';
import { mergeMetrics } from './merge-metrics.js';
import { WorkerSlot } from './worker-slot.js';

/** Shorter than the usual time limit of a scrape. */
const METRICS_TIMEOUT_MS = 5_000;

export interface WorkersOptions {
  readonly settings: RelaySettings;
  readonly dataDirectory: string;
  readonly workers: number;
  readonly begin?: ((step: string) => void) | undefined;
}

/** Resolves when all workers serve. @throws DatabaseInUseError · the error with which the first worker did not start */
export async function startWorkers(options: WorkersOptions): Promise<RunningRelay> {
  const { settings, dataDirectory, workers, begin } = options;
  const log = createLogger(settings.logLevel);
  const { logger } = log;
  Logger.overrideLogger(new RelayLogger(logger));
  // One of this process would end all workers with it.
  const failures = new UnhandledFailures((failure) => {
    logger.error(failure, UNHANDLED_FAILURE);
  });
  await requireFreePort(settings);
  const lock = await lockDatabase(settings, dataDirectory);
  const stopWatching = failures.watchProcess();
  const hub = new BusHub();
  const onLink = (link: HandedLink, connection: Socket): void => {
    if (!slots.some((slot) => slot.takeLink(link, connection))) refuse(connection, link.refusal);
  };
  const slots: readonly WorkerSlot[] = Array.from(
    { length: workers },
    (_, at) =>
      new WorkerSlot({
        worker: at + 1,
        workers,
        port: () => sharedPort,
        hub,
        pendingLimitBytes: settings.hopPendingLimitBytes,
        logger,
        begin,
        onLink,
      }),
  );
  const drain = async (timeoutMs: number | undefined): Promise<void> => {
    await Promise.all(slots.map((slot) => slot.drain(timeoutMs)));
    await metrics?.close();
    await lock?.release();
    logger.info('stopped');
    stopWatching();
    log.close();
  };
  // Bytes as bytes. The arguments and the Node options of this process are those of the workers.
  cluster.setupPrimary({ serialization: 'advanced' });
  let metrics: MetricsServer | undefined;
  let sharedPort: number | undefined;
  try {
    const [first, ...others] = slots;
    // Alone, because it migrates the database and creates the first account.
    const ready = await first?.start();
    if (ready === undefined) throw new Error('a relay has at least one worker');
    const { baseUrl, port } = ready;
    sharedPort = port;
    await Promise.all(others.map((slot) => slot.start()));
    metrics = await serveMetrics(settings, slots, logger);
    logger.info({ base_url: baseUrl, workers }, 'all workers are ready');
    let resolveDrained: (() => void) | undefined;
    const drained = new Promise<void>((resolve) => (resolveDrained = resolve));
    let outcome: Promise<void> | undefined;
    return {
      baseUrl,
      port,
      hasUsers: () => Promise.resolve(ready.hasUsers),
      reload: () => {
        for (const slot of slots) slot.send({ kind: 'reload' });
      },
      drained,
      close: (timeoutMs) => (outcome ??= drain(timeoutMs).finally(resolveDrained)),
    };
  } catch (error) {
    await drain(0);
    throw error;
  }
}

/**
 * As a worker would. A connection that ends without a response would look to a proxy like a relay that has failed, to which it then sends no
 * requests for some time.
 */
function refuse(connection: Socket, { status, message }: HandedLink['refusal']): void {
  // It may have ended on the way.
  connection.on('error', () => undefined);
  endWithResponse(connection, { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: message });
}

/** Workers share their port with every process that asks for it in the same way, so another relay on it would not be noticed. @throws EADDRINUSE */
async function requireFreePort({ port, host }: RelaySettings): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await listen(probe, { port, host });
  probe.close();
  await once(probe, 'close');
}

async function serveMetrics(
  { metricsPort, metricsHost }: RelaySettings,
  slots: readonly WorkerSlot[],
  logger: PinoLogger,
): Promise<MetricsServer | undefined> {
  if (metricsPort === undefined) return undefined;
  const render = async (): Promise<string> => {
    const texts = new Map<number, string>();
    await Promise.all(
      slots.map(async (slot, at) => {
        const text = await slot.readMetrics(METRICS_TIMEOUT_MS);
        if (text !== undefined) texts.set(at + 1, text);
      }),
    );
    return mergeMetrics(new Map([...texts].sort(([one], [other]) => one - other)));
  };
  const server = await MetricsServer.listen(render, metricsPort, metricsHost);
  logger.info({ context: 'Metrics', host: metricsHost, port: server.port }, 'serving /metrics');
  return server;
}
