import path from 'node:path';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { acquireInstanceLock, type InstanceLock } from '../../../kernel/instance-lock.js';
import { runService, type ServiceProcess } from '../../core/supervision/run-service.js';
import { SERVICE_VARIABLE } from '../../core/supervision/service-variable.js';
import type { Environment } from '../../invocation.js';
import { services } from './service-programs.js';

/** As `runService`. Where the service manager of the system runs the program, it says when it is ready, for `ferry service install`. */
export async function runAsService(
  name: 'serve' | 'node',
  env: Environment,
  start: Parameters<typeof runService>[0],
  host?: ServiceProcess,
): Promise<void> {
  if (env[SERVICE_VARIABLE] !== name) return runService(start, host);
  const state = { pid: process.pid, ready: null as object | null };
  const lock = await announce(name, env, state);
  try {
    await runService(async (begin) => {
      const service = await start(begin);
      void (service.settled ?? Promise.resolve()).then(() => (state.ready = service.facts));
      return service;
    }, host);
  } finally {
    await lock?.release();
  }
}

/** Undefined where it cannot be said, such as in a directory that is not writable: the program itself reports that, if it matters to it. */
function announce(name: 'serve' | 'node', env: Environment, state: object): Promise<InstanceLock | undefined> {
  const { folder, name: lock } = services[name].readiness;
  return acquireInstanceLock(path.join(dataDirectory(env), folder), lock, () => state).catch(() => undefined);
}
