import { access, mkdir, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { dataDirectory } from '../../../../kernel/data-directory.js';
import { CliError } from '../../../core/errors/cli-error.js';
import { CommandEnded } from '../../../core/errors/command-ended.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';
import type { Environment, Invocation } from '../../../invocation.js';
import { renderFacts } from '../../../core/output/facts.js';
import { printData, silently } from '../../../core/output/print-data.js';
import { passThrough, run, serviceManagerOf, succeeds, type ServiceManager } from './service-manager.js';

/** Variables that a node reads and a service would not have. Proxy variables may be lower case. */
const INHERITED =
  /^(FERRY_(NODE|DISCOVERY|REMOTE_MEDIA)(_|$)|HF_(TOKEN|ENDPOINT)$|NODE_EXTRA_CA_CERTS$|(https?|no|all)_proxy$)/i;
/** Paths, which are made absolute because a service has another working directory. */
const FILES = ['FERRY_CA_FILE', 'FERRY_NODE_ENGINES_FILE', 'NODE_EXTRA_CA_CERTS'];

const currentServiceManager = ({ env }: Invocation): ServiceManager =>
  serviceManagerOf(process.platform, env, userInfo().uid);

const logFileOf = (env: Environment): string => path.join(dataDirectory(env), 'node', 'service.log');

/** @param words the command that runs a node: `node run`, or `run` in the stand-alone agent */
export async function installService(invocation: Invocation, words: readonly string[]): Promise<void> {
  const { env, terminal } = invocation;
  const manager = currentServiceManager(invocation);
  const logFile = logFileOf(env);
  const script = process.argv[1];
  if (script === undefined) throw new Error('this program does not know where its own file is');
  await mkdir(path.dirname(manager.file), { recursive: true });
  await mkdir(path.dirname(logFile), { recursive: true, mode: 0o700 });
  const contents = manager.contents({
    command: [process.execPath, path.resolve(script), ...words],
    environment: environmentOf(env),
    logFile,
  });
  // A proxy's URL may contain a password.
  await writeFileAtomic(manager.file, contents, { mode: 0o600 });
  // launchd refuses a label that is already loaded, so unload it first; there may be none.
  if (manager.name === 'launchd') for (const command of manager.uninstall) await succeeds(command);
  for (const command of manager.install) await run(command);
  terminal.note(`The node runs as a service of ${manager.name} now (${manager.file}).`);
  terminal.note(manager.afterwards);
  await printData(invocation, { manager: manager.name, file: manager.file }, silently);
}

/** Always includes the data directory, whose default depends on the environment. */
export function environmentOf(env: Environment): Record<string, string> {
  const environment: Record<string, string> = { FERRY_DATA_DIR: dataDirectory(env) };
  for (const [name, value = ''] of Object.entries(env)) {
    if (value === '' || !(INHERITED.test(name) || FILES.includes(name))) continue;
    environment[name] = FILES.includes(name) ? path.resolve(value) : value;
  }
  return environment;
}

export async function uninstallService(invocation: Invocation): Promise<void> {
  const manager = await installed(invocation);
  for (const command of manager.uninstall) await succeeds(command);
  await rm(manager.file, { force: true });
  for (const command of manager.forget) await succeeds(command);
  invocation.terminal.note('The service is gone. This computer is a node still: ferry node run');
  await printData(invocation, { manager: manager.name, file: manager.file }, silently);
}

/** @throws CliError (not found) when no service is installed; CommandEnded (1) when it does not run */
export async function showService(invocation: Invocation): Promise<void> {
  const manager = await installed(invocation);
  const running = await succeeds(manager.probe);
  const status = { object: 'service', manager: manager.name, file: manager.file, running };
  const { terminal } = invocation;
  await printData(invocation, status, () => {
    const facts = [
      ['Service', manager.name],
      ['State', running ? 'running' : 'not running'],
      ['File', manager.file],
    ] as const;
    terminal.print(renderFacts(facts, terminal.stdoutColors));
  });
  if (running) return;
  terminal.note('why: ferry node service logs');
  throw new CommandEnded(exitCodes.failure);
}

export async function showServiceLogs(
  invocation: Invocation,
  { lines, follow }: { readonly lines: number; readonly follow?: true },
): Promise<void> {
  const manager = await installed(invocation);
  const code = await passThrough(manager.logs(logFileOf(invocation.env), lines, follow === true));
  if (code !== 0) throw new CommandEnded(exitCodes.failure);
}

async function installed(invocation: Invocation): Promise<ServiceManager> {
  const manager = currentServiceManager(invocation);
  try {
    await access(manager.file);
    return manager;
  } catch {
    throw new CliError('service_not_installed', exitCodes.notFound, 'the node is no service on this computer', {
      hint: 'ferry node service install',
    });
  }
}
