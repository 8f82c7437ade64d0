import { readFileSync } from 'node:fs';
import { bundle } from '../../kernel/bundle.js';

/** Read instead of imported: `package.json` is outside the compiled folders, at the same relative path from `src` and `dist`. */
export const packageVersion = (): string =>
  bundle?.version ??
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
