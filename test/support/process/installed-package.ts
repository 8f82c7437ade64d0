/** The npm package of this checkout, installed the way its users install it: a tarball, a prefix and a home of its own. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FerryProcess, repositoryRoot, type CommandResult } from './ferry-process.js';

export class InstalledPackage {
  private constructor(
    private readonly folder: string,
    /** Of the release: the tarball, the list of its packages and their checksums. */
    readonly release: string,
    readonly tarball: string,
    readonly installSeconds: number,
  ) {}

  /** Makes a release, with the build that belongs to it, and installs its package. */
  static async install(): Promise<InstalledPackage> {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-package-'));
    for (const name of ['home', 'prefix']) await mkdir(path.join(folder, name));
    // Other tests may use `dist` at the same time only if the build is fresh; then it is built again with the same result.
    const release = path.join(folder, 'release');
    await npm(['run', 'release', '--', '--offline', release], repositoryRoot, {});
    const name = (await readdir(release)).find((entry) => entry.endsWith('.tgz'));
    if (name === undefined) throw new Error('the release has no tarball');
    const tarball = path.join(release, name);
    const startedAtMs = performance.now();
    const words = ['install', '--global', '--ignore-scripts', '--no-audit', '--no-fund', tarball];
    await npm([...words, '--prefix', path.join(folder, 'prefix')], path.join(folder, 'home'), {
      HOME: path.join(folder, 'home'),
    });
    return new InstalledPackage(folder, release, tarball, (performance.now() - startedAtMs) / 1_000);
  }

  get directory(): string {
    return path.join(this.folder, 'prefix/lib/node_modules/ferry');
  }

  get home(): string {
    return path.join(this.folder, 'home');
  }

  /** Starts the installed `ferry`, in its home. */
  start(args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}): FerryProcess {
    const program = path.join(this.folder, 'prefix/bin/ferry');
    const own = { HOME: this.home, XDG_DATA_HOME: undefined, XDG_CONFIG_HOME: undefined };
    return FerryProcess.startProgram(program, args, this.home, { ...own, ...env });
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandResult> {
    const process = this.start(args, env);
    const code = await process.exited;
    return { code, stdout: process.stdout, stderr: process.stderr };
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function npm(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const process = FerryProcess.startProgram('npm', args, cwd, env);
  if ((await process.exited) !== 0) throw new Error(`npm ${args.join(' ')}: ${process.ending}`);
}

/** Size of a file, or of all files in a folder, in megabytes. */
export async function megabytes(file: string): Promise<number> {
  const found = await stat(file);
  const files = found.isDirectory() ? await readdir(file, { recursive: true, withFileTypes: true }) : undefined;
  if (files === undefined) return found.size / 1e6;
  const sizes = await Promise.all(
    files.filter((entry) => entry.isFile()).map((entry) => stat(path.join(entry.parentPath, entry.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0) / 1e6;
}
