import { userInfo } from 'node:os';
import path from 'node:path';
import { fileExists } from '../../../kernel/file-exists.js';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Environment, Invocation } from '../../invocation.js';
import { serviceManagerOf, type Place, type ServiceManager, type ServiceScope } from './service-manager.js';
import type { ServiceName } from './service-programs.js';

export interface InstalledService {
  readonly name: ServiceName;
  readonly manager: ServiceManager;
}

export interface ServiceRecord {
  readonly object: 'service';
  readonly service: ServiceName;
  readonly scope: ServiceScope;
  readonly manager: ServiceManager['name'];
  readonly file: string;
}

export const placeOf = ({ env }: Pick<Invocation, 'env'>): Place => ({
  platform: process.platform,
  env,
  uid: userInfo().uid,
});

/** Where launchd writes what the program says. */
export const logFileOf = (env: Environment, name: ServiceName): string =>
  name === 'node'
    ? path.join(dataDirectory(env), 'node', 'service.log')
    : path.join(dataDirectory(env), 'logs', `${name}-service.log`);

export const serviceRecord = (name: ServiceName, { scope, name: manager, files }: ServiceManager): ServiceRecord => ({
  object: 'service',
  service: name,
  scope,
  manager,
  file: files[0].path,
});

/** Finds the services of the named programs, for the user or the system. @throws CliError on systems without a service manager that is known */
export async function findInstalled(
  invocation: Pick<Invocation, 'env'>,
  names: readonly ServiceName[],
): Promise<readonly InstalledService[]> {
  const place = placeOf(invocation);
  const candidates = names.flatMap((name) =>
    (['user', 'system'] as const).map((scope) => ({ name, manager: serviceManagerOf(name, scope, place) })),
  );
  const present = await Promise.all(candidates.map(({ manager }) => fileExists(manager.files[0].path)));
  return candidates.filter((_, index) => present[index] === true);
}

/** @throws CliError when none is installed, or several where one is meant */
export async function theInstalled(
  invocation: Pick<Invocation, 'env'>,
  names: readonly ServiceName[],
): Promise<InstalledService> {
  const found = await findInstalled(invocation, names);
  const [only, second] = found;
  if (only === undefined) throw noneInstalled(names);
  if (second === undefined) return only;
  throw new CliError('usage', exitCodes.usage, `${found.map(({ name }) => name).join(' and ')} are services here`, {
    hint: `name one of them, such as ${only.name}, at the end of the command`,
  });
}

export function noneInstalled(names: readonly ServiceName[]): CliError {
  const [only] = names;
  const hint = only === 'node' ? 'ferry node service install' : `ferry service install ${only ?? 'up'}`;
  const what = names.length === 1 && only !== undefined ? `ferry ${only === 'node' ? 'node run' : only}` : 'Ferry';
  return new CliError('service_not_installed', exitCodes.notFound, `${what} is not a service on this computer`, {
    hint,
  });
}

/** @throws CliError where only root may do it */
export function requireRights({ scope }: ServiceManager, command: string): void {
  if (scope === 'user' || userInfo().uid === 0) return;
  throw new CliError('root_needed', exitCodes.failure, 'services of the system are managed by root', {
    hint: `sudo env "PATH=$PATH" ${command}`,
  });
}
