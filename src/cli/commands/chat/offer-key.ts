import { printable } from '../../../kernel/printable.js';
import { computerId } from '../../core/api/computer-id.js';
import { findConnection } from '../../core/api/find-connection.js';
import { prepareToKeep } from '../../core/api/keep-api-key.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { makeProgramKey, planProgramKey } from '../../core/api/program-key.js';
import { confirm } from '../../core/output/confirm.js';
import type { Invocation } from '../../invocation.js';

/** Whether somebody is there to be asked. */
export const canOffer = ({ terminal }: Invocation): boolean => terminal.interactive && process.stdin.isTTY;

/** Makes a key of this computer and keeps it in the profile, if the person says so. Undefined after a no. */
export async function offerKey(invocation: Invocation, baseUrl: string): Promise<string | undefined> {
  const { terminal } = invocation;
  const question = `This computer has no API key for ${baseUrl} yet. Make one and keep it?`;
  if (!(await confirm(terminal, question, { initialValue: true }))) return undefined;
  const keep = await prepareToKeep(invocation);
  const api = new ManagementApi(await findConnection(invocation));
  const computer = await computerId(invocation.env);
  const plan = await planProgramKey(api, { program: 'chat', purpose: 'ferry chat', computer });
  const made = await makeProgramKey(api, plan);
  if (plan.replaced !== undefined) {
    terminal.note(
      `Revoked key ${printable(plan.name)} (${plan.replaced.key_id}) of this computer, whose secret is lost.`,
    );
  }
  terminal.note(`Made key ${printable(made.name)} (${made.key_id}), kept in profile ${await keep(made.key)}.`);
  return made.key;
}
