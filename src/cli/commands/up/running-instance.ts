/** A running `ferry up` of the data directory serves its facts over its lock socket, and a second `ferry up` prints them. */
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { readInstance } from '../../../kernel/instance-lock.js';
import { credentialsPath, readCredentials } from '../../core/api/credentials-file.js';
import { ManagementApi } from '../../core/api/management-api.js';
import type { Progress } from './progress.js';
import { readyReport, type ReadyReport } from './ready-report.js';
import type { RunningElsewhere } from './ready-screen.js';
import { pidNamespace, UP_LOCK } from './supervisor/claim-data-directory.js';

/** The other process gives up by itself when nothing happens any more. Longer than its own limits. */
const READY_WITHIN_MS = 3_600_000;
const ASK_AGAIN_MS = 200;

const description = z.object({
  pid: z.number().int(),
  /** null until it is ready. Excludes the API key, which is in the credentials file for authorised users. */
  ready: z
    .object({
      base_url: z.string(),
      cluster_id: z.string(),
      node_id: z.string(),
      model: z.string().nullable(),
      /** Where the relay is asked from this computer. */
      local_url: z.string(),
      host: z.string(),
    })
    .nullable(),
  /** Started by the service manager of the system. */
  service: z.boolean().optional(),
  /** Absent: the system has only one, or an older version. */
  pid_namespace: z.string().optional(),
});

interface RunningInstance extends RunningElsewhere {
  readonly report: ReadyReport;
  readonly host: string;
  readonly port: number;
}

interface Holder extends RunningElsewhere {
  /** The process id belongs to another process here, or to none: the instance runs in a container that shares the directory. */
  readonly isInOtherContainer: boolean;
}

/** The process that is the `ferry up` of this data directory; undefined when there is none. */
export async function findHolder(directory: string): Promise<Holder | undefined> {
  const holder = description.safeParse(await readInstance(directory, UP_LOCK)).data;
  if (holder === undefined) return undefined;
  const own = pidNamespace();
  const isInOtherContainer = own !== undefined && holder.pid_namespace !== undefined && holder.pid_namespace !== own;
  return { pid: holder.pid, isService: holder.service === true, isInOtherContainer };
}

interface FindOptions {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly forPeople: boolean;
  readonly readyWithinMs?: number;
  /** True when the caller has started it, and shows that it waits. */
  readonly isOwnStart?: boolean;
}

/**
 * The instance of this data directory, once it is ready; waits for one that is starting.
 * @returns undefined when there is none, or it ends before it is ready
 */
export async function findRunningInstance(
  directory: string,
  { signal, progress, forPeople, readyWithinMs = READY_WITHIN_MS, isOwnStart = false }: FindOptions,
): Promise<RunningInstance | undefined> {
  const deadline = performance.now() + readyWithinMs;
  let reportedWaiting = isOwnStart;
  for (;;) {
    const holder = description.safeParse(await readInstance(directory, UP_LOCK)).data;
    if (holder === undefined) return undefined;
    if (holder.ready !== null) {
      const credentials = await readCredentials(credentialsPath(directory));
      if (credentials?.api_key === undefined) return undefined;
      const { host, local_url: localUrl, ...known } = holder.ready;
      const api = new ManagementApi({ baseUrl: localUrl, token: credentials.cli_token });
      const report = await readyReport(
        api,
        { ...known, api_key: credentials.api_key, data_dir: directory },
        { host, forPeople },
      );
      const { port } = new URL(localUrl);
      return { pid: holder.pid, isService: holder.service === true, report, host, port: Number(port) };
    }
    if (performance.now() >= deadline) return undefined;
    if (!reportedWaiting)
      progress.note(`Ferry is being started here already (process ${holder.pid}); waiting until it is ready`);
    reportedWaiting = true;
    await setTimeout(ASK_AGAIN_MS, undefined, { signal });
  }
}
