/**
 * Installs what is missing. The built-in engine has its own folder and lock file, so that nothing else drags it along
 * (docs/reference/engines.md#built-in-engine).
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInstalled } from './freshness.mjs';
import { findNpm, root, run } from './run.mjs';

const folders = [root, path.join(root, 'engines', 'llamacpp')];

const missing = () =>
  folders.filter((folder) => existsSync(path.join(folder, 'package-lock.json')) && !isInstalled(folder));

export const needsInstall = () => missing().length > 0;

export const isFirstInstall = () => !existsSync(path.join(root, 'node_modules'));

/** Both installations side by side: each waits for the network most of the time. */
export async function install(output = 'stderr') {
  const npm = findNpm();
  // `dev`: the build needs the compiler, even where NODE_ENV says production.
  const words = [npm, 'ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  await Promise.all(
    missing().map((cwd) => run(words, { cwd, output, name: `npm ci in ${path.relative(root, cwd) || 'the project'}` })),
  );
}
