/** The node's identity file, readable by its owner only. */
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { isNodeId } from '../../kernel/ids.js';
import { importNodeKey } from './node-key.js';
import { AdvisedError } from '../../kernel/errors/advised-error.js';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

const nodeIdentity = z.object({
  version: z.literal(1),
  node_id: z.string().refine(isNodeId),
  node_name: z.string().min(1),
  account_id: z.string().min(1),
  cluster_id: z.string().min(1),
  /** Where the node dials: the address that was given when it joined, which is known to work from here. */
  relay_url: z.url({ protocol: /^https?$/ }),
  /** Host of the relay's public base address, which the signature covers. */
  relay_host: z.string().min(1),
  private_key: z.string().min(1),
});
export type NodeIdentity = z.output<typeof nodeIdentity>;

/** The node's directory inside the data directory. */
export const nodeDirectory = (dataDirectory: string): string => path.join(dataDirectory, 'node');

export const identityFile = (dataDirectory: string): string => path.join(nodeDirectory(dataDirectory), 'identity.json');

/** The file is there but cannot be used; the message says what to do. */
export class NodeIdentityError extends AdvisedError {
  override readonly name = 'NodeIdentityError';
}

/** Undefined when this computer has not joined. @throws NodeIdentityError */
export async function readIdentity(dataDirectory: string): Promise<NodeIdentity | undefined> {
  const file = identityFile(dataDirectory);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
    // A restored or copied file may have wider permissions.
    if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new NodeIdentityError(`cannot read ${file}: ${(error as Error).message}`, 'ls -l shows whose it is', {
      cause: error,
    });
  }
  try {
    const identity = nodeIdentity.parse(JSON.parse(text));
    importNodeKey(identity.private_key);
    return identity;
  } catch (cause) {
    // Without the cause's message: it may quote the file, and the file holds the key.
    throw new NodeIdentityError(`${file} is damaged`, 'restore it, or remove it and join again', { cause });
  }
}

/** Written atomically: a crash leaves the old file or the new one. */
export async function writeIdentity(dataDirectory: string, identity: NodeIdentity): Promise<void> {
  await mkdir(nodeDirectory(dataDirectory), { recursive: true, mode: DIRECTORY_MODE });
  await writeFileAtomic(identityFile(dataDirectory), `${JSON.stringify(identity, null, 2)}\n`, { mode: FILE_MODE });
}
