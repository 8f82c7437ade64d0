/** `ferry connect --undo PROGRAM`: the program's files as they were before, and its key revoked. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { findConnection } from '../../../core/api/find-connection.js';
import { ManagementApi } from '../../../core/api/management-api.js';
import { isSameRelay } from '../../../core/api/relay-address.js';
import { printable } from '../../../../kernel/printable.js';
import { CliError } from '../../../core/errors/cli-error.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';
import { confirm } from '../../../core/output/confirm.js';
import { printData, silently } from '../../../core/output/print-data.js';
import type { Invocation } from '../../../invocation.js';
import type { DisconnectedProgram } from '../connect.shape.js';
import { changeOf, readIfPresent, renderChange, withTilde, writeWithBackup } from '../program-file.js';
import type { ConnectableProgram } from '../program-names.js';
import { readConnection, removeConnection, type Connection } from './connection-store.js';
import { restoredText } from './restore-text.js';

interface Restoration {
  readonly path: string;
  readonly current: string;
  /** Null: there was no such file. */
  readonly restored: string | null;
  /** It was changed since, and what was added stays. */
  readonly isEdited: boolean;
}

export async function undoConnection(
  invocation: Invocation,
  program: ConnectableProgram,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  const { env, terminal } = invocation;
  const connection = await readConnection(env, program);
  if (connection === undefined) {
    throw new CliError('not_connected', exitCodes.notFound, `${program} is not connected on this computer`, {
      hint: 'ferry connect',
    });
  }
  const restorations = await plan(connection);
  for (const { path: file, current, restored } of restorations) {
    terminal.note(restored === null ? `Removes ${withTilde(file)}:` : `Restores ${withTilde(file)}:`);
    for (const line of changeOf(current, restored ?? '')) terminal.note(renderChange(line, terminal.stderrColors));
  }
  if (restorations.length === 0) terminal.note('No file is to be restored.');
  const { key_id: keyId, is_own_key: isOwn } = connection;
  if (keyId !== null)
    terminal.note(isOwn ? `Revokes its key (${keyId}).` : `Keeps its key (${keyId}), which was there before.`);
  if (!yes && !(await confirm(terminal, 'Apply?', { initialValue: true }))) {
    terminal.note('Nothing was changed.');
    return;
  }
  for (const restoration of restorations) await restore(restoration, terminal.note);
  const revoked = keyId !== null && isOwn && (await revoke(invocation, connection, keyId));
  await removeConnection(env, program);
  const response: DisconnectedProgram = {
    object: 'disconnected_program',
    program,
    files: restorations.map((restoration) => restoration.path),
    key_id: keyId,
    key_revoked: revoked,
  };
  await printData(invocation, response, silently);
}

/** @throws CliError when a file was changed in the very lines that are to be restored; nothing is restored then */
async function plan({ program, files, api_key: apiKey }: Connection): Promise<readonly Restoration[]> {
  const restorations: Restoration[] = [];
  for (const change of files) {
    const file = change.path;
    const current = await readIfPresent(file);
    if (current === undefined) continue;
    const restored = restoredText(current, change);
    // Somebody has taken it out already: only the key is left to revoke.
    if (restored === undefined && !current.includes(apiKey)) continue;
    if (restored === undefined) {
      throw new CliError('file_changed', exitCodes.failure, `${file} was changed where ferry connect had changed it`, {
        hint: `edit it: ferry connect ${program} --print shows what belongs to Ferry`,
      });
    }
    if (restored !== current) restorations.push({ path: file, current, restored, isEdited: current !== change.after });
  }
  return restorations;
}

async function restore({ path: file, restored, isEdited }: Restoration, note: (line: string) => void): Promise<void> {
  if (restored === null) {
    await rm(file, { force: true });
    note(`✓ removed ${withTilde(file)}`);
    return;
  }
  const backup = await writeWithBackup(file, restored, new Date());
  // The backup of an unchanged file would only keep the revoked key.
  if (!isEdited && backup !== null) await rm(backup, { force: true });
  const kept = isEdited && backup !== null ? `   backup: ${path.basename(backup)}` : '';
  note(`✓ restored ${withTilde(file)}${kept}`);
}

/** The files are restored whether the relay answers or not. */
async function revoke(invocation: Invocation, { base_url: baseUrl }: Connection, keyId: string): Promise<boolean> {
  const { terminal } = invocation;
  try {
    const connection = await findConnection(invocation);
    if (!isSameRelay(connection.baseUrl, baseUrl)) {
      terminal.note(`Its key still works: it is one of ${baseUrl}. Revoke it there: ferry keys revoke ${keyId}`);
      return false;
    }
    const api = new ManagementApi(connection);
    const revoked = await api.delete('/api/keys/{idOrName}', {
      path: { idOrName: keyId },
      whenMissing: 'ferry keys list',
    });
    terminal.note(`✓ revoked key ${printable(revoked.name)} (${keyId})`);
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    terminal.note(`Its key was not revoked: ${printable(error.message)}`);
    terminal.note(`  try: ferry keys revoke ${keyId}`);
    return false;
  }
}
