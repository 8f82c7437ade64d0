import { readFileSync } from 'node:fs';
import { bundle } from '../kernel/bundle.js';

const manifestVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

export const agentVersion = bundle?.version ?? manifestVersion();
