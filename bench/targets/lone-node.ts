/** A node in a process of its own, which serves no engine: what every node costs. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allocatorEnvironment } from '../../src/cli/core/supervision/allocator-environment.js';
import { repositoryRoot, start } from '../child.js';
import { createJoinToken, type startRelay } from './ferry.js';

type Credentials = Awaited<ReturnType<typeof startRelay>>['credentials'];

const ferry = path.join(repositoryRoot, 'bin/ferry.js');

/** `HOME` too, because `ferry up` signs the user's commands in. */
export const environment = (directory: string): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: directory,
  FERRY_DATA_DIR: directory,
  FERRY_CONFIG_DIR: directory,
});

/** @returns when it is enrolled and its process runs */
export async function startLoneNode(node: string, directory: string, credentials: Credentials): Promise<ChildProcess> {
  const joinToken = await createJoinToken(credentials);
  mkdirSync(path.join(directory, 'node'), { recursive: true });
  writeFileSync(path.join(directory, 'node/engines.json'), JSON.stringify({ engines: [], discover: false }));
  const options = { env: environment(directory), stdio: 'ignore' } as const;
  const [code] = (await once(
    start(node, [ferry, 'node', 'join', joinToken, '--relay', credentials.base_url], options),
    'exit',
  )) as [number | null];
  if (code !== 0) throw new Error('ferry node join failed');
  // As a service has it.
  return start(node, [ferry, 'node', 'run'], { ...options, env: { ...allocatorEnvironment, ...options.env } });
}
