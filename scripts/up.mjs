/**
 * One command from a fresh clone: `npm run up`. Installs what is missing, builds what changed, then is `ferry up`.
 * Built-in modules only, because it runs before anything is installed. stdout belongs to `ferry up`.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`error: Ferry needs Node 20.19 or newer; this is ${process.version}\n`);
  process.exit(1);
}

const { passSignalsOn, root, step, StepError } = await import('./run.mjs');
const { install, needsInstall } = await import('./install.mjs');
const { build, needsBuild } = await import('./build.mjs');

const giveSignalsBack = passSignalsOn();
try {
  if (needsInstall()) await step('install', () => install());
  if (needsBuild()) await step('build', () => build());
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exit(1);
}
giveSignalsBack();

// npm runs scripts in the project's folder; a relative path on the command line means the caller's.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);

// The same process from here on: Ctrl-C and npm's signals reach `ferry up` and nothing stands in between.
const entry = path.join(root, 'dist', 'cli', 'main.js');
process.argv = [process.execPath, entry, 'up', ...process.argv.slice(2)];
await import(pathToFileURL(entry).href);
