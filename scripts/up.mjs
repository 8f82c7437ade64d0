/**
 * One command from a fresh clone: `npm run up`. Installs what is missing, builds what changed, then is `ferry up`.
 * Built-in modules only, because it runs before anything is installed. stdout belongs to `ferry up`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `error: Ferry needs Node 20.19 or newer; this is ${process.version}\n  try: nvm install 24, or https://nodejs.org\n`,
  );
  process.exit(1);
}

const { keptByNpm } = await import('./npm-options.mjs');
const kept = keptByNpm(process.env, process.argv.slice(2));
if (kept !== undefined) {
  process.stderr.write(`error: npm kept ${kept.taken} for itself, because -- is missing\n  try: ${kept.instead}\n`);
  process.exit(2);
}

const { endRunning, passSignalsOn, root, StepError } = await import('./run.mjs');
const { install, isFirstInstall, measureInstall, needsInstall, program } = await import('./install.mjs');
const { build, needsBuild } = await import('./build.mjs');
const { createStepLine } = await import('./step-line.mjs');

const giveSignalsBack = passSignalsOn(
  'interrupted: what is installed stays\n  try: npm run up again; it goes on with the rest',
);
const installs = needsInstall(program);
const plan = installs ? 'installing and building, about a minute' : 'building what changed, a few seconds';

try {
  if (installs || needsBuild()) {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const isFirst = installs && isFirstInstall();
    process.stderr.write(`Ferry ${version} · ${isFirst ? 'first start: ' : ''}${plan}\n`);
    const steps = createStepLine();
    if (installs) await steps.run('packages', (output) => install(output, program), measureInstall(program));
    // The output of a build depends on the packages.
    if (needsBuild()) await steps.run('build', build);
    steps.end();
  }
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  endRunning();
  const advice = error.advice ?? 'npm run up again; it goes on with what is missing';
  process.stderr.write(`error: ${error.message}\n  try: ${advice}\n`);
  process.exit(1);
}
giveSignalsBack();

// npm runs scripts in the project's folder; a relative path on the command line means the caller's.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);

// The same process from here on: Ctrl-C and npm's signals reach `ferry up` and nothing stands in between.
const entry = path.join(root, 'bin', 'ferry.js');
process.argv = [process.execPath, entry, 'up', ...process.argv.slice(2)];
await import(pathToFileURL(entry).href);
