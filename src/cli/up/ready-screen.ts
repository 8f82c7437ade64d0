import pc from 'picocolors';
import { curlLine } from './curl-line.js';

/** What `ferry up --json` prints; the names are a contract with scripts. */
export interface ReadyFacts {
  /** Without `/v1`. */
  readonly base_url: string;
  readonly api_key: string;
  /** null until there is a console. */
  readonly console_url: string | null;
  readonly cluster_id: string;
  readonly node_id: string;
  /** null where the owner has unloaded every model. */
  readonly model: string | null;
}

/** The screen for people: the same on the first and on every later start. */
export function readyScreen(facts: ReadyFacts, colors: boolean): string {
  const { bold, dim, green } = pc.createColors(colors);
  const row = (name: string, value: string): string => `  ${dim(name.padEnd(9))} ${value}`;
  return [
    '',
    `${green('●')} ${bold('Ferry is ready.')}`,
    '',
    row('Base URL', `${facts.base_url}/v1`),
    row('API key', facts.api_key),
    row('Model', facts.model ?? 'none is loaded: ferry models load tiny'),
    ...(facts.console_url === null ? [] : [row('Console', facts.console_url)]),
    '',
    ...(facts.model === null ? [] : ['  Try it:', '', curlLine(facts.base_url, facts.api_key, facts.model), '']),
    dim('  Ctrl-C to stop.'),
    '',
  ].join('\n');
}
