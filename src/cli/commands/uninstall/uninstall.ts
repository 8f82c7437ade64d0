import { rm, rmdir } from 'node:fs/promises';
import { configDirectory, dataDirectory } from '../../../kernel/data-directory.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { confirm } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { formatBytes } from '../../core/output/quantities.js';
import { shortPath } from '../../core/output/short-path.js';
import type { Environment, Invocation } from '../../invocation.js';
import { findInstalled, requireRights, type InstalledService } from '../service/installed-services.js';
import { removeService } from '../service/manage-service.js';
import { serviceNames, services, type ServiceName } from '../service/service-programs.js';
import { lockHolder } from '../service/wait-until-running.js';
import { findInstalledParts, removalOfProgram, type InstalledParts, type UninstallScope } from './installed-parts.js';

export interface UninstallFlags {
  readonly data?: true;
  readonly yes?: true;
}

/**
 * Shows what Ferry has put on this computer, asks, and removes it. Data stays unless `--data` was given.
 * @throws CliError where Ferry runs without a service, and where a program still is set up to use it
 */
export async function uninstall(invocation: Invocation, flags: UninstallFlags, scope: UninstallScope): Promise<void> {
  const { env, terminal } = invocation;
  const names = scope === 'node' ? (['node'] as const) : serviceNames;
  const own = scope === 'node' ? 'ferry node uninstall' : 'ferry uninstall';
  const installed = await findInstalled(invocation, names).catch(noServices);
  for (const { manager } of installed) requireRights(manager, own);
  const parts = await findInstalledParts(env, scope);
  if (installed.length === 0) await refuseRunning(env, names);
  refuseConnected(parts);

  for (const line of plan(installed, parts, flags)) terminal.note(line);
  const nothing = installed.length + parts.program.length + parts.config.length === 0;
  const removesData = flags.data === true && parts.data.length > 0;
  if (!nothing || removesData) {
    const question = removesData ? 'Remove this? The data cannot be restored' : 'Remove this?';
    if (flags.yes !== true && !(await confirm(terminal, question))) {
      terminal.note('Nothing was removed.');
      return;
    }
  }
  for (const service of installed) await removeService(service);
  if (removesData) await refuseRunning(env, names);
  const files = [...parts.config, ...parts.program, ...(removesData ? parts.data : [])];
  for (const file of files) await rm(file, { recursive: true, force: true });
  await rmdir(configDirectory(env)).catch(() => undefined);
  if (removesData) await rmdir(dataDirectory(env)).catch(() => undefined);

  const rest = await removalOfProgram(process.argv[1]);
  if (!nothing || removesData) terminal.note('Removed.');
  if (rest !== undefined) terminal.note(`The program itself: ${rest}`);
  const removed = [...installed.flatMap(({ manager }) => manager.files.map(({ path: file }) => file)), ...files];
  const kept = removesData ? [] : parts.data;
  await printData(invocation, { object: 'uninstalled', removed, kept, program: rest ?? null }, silently);
}

/** A system whose service manager is not known has no services of Ferry. */
function noServices(error: unknown): readonly InstalledService[] {
  if (error instanceof CliError && error.code === 'no_service_manager') return [];
  throw error;
}

async function refuseRunning(env: Environment, names: readonly ServiceName[]): Promise<void> {
  const directory = dataDirectory(env);
  for (const name of names) {
    const holder = await lockHolder(services[name], directory);
    if (holder === undefined) continue;
    const pid = holder.pid === undefined ? '' : ` (process ${String(holder.pid)})`;
    throw new CliError('already_running', exitCodes.failure, `${services[name].what} runs on ${directory}${pid}`, {
      hint: `stop it first: ${services[name].stop}`,
    });
  }
}

/** Disconnecting a program needs files that would be removed. */
function refuseConnected({ connected }: InstalledParts): void {
  const [first] = connected;
  if (first === undefined) return;
  throw new CliError('still_connected', exitCodes.failure, `set up to use Ferry here: ${connected.join(', ')}`, {
    hint: connected.map((program) => `ferry connect ${program} --undo`).join('; '),
  });
}

function plan(
  installed: readonly InstalledService[],
  parts: InstalledParts,
  { data: withData }: UninstallFlags,
): readonly string[] {
  const rows = (kind: string, entries: readonly string[]): readonly string[] =>
    entries.map((entry, index) => `  ${(index === 0 ? kind : '').padEnd(10)}${entry}`);
  const data = rows('data', [
    ...parts.data.map((file) => shortPath(file)),
    `${formatBytes(parts.dataBytes)} in all: keys, accounts, identity, logs, models`,
  ]);
  const goes = [
    ...rows(
      'service',
      installed.map(
        ({ name, manager }) => `ferry ${name}, of the ${manager.scope}: ${shortPath(manager.files[0].path)}`,
      ),
    ),
    ...rows('program', parts.program.map(shortPath)),
    ...rows('sign-ins', parts.config.map(shortPath)),
    ...(withData === true && parts.data.length > 0 ? data : []),
  ];
  const stays = withData === true || parts.data.length === 0 ? [] : ['Stays, unless --data is given:', ...data];
  return goes.length === 0
    ? ['There is nothing of Ferry to remove on this computer.', ...stays]
    : ['Will be removed from this computer:', ...goes, ...stays];
}
