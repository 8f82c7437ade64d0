/** Compiles `src` to `dist` and leaves a stamp, so that the next start can tell whether anything changed since. Also `npm run build`. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './freshness.mjs';
import { root, run, StepError } from './run.mjs';

const stamp = path.join(root, 'dist', '.built');
const inputs = [
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
].map((file) => path.join(root, file));

export const needsBuild = () => !isBuilt(stamp, inputs);

export async function build(output = 'stderr') {
  const startedAt = new Date();
  // A build that fails half-way must not be taken for a good one.
  rmSync(stamp, { force: true });
  await run([fileURLToPath(import.meta.resolve('@nestjs/cli/bin/nest.js')), 'build'], { output, name: 'build' });
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, '');
  // What was edited while the compiler ran is newer than this.
  utimesSync(stamp, startedAt, startedAt);
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
