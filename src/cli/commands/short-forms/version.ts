import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { fileExists } from '../../../kernel/file-exists.js';
import { shellWord } from '../../../kernel/shell-words.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData } from '../../core/output/print-data.js';
import { packageVersion } from '../../core/package-version.js';
import type { Invocation } from '../../invocation.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[\\/]$/, '');

export const versionShape = z.strictObject({
  object: z.literal('version'),
  version: z.string(),
  node_version: z.string().describe('of Node.js'),
  platform: z.string(),
});

export async function showVersion(invocation: Invocation): Promise<void> {
  const platform = `${process.platform}-${process.arch}`;
  const facts = { object: 'version', version: packageVersion(), node_version: process.versions.node, platform };
  await printData(invocation, facts, () => {
    invocation.terminal.print(`ferry ${facts.version} (Node.js ${facts.node_version}, ${platform})`);
  });
}

/**
 * Ferry does not replace its own files: it may run as a service, from a checkout, or as another user's package.
 * @throws CliError with the command that updates it
 */
export async function refuseUpdate(): Promise<void> {
  const isCheckout = await fileExists(path.join(ROOT, '.git'));
  throw new CliError('no_self_update', exitCodes.usage, `Ferry ${packageVersion()} is updated as it was installed`, {
    hint: isCheckout
      ? `cd ${shellWord(ROOT)} && git pull; then ferry down and npm run up`
      : 'npm install --global --ignore-scripts FILE.tgz of the new version; then ferry down and ferry up',
  });
}
