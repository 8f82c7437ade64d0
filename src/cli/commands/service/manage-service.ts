import { rm } from 'node:fs/promises';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import type { Invocation } from '../../invocation.js';
import {
  findInstalled,
  logFileOf,
  noneInstalled,
  requireRights,
  serviceRecord,
  theInstalled,
  type InstalledService,
  type ServiceRecord,
} from './installed-services.js';
import { passThrough, succeeds } from './service-manager.js';
import type { ServiceName } from './service-programs.js';

/** Stops it, too. */
export async function removeService({ manager }: InstalledService): Promise<void> {
  for (const command of manager.uninstall) await succeeds(command);
  for (const file of manager.files) await rm(file.path, { force: true });
  for (const command of manager.forget) await succeeds(command);
}

/** The record of a node that was joined, and all data, stay. */
export async function uninstallService(invocation: Invocation, names: readonly ServiceName[]): Promise<void> {
  const service = await theInstalled(invocation, names);
  const { name, manager } = service;
  requireRights(manager, `ferry service uninstall ${name}`);
  await removeService(service);
  invocation.terminal.note(
    name === 'node'
      ? 'The service is gone. This computer is a node still: ferry node run'
      : `The service is gone. Its data is there still: ferry ${name}`,
  );
  await printData(invocation, serviceRecord(name, manager), silently);
}

type ServiceStatus = ServiceRecord & { readonly running: boolean };

const statusOf = async ({ name, manager }: InstalledService): Promise<ServiceStatus> => ({
  ...serviceRecord(name, manager),
  running: await succeeds(manager.probe),
});

const columns: readonly Column<ServiceStatus>[] = [
  { heading: 'SERVICE', value: ({ service }) => service, whole: true },
  { heading: 'STATE', value: ({ running }) => (running ? 'running' : 'not running') },
  { heading: 'OF', value: ({ scope }) => scope },
  { heading: 'FILE', value: ({ file }) => file },
];

/** @throws CliError (not found) when there is no service; CommandEnded (1) when one does not run */
export async function listServices(invocation: Invocation, names: readonly ServiceName[]): Promise<void> {
  const rows = await Promise.all((await findInstalled(invocation, names)).map(statusOf));
  if (rows.length === 0) throw noneInstalled(names);
  await printList(invocation, { rows, columns, whenEmpty: '' });
  const stopped = rows.find(({ running }) => !running);
  if (stopped === undefined) return;
  invocation.terminal.note(`why: ferry service logs ${stopped.service}`);
  throw new CommandEnded(exitCodes.failure);
}

/** The same of one, as `ferry node service status` has it. */
export async function showService(invocation: Invocation, name: ServiceName): Promise<void> {
  const status = await statusOf(await theInstalled(invocation, [name]));
  const { terminal } = invocation;
  await printData(invocation, status, () => {
    const facts = [
      ['Service', `${status.manager}, of the ${status.scope}`],
      ['State', status.running ? 'running' : 'not running'],
      ['File', status.file],
    ] as const;
    terminal.print(renderFacts(facts, terminal.stdoutColors));
  });
  if (status.running) return;
  terminal.note(`why: ferry ${name} service logs`);
  throw new CommandEnded(exitCodes.failure);
}

export async function showServiceLogs(
  invocation: Invocation,
  names: readonly ServiceName[],
  { lines, follow }: { readonly lines: number; readonly follow?: true },
): Promise<void> {
  const { name, manager } = await theInstalled(invocation, names);
  const code = await passThrough(manager.logs(logFileOf(invocation.env, name), lines, follow === true));
  if (code !== 0) throw new CommandEnded(exitCodes.failure);
}
