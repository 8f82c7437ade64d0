/** The logs of Ferry on this computer. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { fileExists } from '../../../kernel/file-exists.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { findInstalled, logFileOf, type InstalledService } from '../service/installed-services.js';
import { serviceNames, services, type ServiceName } from '../service/service-programs.js';
import { lockHolder } from '../service/wait-until-running.js';
import { FileLog } from './file-log.js';
import { JournalLog } from './journal-log.js';
import type { LogPart, LogSource } from './log-line.js';

const partOfService: Readonly<Record<ServiceName, LogPart>> = { up: 'up', serve: 'relay', node: 'node' };

/** Finds the logs of these parts. @throws CliError (not found) when there is none */
export async function findLocalLogs(
  { env, terminal }: Pick<Invocation, 'env' | 'terminal'>,
  parts: readonly LogPart[],
): Promise<readonly LogSource[]> {
  const directory = dataDirectory(env);
  const folder = path.join(directory, 'logs');
  const sources: LogSource[] = [];
  let ofServices = 0;
  for (const part of parts) {
    const file = path.join(folder, `${part}.log`);
    if (await fileExists(file)) sources.push(new FileLog(part, file));
  }
  for (const { name, manager } of await servicesOf(env, directory)) {
    const part = partOfService[name];
    if (!parts.includes(part)) continue;
    ofServices += 1;
    sources.push(manager.name === 'systemd' ? JournalLog.of(part, manager) : new FileLog(part, logFileOf(env, name)));
  }
  const elsewhere = ofServices === 0 ? await programsWithoutLog(directory, parts) : [];
  if (sources.length === 0) throw noLog(folder, elsewhere, parts);
  for (const text of elsewhere) terminal.note(`${text} This is an older log of ferry up.`);
  return sources;
}

/** Finds the services on this data directory, as far as their definitions can be read. */
async function servicesOf(env: Invocation['env'], directory: string): Promise<readonly InstalledService[]> {
  const installed = await findInstalled({ env }, serviceNames).catch((error: unknown) => {
    // A system without a service manager that is known.
    if (error instanceof CliError) return [];
    throw error;
  });
  const definitions = await Promise.all(
    installed.map(({ manager }) => Promise.all(manager.files.map(({ path: file }) => readable(file)))),
  );
  return installed.filter((_, index) => {
    const text = definitions[index]?.join('\n') ?? '';
    return !text.includes('FERRY_DATA_DIR') || text.includes(directory);
  });
}

const readable = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** Programs that run here without `ferry up`, which is what keeps a log. */
async function programsWithoutLog(directory: string, parts: readonly LogPart[]): Promise<readonly string[]> {
  if ((await lockHolder(services.up, directory)) !== undefined) return [];
  const reported = await Promise.all(
    ([services.serve, services.node] as const).map(async (service) => {
      if (!parts.includes(partOfService[service.name])) return [];
      const holder = await lockHolder(service, directory);
      if (holder === undefined) return [];
      const process = holder.pid === undefined ? '' : ` (process ${String(holder.pid)})`;
      return [`${service.what}${process} writes its log to where it was started.`];
    }),
  );
  return reported.flat();
}

function noLog(folder: string, elsewhere: readonly string[], parts: readonly LogPart[]): CliError {
  const ofNode = parts.every((part) => part === 'node');
  const message = `there is no log of ${ofNode ? 'the node' : 'Ferry'} in ${folder}`;
  const providerWithToken = ofNode
    ? 'ferry node service install, which keeps one; ferry node run writes its log to where it was started'
    : 'ferry up keeps one there; ferry serve and ferry node run write theirs to stderr';
  return new CliError('log_not_found', exitCodes.notFound, message, {
    hint: elsewhere.length > 0 ? elsewhere.join(' ') : providerWithToken,
  });
}
