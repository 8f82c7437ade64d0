/** Whether a connected program still has what `ferry connect` would write now. */
import type { Schemas } from '../../../core/api/management-api.types.js';
import { printable } from '../../../../kernel/printable.js';
import { formatCount } from '../../../core/output/quantities.js';
import type { Environment } from '../../../invocation.js';
import type { LoadedModel } from '../../models/loaded-models.js';
import { chosen } from '../choose-model.js';
import type { ConnectionRow } from '../connect.shape.js';
import { readIfPresent } from '../program-file.js';
import { programOf } from '../programs/program-of.js';
import type { ChangedFile, Connection } from './connection-store.js';

type State = Pick<ConnectionRow, 'state' | 'problem'>;

/** Undefined for a connection with another relay, or while the relay does not respond. */
export interface RelayView {
  readonly loaded: readonly LoadedModel[];
  readonly keys: readonly Schemas['Key'][];
}

export async function stateOf(env: Environment, connection: Connection, relay: RelayView | undefined): Promise<State> {
  for (const file of connection.files) {
    if ((await readIfPresent(file.path)) === undefined) return { state: 'file_missing', problem: 'its file is gone' };
  }
  if (relay === undefined) return { state: 'unknown', problem: 'its relay was not asked' };
  const { key_id: keyId } = connection;
  const key = relay.keys.find((candidate) => candidate.key_id === keyId);
  if (keyId !== null && (key === undefined || key.revoked !== null || hasExpired(key))) {
    return { state: 'key_refused', problem: 'its key does not work any more' };
  }
  const problem = windowProblem(connection, relay.loaded) ?? (await fileProblem(env, connection, relay.loaded));
  return problem === undefined ? { state: 'current', problem: null } : { state: 'outdated', problem };
}

const hasExpired = ({ expires }: Schemas['Key']): boolean => expires !== null && expires * 1_000 <= Date.now();

function windowProblem(
  { model, context_tokens: sent }: Connection,
  loaded: readonly LoadedModel[],
): string | undefined {
  const now = loaded.find(({ id }) => id === model);
  if (now === undefined) return `${printable(model)} is not loaded`;
  if (now.contextTokens === sent) return undefined;
  return now.contextTokens === null ? 'its context is unknown now' : `context is ${formatCount(now.contextTokens)} now`;
}

async function fileProblem(
  env: Environment,
  connection: Connection,
  loaded: readonly LoadedModel[],
): Promise<string | undefined> {
  for (const file of connection.files) {
    if (await isDifferent(env, connection, file, loaded)) return 'its file differs';
  }
  return undefined;
}

/** A broken file differs, too: `ferry connect PROGRAM` says what is wrong with it. */
async function isDifferent(
  env: Environment,
  { program: name, base_url: baseUrl, api_key: apiKey, model }: Connection,
  { path, as_default: asDefault }: ChangedFile,
  loaded: readonly LoadedModel[],
): Promise<boolean> {
  const { file } = programOf(name, env, asDefault);
  const text = await readIfPresent(path);
  // The program looks elsewhere now, as after a change of CODEX_HOME.
  if (file?.path !== path || text === undefined) return true;
  try {
    return file.edit(text, { baseUrl, apiKey, asDefault, ...chosen(model, loaded) }) !== text;
  } catch {
    return true;
  }
}
