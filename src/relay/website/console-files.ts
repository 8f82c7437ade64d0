import { stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The build of `console/` is at the same distance from `src` and `dist`. */
export const builtConsole = fileURLToPath(new URL('../../../dist/console', import.meta.url));

/** Injection token of the folder. */
export const CONSOLE_DIRECTORY = Symbol('CONSOLE_DIRECTORY');

/** A plain file name: no separator, no leading dot, no escape. */
const FILE_NAME = /^[\w-][\w.-]{0,199}$/;

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

/** In order of preference; the build leaves `<name>.br` and `<name>.gz` beside what is worth it. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

export interface ConsoleFile {
  /** Below `root`. */
  readonly path: string;
  readonly contentType: string;
  readonly encoding?: 'br' | 'gzip';
  /** Default: the folder of the build. */
  readonly root?: string;
}

/** There without a build, too. */
export const favicon: ConsoleFile = {
  root: fileURLToPath(new URL('../../../public/docs', import.meta.url)),
  path: 'favicon.ico',
  contentType: 'image/x-icon',
};

/**
 * The file of the build with this name, compressed if the client takes that; undefined when there is none. Asked of the disk each time:
 * a build replaces the folder under a running relay, and nothing of it stays in memory.
 *
 * @param folder '' or 'assets'
 */
export async function findConsoleFile(
  directory: string,
  folder: '' | 'assets',
  name: string,
  acceptEncoding: string,
): Promise<ConsoleFile | undefined> {
  const contentType = contentTypes[path.extname(name)];
  if (contentType === undefined || !FILE_NAME.test(name)) return undefined;
  const plain = path.posix.join(folder, name);
  for (const { name: encoding, extension } of encodings) {
    if (!accepts(acceptEncoding, encoding)) continue;
    const compressed = `${plain}${extension}`;
    if (await isFile(path.join(directory, compressed))) return { path: compressed, contentType, encoding };
  }
  return (await isFile(path.join(directory, plain))) ? { path: plain, contentType } : undefined;
}

const isFile = async (file: string): Promise<boolean> => {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
};

/** `gzip;q=0` refuses it (RFC 9110 §12.5.3); `*` is not worth the lookup. */
function accepts(acceptEncoding: string, encoding: string): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
