import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { createInstanceId, isInstanceId, type InstanceId } from '../../kernel/ids.js';

/**
 * The id of a relay's data directory, created at its first start. Other replicas recognise a restart by it. Only one process uses a
 * data directory at a time, so two live replicas never have the same id unless the directory was copied.
 */
export async function ensureInstanceId(directory: string): Promise<InstanceId> {
  const file = path.join(directory, 'instance-id');
  const known = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  if (isInstanceId(known.trim())) return known.trim() as InstanceId;
  const created = createInstanceId();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${created}\n`, { mode: 0o600 });
  return created;
}
