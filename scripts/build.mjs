/**
 * Compiles `src` to `dist`, builds the website, makes the agent that relays give to new computers, and leaves a stamp, so that the next start can tell whether
 * anything changed since. Also `npm run build`. Only built-in modules are imported up here: packages may not be installed yet.
 */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineFiles } from './engine-files.mjs';
import { isBuilt } from './freshness.mjs';
import { root, run, StepError } from './run.mjs';

const stamp = path.join(root, 'dist', '.built');
const inputs = [
  'src',
  'console',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
  'scripts/bundle-agent.mjs',
  'scripts/engine-files.mjs',
  ...engineFiles.map((file) => `engines/${file}`),
].map((file) => path.join(root, file));

export const needsBuild = () => !isBuilt(stamp, inputs);

export async function build(output = 'stderr') {
  const startedAt = new Date();
  // A build that fails halfway must not leave a valid stamp.
  rmSync(stamp, { force: true });
  await run([fileURLToPath(import.meta.resolve('@nestjs/cli/bin/nest.js')), 'build'], { output, name: 'build' });
  // After the compiler, which empties `dist` first.
  await buildConsole(output);
  // A process of its own: esbuild leaves one of 100 MB beside `npm run up`, which goes on in this one.
  const bundle = [path.join(root, 'scripts', 'bundle-agent.mjs'), path.join(root, 'dist', 'agent-bundle')];
  await run(bundle, { output, name: 'bundle of the agent' });
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  // Files edited during the compilation are newer than this.
  utimesSync(stamp, startedAt, startedAt);
}

/** `dist/console`. */
function buildConsole(output) {
  const vite = path.join(path.dirname(fileURLToPath(import.meta.resolve('vite/package.json'))), 'bin', 'vite.js');
  return run([vite, 'build', 'console', '--logLevel', 'warn'], { output, name: 'build of the website' });
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
