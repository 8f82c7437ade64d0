/** A model file of this computer: only the node of this computer can install it. */
import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { dataDirectory } from '../../../../kernel/data-directory.js';
import { readInstance } from '../../../../kernel/instance-lock.js';
import { offerFile } from '../../../../kernel/offered-files.js';
import type { Schemas } from '../../../core/api/management-api.types.js';
import { CliError } from '../../../core/errors/cli-error.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';
import type { Environment } from '../../../invocation.js';

type Node = Schemas['Node'];

/** `./x.gguf`, `~/x.gguf`, `/x.gguf`, `C:\x.gguf`, and `x.gguf`, which is no name of a model. */
export const isLocalPath = (name: string): boolean =>
  /^(?:\.{0,2}[\\/]|~[\\/]|[a-z]:[\\/])/i.test(name) || (/\.gguf$/i.test(name) && !/^[a-z][a-z0-9+.-]*:/i.test(name));

export interface LocalModel {
  readonly node: Node;
  readonly sizeBytes: number;
  /** Lets the node of this computer install the file. @returns the source of the install */
  readonly offer: () => Promise<string>;
}

/**
 * @param nodes the account's
 * @param requestedNodeId of `--node`
 * @throws CliError when there is no such file, or this computer's node cannot install it
 */
export async function findLocalModel(
  env: Environment,
  name: string,
  nodes: readonly Node[],
  requestedNodeId: string | undefined,
): Promise<LocalModel> {
  const file = path.resolve(name.replace(/^~(?=[\\/])/, env['HOME'] ?? os.homedir()));
  const status = await stat(file).catch(() => undefined);
  if (status?.isFile() !== true) {
    throw new CliError('file_not_found', exitCodes.notFound, `there is no file ${file}`, {
      hint: 'give the path of a .gguf file, or: ferry models search WORDS',
    });
  }
  const directory = path.join(dataDirectory(env), 'node');
  const own = z.looseObject({ node_id: z.string() }).safeParse(await readInstance(directory, 'node')).data;
  if (own === undefined) {
    throw new CliError(
      'node_not_running',
      exitCodes.notFound,
      `no node is running on ${directory} to install ${file}`,
      {
        hint: 'ferry up, or ferry node run; --data-dir names another data directory',
      },
    );
  }
  const node = nodes.find(({ node_id }) => node_id === own.node_id);
  if (node === undefined) {
    throw new CliError('node_not_found', exitCodes.notFound, 'the node of this computer belongs to another account', {
      hint: 'ferry node status shows its relay; ferry profiles shows the accounts you are signed in to',
    });
  }
  if (requestedNodeId !== undefined && requestedNodeId !== node.node_id) {
    throw new CliError(
      'usage',
      exitCodes.usage,
      `${file} is on this computer, whose node is ${node.name}: another node cannot read it`,
      { hint: 'copy the file to that computer and run this command there, or give an https URL' },
    );
  }
  return { node, sizeBytes: status.size, offer: () => offerFile(env, file) };
}
