import { readFileSync } from 'node:fs';
import { bundle } from '../../kernel/bundle.js';

/** Read rather than imported: `package.json` lies outside of what the build compiles, at the same distance from `src` and `dist`. */
export const packageVersion = (): string =>
  bundle?.version ??
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
