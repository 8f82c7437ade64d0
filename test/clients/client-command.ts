/** How the program of a library is made ready: its packages come from lock files, and all that is built lies in `node_modules/.cache`. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findPython } from '../support/client/find-python.mjs';
import { pythonEnvironment } from '../support/client/python-environment.mjs';
import { repositoryRoot } from '../support/process/ferry-process.js';
import type { ClientLibrary, Language } from './libraries.js';

export type Command = readonly [string, ...string[]];

/** Of a language's packages, once: compilers and package managers use all that they get. */
export const INSTALL_WITHIN_MS = 900_000;

const cache = path.join(repositoryRoot, 'node_modules/.cache/clients');

/** @throws with what the program printed: Maven says on stdout what is wrong */
const run = (program: string, words: readonly string[], cwd: string): Promise<unknown> =>
  promisify(execFile)(program, words, { cwd }).catch((error: unknown) => {
    const { message, stdout = '' } = error as Error & { readonly stdout?: string };
    throw new Error(`${message}\n${stdout}`, { cause: error });
  });

/** @returns the interpreter of an environment with the packages of a lock file */
export function pythonWith(lockFile: string): Promise<string> {
  const python = findPython();
  if (python === undefined) throw new Error('Python 3.11 with venv is needed (apt-get install python3-venv)');
  return pythonEnvironment(python, lockFile);
}

/** Cargo.lock has an address in each package of a registry; the committed list has none, and Cargo says what it is. */
async function writeCargoLock(folder: string, locked: string): Promise<void> {
  await run('cargo', ['generate-lockfile'], folder);
  const file = path.join(folder, 'Cargo.lock');
  const source = /^source = .*$/m.exec(await readFile(file, 'utf8'))?.[0] ?? '';
  await writeFile(file, locked.replaceAll(/^checksum = /gm, `${source}\nchecksum = `));
}

const prepare: Readonly<Record<Language, (library: ClientLibrary, folder: string) => Promise<Command>>> = {
  async python({ program, project = '' }, folder) {
    return [await pythonWith(path.join(folder, project, 'requirements.txt')), path.join(folder, program)];
  },
  async java({ program, project = '' }, folder) {
    const built = path.join(cache, 'java', project);
    const listed = path.join(built, 'classpath');
    const goals = ['compile', 'dependency:build-classpath', `-Dmdep.outputFile=${listed}`];
    await run('mvn', ['-q', '-B', `-Dferry.build=${built}`, ...goals], path.join(folder, project));
    const classpath = [path.join(built, 'classes'), (await readFile(listed, 'utf8')).trim()].join(path.delimiter);
    return ['java', '-cp', classpath, path.basename(program, '.java')];
  },
  async go({ id }, folder) {
    const built = path.join(cache, 'go', id);
    await run('go', ['build', '-mod=readonly', '-buildvcs=false', '-o', built, `./${id}`], folder);
    return [built];
  },
  async rust({ id }, folder) {
    const copy = path.join(cache, 'rust');
    await mkdir(copy, { recursive: true });
    await cp(folder, copy, { recursive: true });
    await writeCargoLock(copy, await readFile(path.join(folder, 'packages.lock'), 'utf8'));
    await run('cargo', ['build', '--locked', '--quiet', '--bin', id], copy);
    return [path.join(copy, 'target/debug', id)];
  },
};

/** @param folder of the language */
export const prepareClient = (library: ClientLibrary, folder: string): Promise<Command> =>
  prepare[library.language](library, folder);
