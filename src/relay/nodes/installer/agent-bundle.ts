/** The agent bundle that the build creates for installers: the agent as one file, and the built-in engine's manifest and model as an archive. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The relative path is the same from `src` and `dist`. */
export const builtBundle = fileURLToPath(new URL('../../../../dist/agent-bundle', import.meta.url));

/** Injection token of the bundle's folder. */
export const BUNDLE_DIRECTORY = Symbol('BUNDLE_DIRECTORY');

const file = { sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().positive() };
const bundleFacts = z.object({ version: z.string().regex(/^[\w.+-]{1,100}$/), ...file, engine: z.object(file) });

export type BundleFacts = z.output<typeof bundleFacts>;

/** Not cached: a build may replace the bundle while the relay runs. Undefined when the build did not include the agent. */
export async function readBundleFacts(directory: string): Promise<BundleFacts | undefined> {
  try {
    return bundleFacts.parse(JSON.parse(await readFile(path.join(directory, 'version.json'), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
