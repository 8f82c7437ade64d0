/**
 * A local socket by which a command asks a running program of the same user for something: a line with one JSON object each way. It is in
 * the data directory with mode 0600. The program that listens must hold the lock of that directory, because it takes over a socket that a
 * program before it has left behind.
 */
import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import path from 'node:path';
import { isJsonObject, parseJson, type JsonObject } from './json-object.js';
import {
  createLocalServer,
  ownSocketDirectory,
  pipeName,
  socketDirectory,
  withShortName,
  type LineServer,
} from './local-socket.js';

const LINE_LIMIT_BYTES = 4 * 1024;
const REQUEST_TIMEOUT_MS = 2_000;
const MAX_CONNECTIONS = 16;

/** @returns the response; the message of an error that it throws is sent as `{"error": …}` */
export type ControlHandler = (request: JsonObject) => Promise<JsonObject>;

/** Listens as `name` in `directory`. Does not keep the process alive. @throws the system's error when it cannot listen */
export async function serveControl(directory: string, name: string, handle: ControlHandler): Promise<LineServer> {
  const local = createLocalServer((socket) => void response(socket, handle), {
    allowHalfOpen: true,
  });
  local.server.maxConnections = MAX_CONNECTIONS;
  const file = await placeOf(directory, name);
  if (file !== undefined) await rm(file, { force: true });
  await withName(directory, name, async (address) => {
    local.server.listen(address);
    await once(local.server, 'listening');
  });
  if (file !== undefined) await chmod(file, 0o600);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await local.close();
    // Where it listened under a shorter name, the system does not remove it.
    if (file !== undefined) await rm(file, { force: true });
  };
  return { close: () => (closing ??= close()) };
}

/** @returns undefined when no program listens. @throws Error when it does not answer in time, and with the message of its error */
export async function sendControlRequest(
  directory: string,
  name: string,
  request: JsonObject,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): Promise<JsonObject | undefined> {
  options.signal?.throwIfAborted();
  if (process.platform !== 'win32' && (await ownSocketDirectory(path.resolve(directory))) === undefined)
    return undefined;
  const socket = await withName(path.resolve(directory), name, connected);
  if (socket === undefined) return undefined;
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  const stop = (): void => {
    socket.destroy(signal.reason as Error);
  };
  signal.addEventListener('abort', stop);
  try {
    socket.end(`${JSON.stringify(request)}\n`);
    const line = parseJson(await readLine(socket));
    if (!isJsonObject(line)) throw new Error('the running program has ended, or gave no answer');
    if (typeof line['error'] === 'string') throw new Error(line['error']);
    return line;
  } catch (error) {
    if (!timeout.aborted) throw error;
    throw new Error('the running program does not answer', { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

async function response(socket: Socket, handle: ControlHandler): Promise<void> {
  socket.setTimeout(REQUEST_TIMEOUT_MS, () => socket.destroy());
  try {
    const request = parseJson(await readLine(socket));
    socket.setTimeout(0);
    if (isJsonObject(request)) socket.end(`${JSON.stringify(await resultOf(request, handle))}\n`);
    else socket.destroy();
  } catch {
    socket.destroy();
  }
}

async function resultOf(request: JsonObject, handle: ControlHandler): Promise<JsonObject> {
  try {
    return await handle(request);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** Everything up to the end of the line, or of the connection. @throws Error when it is too long */
async function readLine(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  // The socket is written to afterwards.
  for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes > LINE_LIMIT_BYTES) throw new Error('the line is too long');
    if (part.includes(0x0a)) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

async function connected(address: string): Promise<Socket | undefined> {
  const socket = createConnection(address);
  // The reader gets the error, too; without a listener it would end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  }
}

const socketPath = (directory: string, name: string): string =>
  path.join(socketDirectory(path.resolve(directory)), `${name}.sock`);

/** Where the socket is; undefined on Windows, where it is a pipe. The directory exists afterwards, and is private. */
async function placeOf(directory: string, name: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const file = socketPath(directory, name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  return file;
}

const withName = <Result>(
  directory: string,
  name: string,
  work: (address: string) => Promise<Result>,
): Promise<Result> =>
  process.platform === 'win32'
    ? work(pipeName(path.resolve(directory), name))
    : withShortName(socketPath(directory, name), work);
