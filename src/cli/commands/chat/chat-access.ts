import { printable } from '../../../kernel/printable.js';
import { findConnection, knownConnection } from '../../core/api/find-connection.js';
import { findInferenceAccess, type InferenceAccess } from '../../core/api/inference-key.js';
import { prepareToKeep } from '../../core/api/keep-api-key.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { confirm } from '../../core/output/confirm.js';
import type { Invocation } from '../../invocation.js';
import { makeProgramKey } from '../../core/api/program-key.js';

/**
 * The key of `--key`, FERRY_API_KEY or the profile. A person who is signed in without one, as after `ferry login`, is offered a new one.
 * @throws CliError as findInferenceAccess
 */
export async function chatAccess(invocation: Invocation, key: string | undefined): Promise<InferenceAccess> {
  const { terminal } = invocation;
  const { baseUrl, apiKey, token } = await knownConnection(invocation);
  const isMissing = key === undefined && apiKey === undefined && baseUrl !== undefined && token?.source === 'profile';
  if (!isMissing || !terminal.interactive || !process.stdin.isTTY) return findInferenceAccess(invocation, key);
  const question = `This computer has no API key for ${baseUrl.value} yet. Make one and keep it?`;
  // After a no the command ends with the ways to name a key.
  if (!(await confirm(terminal, question, { initialValue: true }))) return findInferenceAccess(invocation, key);
  const keep = await prepareToKeep(invocation);
  const made = await makeProgramKey(new ManagementApi(await findConnection(invocation)), 'chat', 'ferry chat');
  terminal.note(`Made key ${printable(made.name)} (${made.key_id}), kept in profile ${await keep(made.key)}.`);
  return { baseUrl: baseUrl.value, apiKey: made.key };
}
