/** A running `ferry up` of the data directory serves its facts over its lock socket, and a second `ferry up` prints them. */
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { readInstance } from '../../../kernel/instance-lock.js';
import { credentialsPath, readCredentials } from '../../core/api/credentials-file.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { consoleLink } from './console-link.js';
import type { Progress } from './progress.js';
import { readyFacts, type ReadyFacts } from './ready-facts.js';

/** The lock that makes one process the `ferry up` of a data directory. */
export const UP_LOCK = 'up';

/** A start takes seconds; longer for the first one on a slow computer, or with a large model. */
const READY_WITHIN_MS = 120_000;
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
    })
    .nullable(),
});
type InstanceDescription = z.input<typeof description>;

interface RunningInstance {
  readonly pid: number;
  readonly facts: ReadyFacts;
}

interface FindOptions {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly readyWithinMs?: number;
}

/** @returns the reply over the lock socket, without secrets */
export const describeInstance = (facts: ReadyFacts | undefined): InstanceDescription => ({
  pid: process.pid,
  ready:
    facts === undefined
      ? null
      : {
          base_url: facts.base_url,
          cluster_id: facts.cluster_id,
          node_id: facts.node_id,
          model: facts.model,
        },
});

/**
 * The instance of this data directory, once it is ready; waits for one that is starting.
 * @returns undefined when there is none, it ends before it is ready, or its version does not report where it runs
 */
export async function findRunningInstance(
  directory: string,
  { signal, progress, readyWithinMs = READY_WITHIN_MS }: FindOptions,
): Promise<RunningInstance | undefined> {
  const deadline = performance.now() + readyWithinMs;
  let saidThatItWaits = false;
  for (;;) {
    const holder = description.safeParse(await readInstance(directory, UP_LOCK)).data;
    if (holder === undefined) return undefined;
    if (holder.ready !== null) {
      const credentials = await readCredentials(credentialsPath(directory));
      if (credentials?.api_key === undefined) return undefined;
      // A link can be used once, so every start that shows one creates its own.
      const api = new ManagementApi({ baseUrl: holder.ready.base_url, token: credentials.cli_token });
      const console_url = await consoleLink(api);
      return { pid: holder.pid, facts: readyFacts({ ...holder.ready, console_url, api_key: credentials.api_key }) };
    }
    if (performance.now() >= deadline) return undefined;
    if (!saidThatItWaits)
      progress(`Ferry is being started here already (process ${holder.pid}); waiting until it is ready`);
    saidThatItWaits = true;
    await setTimeout(ASK_AGAIN_MS, undefined, { signal });
  }
}
