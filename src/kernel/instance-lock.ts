/**
 * An exclusive lock on a directory, held by a live Unix socket in it: a file with a process id is wrong after a container restart, but a
 * socket without a process refuses connections. The holder describes itself to every connection, which also gives the local status.
 *
 * Sockets are named `<lock>.<generation>.sock` and the highest generation is the lock. A new holder links generation n+1, which only one can,
 * and never touches n while it might be alive; so there is no moment in which a live lock is moved or deleted. The highest generation
 * stays on disk even after a clean stop: numbers that never go back are what makes a slow starter notice that it came too late.
 */
import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  requestLine,
  ownSocketDirectory,
  pipeName,
  serveLine,
  socketDirectory,
  type SocketResponse,
} from './local-socket.js';

/** Every lost race means that another starter made progress, so this many only come with a broken file system. */
const MAX_ATTEMPTS = 100;
const ABANDONED_AFTER_MS = 60_000;

export interface InstanceLock {
  /** Idempotent. The lock is free when it resolves. */
  release(): Promise<void>;
}

function pidOf(holder: object | undefined): string {
  const pid = holder !== undefined && 'pid' in holder ? holder.pid : undefined;
  return typeof pid === 'number' ? ` (pid ${String(pid)})` : '';
}

/** Another live process holds the lock. The message fits one line for a terminal. */
export class InstanceLockedError extends Error {
  override readonly name = 'InstanceLockedError';
  constructor(
    readonly directory: string,
    /** The description by the holder; undefined when it was too busy to answer. */
    readonly holder: object | undefined,
  ) {
    super(`${directory} is in use by another process${pidOf(holder)}`);
  }

  /** ` (pid 42)`; empty when the holder has not told it. */
  get pidText(): string {
    return pidOf(this.holder);
  }
}

/**
 * Takes the lock `name` on `directory` (made with mode 0700 when missing), over a stale one if its process is gone.
 * `describe` is called for every connection; keep it cheap and free of secrets.
 * @throws InstanceLockedError when a live process holds it
 */
export async function acquireInstanceLock(
  directory: string,
  name: string,
  describe: () => object,
): Promise<InstanceLock> {
  const absolute = path.resolve(directory);
  await mkdir(absolute, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return acquirePipe(absolute, name, describe);

  const folder = socketDirectory(absolute);
  if (folder !== absolute) await mkdir(folder, { recursive: true, mode: 0o700 });
  // Fails when the directory is another user's: then it is no place for our lock either.
  await chmod(folder, 0o700);

  const candidate = path.join(folder, `${name}.${randomBytes(8).toString('hex')}.new`);
  const server = await serveLine(candidate, describe);
  try {
    await chmod(candidate, 0o600);
    await linkNextGeneration(absolute, folder, name, candidate);
  } catch (error) {
    await server.close();
    throw error;
  } finally {
    await rm(candidate, { force: true });
  }
  return { release: () => server.close() };
}

/** The description by the live holder of the lock; undefined when the lock is free. */
export async function readInstance(directory: string, name: string): Promise<object | undefined> {
  const absolute = path.resolve(directory);
  const response =
    process.platform === 'win32' ? await requestLine(pipeName(absolute, name)) : await askHighest(absolute, name);
  return response.state === 'alive' ? (response.description ?? {}) : undefined;
}

async function linkNextGeneration(directory: string, folder: string, name: string, candidate: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const highest = Math.max(0, ...(await generations(folder, name)));
    if (highest > 0) {
      const response = await requestLine(socketPath(folder, name, highest));
      if (response.state === 'alive') throw new InstanceLockedError(directory, response.description);
      if (response.state === 'absent') continue;
    }
    const mine = highest + 1;
    const won = await linkNew(candidate, socketPath(folder, name, mine));
    if (!won) continue;
    // A starter that paused between looking and linking may have linked a number that was already passed and cleaned up.
    const passed = (await generations(folder, name)).some((generation) => generation > mine);
    if (!passed) {
      await removeLeftovers(folder, name, mine);
      return;
    }
    await rm(socketPath(folder, name, mine), { force: true });
  }
  throw new Error(`cannot lock ${directory}: other processes keep taking the lock`);
}

async function linkNew(existing: string, name: string): Promise<boolean> {
  try {
    await link(existing, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function askHighest(directory: string, name: string): Promise<SocketResponse> {
  const folder = await ownSocketDirectory(directory);
  if (folder === undefined) return { state: 'absent' };
  const highest = Math.max(0, ...(await generations(folder, name)));
  return highest === 0 ? { state: 'absent' } : requestLine(socketPath(folder, name, highest));
}

async function generations(folder: string, name: string): Promise<number[]> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const numbers: number[] = [];
  for (const entry of entries) {
    if (!entry.startsWith(`${name}.`)) continue;
    const match = /^(\d{1,15})\.sock$/.exec(entry.slice(name.length + 1));
    if (match?.[1] !== undefined) numbers.push(Number(match[1]));
  }
  return numbers;
}

/** The direct predecessor stays: a listing taken while generations change hands must never miss both the old and the new one. */
async function removeLeftovers(folder: string, name: string, mine: number): Promise<void> {
  for (const generation of await generations(folder, name)) {
    if (generation < mine - 1) await rm(socketPath(folder, name, generation), { force: true });
  }
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}.`) || !entry.endsWith('.new')) continue;
    const file = path.join(folder, entry);
    const age = await stat(file).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > ABANDONED_AFTER_MS && (await requestLine(file)).state === 'refused') await rm(file, { force: true });
  }
}

const socketPath = (folder: string, name: string, generation: number): string =>
  path.join(folder, `${name}.${String(generation)}.sock`);

/** A named pipe belongs to the first process that listens and vanishes with it: no generations needed. */
async function acquirePipe(directory: string, name: string, describe: () => object): Promise<InstanceLock> {
  const pipe = pipeName(directory, name);
  try {
    const server = await serveLine(pipe, describe);
    return { release: () => server.close() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const response = await requestLine(pipe);
    throw new InstanceLockedError(directory, response.state === 'alive' ? response.description : undefined);
  }
}
