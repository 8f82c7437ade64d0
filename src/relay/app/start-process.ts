/** One process of the relay: starts it, and drains it in the order of docs/reference/limits.md#drain. */
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { LiveSettings, reloadSettings } from '../../kernel/settings/live-settings.js';
import { UNHANDLED_FAILURE, UnhandledFailures } from '../../kernel/unhandled-failures.js';
import type { ReplicaId } from '../../kernel/ids.js';
import type { PrimaryLink } from '../platform/workers/primary-link.js';
import {
  loadRelaySettings,
  relayDirectory,
  type Environment,
  type LoadedRelaySettings,
  type SettingFlags,
} from '../platform/config/resolve-relay-config.js';
import { relaySettings } from '../platform/config/relay-settings.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { createLogger } from '../platform/logging/create-logger.js';
import { RelayLogger } from '../platform/logging/relay-logger.js';
import { RelayApplication, type RelayApplicationParts } from './relay-application.js';
import type { RunningRelay } from './running-relay.js';
import { openRelayState } from './relay-state.js';

export interface StartedProcess extends RunningRelay {
  readonly replicaId: ReplicaId;
}

export interface StartProcessOptions {
  readonly env: Environment;
  readonly flags: SettingFlags;
  readonly loaded: LoadedRelaySettings;
  readonly begin?: ((step: string) => void) | undefined;
  /** Of a worker; null where this process is the whole relay. */
  readonly primary: PrimaryLink | null;
}

interface RelayParts extends RelayApplicationParts {
  readonly stopWatching: () => void;
  readonly reload: () => void;
}

/**
 * Starts what serves requests, in this process, and resolves when it is ready.
 * @throws InstanceLockedError · DatabaseInUseError · the system's error when it cannot listen (`EADDRINUSE`)
 */
export async function startProcess({
  env,
  flags,
  loaded,
  begin,
  primary,
}: StartProcessOptions): Promise<StartedProcess> {
  const { values, warnings } = loaded;
  const live = new LiveSettings(relaySettings, values);
  const settings = live.values;
  const log = createLogger(settings.logLevel, primary === null ? undefined : { worker: primary.worker });
  Logger.overrideLogger(new RelayLogger(log.logger));
  // The first worker says it for all.
  if ((primary?.worker ?? 1) === 1) for (const warning of warnings) log.logger.warn(warning);
  const failures = new UnhandledFailures((failure) => {
    log.logger.error(failure, UNHANDLED_FAILURE);
  });
  const state = await openRelayState({
    settings,
    dataDirectory: relayDirectory(env),
    purpose: 'serve',
    begin,
    primary,
  });
  const stopWatching = failures.watchProcess();
  const reload = (): void => {
    reloadSettings(live, () => loadRelaySettings(env, flags), log.logger);
    log.logger.level = settings.logLevel;
  };
  const parts: RelayParts = { settings, state, drain: new DrainRegistry(), log, failures, stopWatching, reload };
  try {
    begin?.('loading its program');
    const application = await RelayApplication.create(parts);
    try {
      const port = await application.start();
      log.logger.info({ base_url: state.config.baseUrl, version: state.config.version }, 'ready');
      return running(parts, application, port);
    } catch (error) {
      await application.close();
      throw error;
    }
  } catch (error) {
    await state.close();
    stopWatching();
    throw error;
  }
}

function running(parts: RelayParts, application: RelayApplication, port: number): StartedProcess {
  let resolveDrained: (() => void) | undefined;
  const drained = new Promise<void>((resolve) => (resolveDrained = resolve));
  let outcome: Promise<void> | undefined;
  return {
    baseUrl: parts.state.config.baseUrl,
    replicaId: parts.state.config.replicaId,
    port,
    hasUsers: () => application.hasUsers(),
    reload: parts.reload,
    drained,
    close: (drainTimeoutMs = parts.settings.drainTimeoutMs) =>
      (outcome ??= end(parts, application, drainTimeoutMs).finally(resolveDrained)),
  };
}

/**
 * Part of the drain: a request that a proxy had sent when the listener closed reaches its node. It could not be sent to another relay. Where some
 * are only read afterwards, because the relay waited for a core, they get the same time, several times at most.
 */
const ARRIVED_MS = 200;
const ARRIVED_ROUNDS = 5;

async function end(
  { settings, state, drain, log, stopWatching }: RelayParts,
  application: RelayApplication,
  timeoutMs: number,
): Promise<void> {
  log.logger.info({ timeout_ms: timeoutMs }, 'draining');
  drain.begin();
  await delay(settings.drainNoticeMs);
  await application.stopListening();
  const deadlineMs = systemClock.monotonicMs() + timeoutMs;
  const leftMs = (): number => Math.max(0, deadlineMs - systemClock.monotonicMs());
  for (let round = 0; round < ARRIVED_ROUNDS; round += 1) {
    await delay(Math.min(ARRIVED_MS, leftMs()));
    if (!(await application.readArrived())) break;
  }
  await drain.drain({
    timeoutMs: leftMs(),
    onProblem: (name, error) => {
      log.logger.error({ name, error: String(error) }, 'did not drain');
    },
  });
  await application.close();
  await state.close();
  stopWatching();
  log.logger.info('stopped');
  log.close();
}
