import { readFileSync } from 'node:fs';

/** Read rather than imported: `package.json` lies outside of what the build compiles, at the same distance from `src` and `dist`. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
