import { access } from 'node:fs/promises';

/** Whether something is at this path that this process can see. */
export const fileExists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
