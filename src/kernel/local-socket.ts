/** Unix sockets: listens under a path that may be long, and reads the one line that each connection gets. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lstat, open } from 'node:fs/promises';
import { createConnection, createServer, type Server, type ServerOpts, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isJsonObject, parseJson } from './json-object.js';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, the closing NUL included. */
const SOCKET_PATH_LIMIT_BYTES = 100;
const RESPONSE_LIMIT_BYTES = 1024 * 1024;
const RESPONSE_TIMEOUT_MS = 2_000;
const MAX_INTERRUPTIONS = 20;
const INTERRUPTION_PAUSE_MS = 10;

/**
 * The directory in which sockets for `directory` really live. Where the kernel offers no short name for a long path, that is a
 * directory under /tmp whose name is derived from it; otherwise it is `directory` itself.
 */
export function socketDirectory(directory: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'linux' || Buffer.byteLength(directory) <= SOCKET_PATH_LIMIT_BYTES - 40) return directory;
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 24);
  return path.join('/tmp', `ferry-${String(os.userInfo().uid)}-${digest}`);
}

/**
 * The directory of {@link socketDirectory}; undefined where somebody else could have put sockets there. Anybody may make one under /tmp, and would
 * be believed: as the process to signal, and as the address that gets the credentials of the user.
 */
export async function ownSocketDirectory(directory: string, platform = process.platform): Promise<string | undefined> {
  const folder = socketDirectory(directory, platform);
  return folder === directory || (await isPrivate(folder)) ? folder : undefined;
}

async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === os.userInfo().uid && (found.mode & 0o077) === 0;
}

/** Windows has named pipes in place of sockets in `directory`. */
export const pipeName = (directory: string, name: string): string =>
  `\\\\.\\pipe\\ferry-${createHash('sha256').update(directory).digest('hex')}-${name}`;

/** Runs `work` with a name of `file` that fits into a socket address: itself, or a way through /proc. */
export async function withShortName<Result>(file: string, work: (name: string) => Promise<Result>): Promise<Result> {
  if (Buffer.byteLength(file) <= SOCKET_PATH_LIMIT_BYTES || process.platform !== 'linux') return work(file);
  const directory = await open(path.dirname(file), 'r');
  try {
    return await work(`/proc/self/fd/${String(directory.fd)}/${path.basename(file)}`);
  } finally {
    await directory.close();
  }
}

export interface LineServer {
  /** Idempotent. No connection is possible any more when it resolves. */
  close(): Promise<void>;
}

interface LocalServer extends LineServer {
  readonly server: Server;
}

/**
 * A server that does not keep the process alive, nor do its connections.
 * @param serve is called for each connection, whose errors are ignored: a client that goes away is none of this program
 */
export function createLocalServer(serve: (socket: Socket) => void, options: ServerOpts = {}): LocalServer {
  const sockets = new Set<Socket>();
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    socket.unref();
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    serve(socket);
  });
  server.unref();
  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Listens on `file`; every connection gets one line of JSON and the end. The server does not keep the process alive. */
export async function serveLine(file: string, describe: () => object): Promise<LineServer> {
  const local = createLocalServer((socket) => {
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy());
    socket.end(`${describeSafely(describe)}\n`);
  });
  await withShortName(file, async (name) => {
    local.server.listen(name);
    await once(local.server, 'listening');
  });
  return local;
}

/** `absent`: no such socket. `refused`: its process is gone. Anything else is alive, even if it is too busy to describe itself. */
export type SocketResponse =
  | { readonly state: 'absent' }
  | { readonly state: 'refused' }
  | { readonly state: 'alive'; readonly description: object | undefined };

/** Connects to `file` and reads its line, waiting at most two seconds for it. */
export async function requestLine(file: string): Promise<SocketResponse> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await withShortName(file, readLine);
    // Cut off without a word: its process was just ending. Asked again, a socket is either refused or alive.
    if (response !== 'cut off') return response;
    if (attempt === MAX_INTERRUPTIONS) return { state: 'alive', description: undefined };
    await setTimeout(INTERRUPTION_PAUSE_MS);
  }
}

function readLine(name: string): Promise<SocketResponse | 'cut off'> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(name);
    let text = '';
    const response = (): void => {
      socket.destroy();
      const description = parseJson(text);
      resolve({ state: 'alive', description: isJsonObject(description) ? description : undefined });
    };
    socket.setEncoding('utf8');
    socket.setTimeout(RESPONSE_TIMEOUT_MS, response);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > RESPONSE_LIMIT_BYTES) response();
    });
    socket.on('end', () => {
      if (text === '') resolve('cut off');
      else response();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      switch (error.code) {
        case 'ENOENT':
          resolve({ state: 'absent' });
          break;
        case 'ECONNREFUSED':
          resolve({ state: 'refused' });
          break;
        case 'ECONNRESET':
        case 'EPIPE':
          resolve('cut off');
          break;
        // A full backlog: someone listens, but is too busy to accept.
        case 'EAGAIN':
          response();
          break;
        default:
          reject(error);
      }
    });
  });
}

function describeSafely(describe: () => object): string {
  try {
    return JSON.stringify(describe());
  } catch {
    return '{}';
  }
}
