import { stat } from 'node:fs/promises';
import { createCheckedFile } from './backup-file.js';
import type { DatabaseSession } from './database-session.store.js';
import type { RelayData } from './relay-data.js';
import { readDatabase } from './running-database.js';

export interface DatabaseFile<Checked> {
  readonly checked: Checked;
  readonly bytes: number;
  /** How long statements of a running relay have waited. undefined: none has. */
  readonly heldUpMs: number | undefined;
}

/**
 * Creates a file of what is in the database of a relay, which may run.
 * @param write into a file that gets its name when `check` has read it back
 * @throws as `readDatabase` and `createCheckedFile`
 */
export async function createDatabaseFile<Checked>(
  data: RelayData,
  file: string,
  write: (session: DatabaseSession, unfinished: string) => Promise<void>,
  check: (unfinished: string) => Promise<Checked>,
  signal?: AbortSignal,
): Promise<DatabaseFile<Checked>> {
  let heldUpMs: number | undefined;
  const checked = await createCheckedFile(
    file,
    async (unfinished) => {
      ({ heldUpMs } = await readDatabase(data, (session) => write(session, unfinished), signal));
    },
    check,
  );
  const { size: bytes } = await stat(file);
  return { checked, bytes, heldUpMs };
}
