import type { Command } from 'commander';
import { printable } from '../../../kernel/printable.js';
import { findConnection } from '../../core/api/find-connection.js';
import { ManagementApi } from '../../core/api/management-api.js';
import type { Cli, Environment } from '../../invocation.js';
import { complete, type Candidate, type CompletionPlace, type NamedThing } from './complete.js';

/** A person waits for the Tab key. */
const TIME_LIMIT_MS = 1_500;
/** A shell cannot show more. */
const MOST_NAMES = 200;

/**
 * A line for each candidate: the word, a tab, its description.
 * @param argv `[--current=WORD] -- WORD…`: PowerShell cannot pass an empty word at the end, so it gives the current one apart
 */
export async function printCandidates(
  program: Command,
  argv: readonly string[],
  { terminal, env }: Cli,
): Promise<void> {
  const start = argv.indexOf('--') + 1;
  const apart = argv.slice(0, start).find((word) => word.startsWith('--current='));
  const words = [...argv.slice(start), ...(apart === undefined ? [] : [apart.slice('--current='.length)])];
  const place = complete(program, words);
  for (const { word, description } of [...place.candidates, ...(await accountNames(env, place))]) {
    terminal.print(`${word}\t${description}`);
  }
}

/**
 * Names of the account's nodes, models, keys and clusters: quickly or not at all, and never with a message. Empty when there is no
 * sign-in, or no response in time.
 */
async function accountNames(
  env: Environment,
  { names, typed, ahead, prefix, options }: CompletionPlace,
): Promise<readonly Candidate[]> {
  if (names === undefined) return [];
  const dataDir = options.get('--data-dir');
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    const connection = await findConnection({
      env: dataDir === undefined ? env : { ...env, FERRY_DATA_DIR: dataDir },
      global: {
        baseUrl: options.get('--base-url'),
        token: options.get('--token'),
        profile: options.get('--profile'),
        dataDir,
        output: 'table',
        wide: false,
      },
    });
    const api = new ManagementApi(connection, (url, init) => fetch(url, { ...init, signal: limit }));
    return (await namesOf(api, names))
      .filter(({ word }) => word.startsWith(typed) && printable(word) === word)
      .slice(0, MOST_NAMES)
      .map(({ word, description }) => ({ word: `${prefix}${word.slice(ahead.length)}`, description }));
  } catch {
    return [];
  }
}

async function namesOf(api: ManagementApi, names: NamedThing): Promise<readonly Candidate[]> {
  switch (names) {
    case 'node':
      return (await api.list('/api/nodes')).map(({ name, online }) => ({
        word: name,
        description: online ? 'online' : 'offline',
      }));
    case 'model':
      return (await api.list('/api/models')).map(({ id, loaded }) => ({
        word: id,
        description: loaded ? 'loaded' : 'installed',
      }));
    case 'key':
      return (await api.list('/api/keys'))
        .filter(({ revoked }) => revoked === null)
        .map(({ name, last4 }) => ({ word: name, description: `…${last4}` }));
    case 'cluster':
      return (await api.list('/api/clusters')).map(({ name }) => ({ word: name, description: '' }));
    default:
      return names satisfies never;
  }
}
