import { mkdir, readFile, realpath, rm, rmdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { fileExists } from '../../../kernel/file-exists.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData, silently } from '../../core/output/print-data.js';
import type { Environment, Invocation } from '../../invocation.js';
import { checkPort, type ListenFlags } from '../../core/args/listen-address.js';
import { findInstalled, logFileOf, placeOf, requireRights, serviceRecord } from './installed-services.js';
import { run, serviceManagerOf, succeeds, systemEnvironmentFile, type ServiceManager } from './service-manager.js';
import { environmentOf, services, type ServiceDescription, type ServiceName } from './service-programs.js';
import { lockHolder, waitUntilRunning } from './wait-until-running.js';

export interface InstallFlags {
  readonly system?: true;
  readonly user?: string;
  readonly host?: string;
  readonly port?: string;
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** @throws SettingsError */
export type ListensOn = (env: Environment, flags: ListenFlags) => Promise<ListenAddress>;

interface InstallOptions {
  /** How this program is told to run the service, where that is not as `ferry` is. */
  readonly words?: readonly string[] | undefined;
  /** Set for a relay. The program that is nothing but a node does not have its settings. */
  readonly listensOn?: ListensOn;
}

/** Where systemd keeps the data of a service of the system: below /var/lib. */
const STATE_DIRECTORY = 'ferry';

/**
 * Installs the service and starts it.
 * @throws CliError when it does not get to run; nothing of it is left then, and an earlier installation is as it was
 */
export async function installService(
  invocation: Invocation,
  name: ServiceName,
  flags: InstallFlags,
  { words, listensOn }: InstallOptions = {},
): Promise<void> {
  const service = services[name];
  const scope = flags.system === true ? 'system' : 'user';
  if (flags.user !== undefined && scope === 'user') {
    throw new CliError('usage', exitCodes.usage, '--user is for services of the system', { hint: 'add --system' });
  }
  if (flags.user !== undefined && /[\s\p{Cc}]/u.test(flags.user)) {
    throw new CliError('usage', exitCodes.usage, '--user is not the name of a user', {
      hint: 'ferry service install --system --user ada',
    });
  }
  const manager = serviceManagerOf(name, scope, placeOf(invocation));
  requireRights(manager, `ferry service install ${name} --system`);
  await refuseOtherScope(invocation, name, manager);
  const { env, stateDirectory } = whereItsDataIs(service, manager, invocation.env);
  const directory = dataDirectory(env);
  await refuseUnstartable(service, manager, directory, () => listensOn?.(env, flags));

  const listening = service.listens
    ? (['host', 'port'] as const).flatMap((flag) => (flags[flag] === undefined ? [] : [`--${flag}`, flags[flag]]))
    : [];
  const contents = {
    service,
    command: [process.execPath, await ownProgram(), ...(words ?? service.words), ...listening],
    environment: environmentOf(name, env),
    logFile: logFileOf(env, name),
    ...(scope === 'user'
      ? {}
      : {
          user: flags.user ?? (env['SUDO_USER'] || userInfo().username),
          stateDirectory,
          environmentFile: manager.name === 'systemd' ? systemEnvironmentFile(name) : undefined,
        }),
  };
  const { undo } = await writeFiles(manager, (file) => file.contents(contents), logFileOf(env, name));
  let isReady: boolean;
  try {
    // launchd refuses a label that is already loaded, so unload it first; there may be none.
    if (manager.name === 'launchd') for (const command of manager.uninstall) await succeeds(command);
    for (const command of manager.install) await run(command);
    isReady = await waitUntilRunning(service, manager, directory);
  } catch (error) {
    await undo();
    throw error;
  }
  const { terminal } = invocation;
  const [{ path: definition }] = manager.files;
  if (isReady) terminal.note(`${service.what} runs as a service of ${manager.name} now (${definition}).`);
  else {
    terminal.note(
      `${service.what} is a service of ${manager.name} now (${definition}), but has not said that it is ready.`,
    );
    terminal.note(`  next: ferry service logs ${name}`);
  }
  terminal.note(manager.afterwards);
  if (name === 'up') terminal.note('  next: ferry up  (prints address, key and a curl line; the service goes on)');
  await printData(invocation, serviceRecord(name, manager), silently);
}

/** The file itself, not a link to it that a package manager may remove. */
async function ownProgram(): Promise<string> {
  const [, script] = process.argv;
  if (script === undefined) throw new Error('this program does not know where its own file is');
  return realpath(script);
}

function whereItsDataIs(
  service: ServiceDescription,
  manager: ServiceManager,
  env: Environment,
): { readonly env: Environment; readonly stateDirectory?: string } {
  const isGiven = (env['FERRY_DATA_DIR'] ?? '') !== '';
  // A node has its identity where it joined.
  if (isGiven || manager.scope === 'user' || service.name === 'node') return { env };
  if (manager.name === 'systemd') {
    return { env: { ...env, FERRY_DATA_DIR: `/var/lib/${STATE_DIRECTORY}` }, stateDirectory: STATE_DIRECTORY };
  }
  throw new CliError('usage', exitCodes.usage, 'a service of the system needs a data directory', {
    hint: `ferry service install ${service.name} --system --data-dir DIRECTORY`,
  });
}

async function refuseOtherScope(invocation: Invocation, name: ServiceName, manager: ServiceManager): Promise<void> {
  const other = (await findInstalled(invocation, [name])).find((found) => found.manager.scope !== manager.scope);
  if (other === undefined) return;
  const where = other.manager.scope === 'user' ? 'this user' : 'the system';
  throw new CliError('service_installed', exitCodes.failure, `${name} is a service of ${where} already`, {
    hint: `ferry service uninstall ${name}`,
  });
}

async function refuseUnstartable(
  service: ServiceDescription,
  manager: ServiceManager,
  directory: string,
  listensOn: () => Promise<ListenAddress> | undefined,
): Promise<void> {
  if (service.name === 'node' && !(await fileExists(path.join(directory, 'node', 'identity.json')))) {
    throw new CliError('not_joined', exitCodes.failure, `this computer has not joined a cluster (${directory})`, {
      hint: 'ferry node join TOKEN, with a token of ferry nodes add',
    });
  }
  // A running service is replaced.
  if (await succeeds(manager.probe)) return;
  const holder = await lockHolder(service, directory);
  if (holder === undefined) {
    const address = service.listens ? await listensOn() : undefined;
    if (address !== undefined) await checkPort(address.host, address.port);
    return;
  }
  const process = holder.pid === undefined ? '' : ` (process ${String(holder.pid)})`;
  throw new CliError('already_running', exitCodes.failure, `${service.what} runs already on ${directory}${process}`, {
    hint: `stop it first: ${service.stop}`,
  });
}

/** @returns how to make it as if it had never been done: earlier files are back, made folders are gone */
async function writeFiles(
  manager: ServiceManager,
  contentsOf: (file: ServiceManager['files'][number]) => string,
  logFile: string,
): Promise<{ readonly undo: () => Promise<void> }> {
  const undoings: (() => Promise<unknown>)[] = [];
  const before = await Promise.all(manager.files.map(({ path: file }) => readFile(file).catch(() => undefined)));
  const undo = async (): Promise<void> => {
    const wasInstalled = before[0] !== undefined;
    for (const command of manager.uninstall) await succeeds(command);
    for (const undoing of undoings.reverse()) await undoing();
    for (const command of wasInstalled ? manager.install : manager.forget) await succeeds(command);
  };
  try {
    if (manager.name === 'launchd') undoings.push(await makeFolder(path.dirname(logFile), 0o700));
    for (const [index, file] of manager.files.entries()) {
      undoings.push(await makeFolder(path.dirname(file.path), 0o755));
      const earlier = before[index];
      undoings.push(() =>
        earlier === undefined
          ? rm(file.path, { force: true })
          : writeFileAtomic(file.path, earlier, { mode: file.mode }),
      );
      await writeFileAtomic(file.path, contentsOf(file), { mode: file.mode });
    }
    return { undo };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** @returns how to remove the folders that were made, as far as they are empty */
async function makeFolder(folder: string, mode: number): Promise<() => Promise<void>> {
  const first = await mkdir(folder, { recursive: true, mode });
  return async () => {
    if (first === undefined) return;
    for (let made = folder; made.startsWith(first); made = path.dirname(made)) {
      try {
        await rmdir(made);
      } catch {
        return;
      }
    }
  };
}
