/**
 * Compiles and bundles `src` into `dist`, builds the website, makes the agent that relays give to new computers, and leaves a stamp, so that the next start can tell whether
 * anything changed since. Also `npm run build`. Only built-in modules are imported up here: packages may not be installed yet.
 * Types are checked by `npm run typecheck`: what was committed was checked, and a first start need not wait for it.
 */
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineFiles } from './engine-files.mjs';
import { isBuilt } from './freshness.mjs';
import { root, run, StepError } from './run.mjs';

const dist = path.join(root, 'dist');
const stamp = path.join(dist, '.built');
const inputs = [
  'src',
  'console',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build.mjs',
  'scripts/bundle-agent.mjs',
  'scripts/bundle-programs.mjs',
  'scripts/bundle-script.mjs',
  'scripts/compile.mjs',
  'scripts/engine-files.mjs',
  'scripts/leave-out.mjs',
  'scripts/make-database.mjs',
  'scripts/pack-folder.mjs',
  'scripts/swc-options.mjs',
  ...engineFiles.map((file) => `engines/${file}`),
].map((file) => path.join(root, file));

export const needsBuild = () => !isBuilt(stamp, inputs);

export async function build(output = 'stderr') {
  const startedAt = new Date();
  // Beside `dist`, which programs that run may still need, and of this process: two builds at once do not mix.
  const made = `${dist}.${process.pid}`;
  try {
    await buildInto(made, output);
    writeFileSync(path.join(made, '.built'), '');
    // Files edited during the compilation are newer than this.
    utimesSync(path.join(made, '.built'), startedAt, startedAt);
    replace(dist, made);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** A folder cannot be replaced in one step while it has files. */
function replace(folder, replacement) {
  const old = `${replacement}.old`;
  try {
    renameSync(folder, old);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(replacement, folder);
  rmSync(old, { recursive: true, force: true });
}

async function buildInto(folder, output) {
  const program = (name, part) => [path.join(root, 'scripts', name), path.join(folder, part)];
  // Only the database needs what another makes. Processes of their own: the compilers would leave 100 MB each in `npm run up`, which goes on in this one.
  const results = await Promise.allSettled([
    run(program('compile.mjs', ''), { output, name: 'build' }).then(() =>
      run(program('make-database.mjs', ''), { output, name: 'making of the database' }),
    ),
    buildConsole(path.join(folder, 'console'), output),
    run(program('bundle-agent.mjs', 'agent-bundle'), { output, name: 'bundle of the agent' }),
  ]);
  const failure = results.find(({ status }) => status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** Its compiler is one of its packages. */
function buildConsole(folder, output) {
  const website = createRequire(path.join(root, 'console', 'package.json'));
  const vite = path.join(path.dirname(website.resolve('vite/package.json')), 'bin', 'vite.js');
  return run([vite, 'build', 'console', '--outDir', folder, '--logLevel', 'warn'], {
    output,
    name: 'build of the website',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build('inherit');
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
