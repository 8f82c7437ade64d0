/** The key of a program: the one that it has, where the relay accepts it, else a new one. */
import { computerId } from '../../core/api/computer-id.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import {
  isAccepted,
  isMadeHere,
  keyRecordOf,
  limitProgramKey,
  makeProgramKey,
  planProgramKey,
  PROGRAM_REQUESTS_PER_MINUTE,
  type KeyPlan,
} from '../../core/api/program-key.js';
import { isSameRelay } from '../../core/api/relay-address.js';
import { printable } from '../../../kernel/printable.js';
import { formatCount } from '../../core/output/quantities.js';
import type { Environment } from '../../invocation.js';
import type { Connection } from './connections/connection-store.js';
import type { ConnectableProgram } from './program-names.js';

/** The key is planned before anything is changed. */
export type PlannedKey =
  | {
      readonly kind: 'kept';
      readonly key: string;
      /** Undefined where the account has no such key any more, or not for this user. */
      readonly record: Schemas['Key'] | undefined;
      /** Made by `ferry connect` on this computer. */
      readonly isOwn: boolean;
    }
  | { readonly kind: 'made'; readonly plan: KeyPlan };

interface KeySources {
  readonly program: ConnectableProgram;
  readonly baseUrl: string;
  /** The key in the program's file. */
  readonly inFile: string | undefined;
  readonly connection: Connection | undefined;
}

const purposeOf = (program: ConnectableProgram): string => `ferry connect ${program}`;

/** @throws CliError when the relay does not say whether it accepts a key */
export async function planKey(
  api: ManagementApi,
  env: Environment,
  { program, baseUrl, inFile, connection }: KeySources,
): Promise<PlannedKey> {
  const computer = await computerId(env);
  const kept = connection !== undefined && isSameRelay(connection.base_url, baseUrl) ? connection.api_key : undefined;
  for (const key of new Set([inFile, kept])) {
    if (key === undefined || !(await isAccepted(baseUrl, key))) continue;
    const record = await keyRecordOf(api, key);
    const isOwn = record !== undefined && isMadeHere(record, { purpose: purposeOf(program), computer });
    return { kind: 'kept', key, record, isOwn };
  }
  return { kind: 'made', plan: await planProgramKey(api, { program, purpose: purposeOf(program), computer }) };
}

/** @param requestsPerMinute null for none; undefined leaves it as it is */
export async function carryOut(
  api: ManagementApi,
  planned: PlannedKey,
  requestsPerMinute: number | null | undefined,
): Promise<{ readonly key: string; readonly record: Schemas['Key'] | undefined; readonly isOwn: boolean }> {
  if (planned.kind === 'made') {
    const made = await makeProgramKey(api, planned.plan, requestsPerMinute);
    return { key: made.key, record: made, isOwn: true };
  }
  const { key, record, isOwn } = planned;
  if (record === undefined || requestsPerMinute === undefined) return { key, record, isOwn };
  return { key, record: await limitProgramKey(api, record.key_id, requestsPerMinute), isOwn };
}

/** `Makes a key "codex" (inference, 600/min)`, and a line for a key that stops working. */
export function keyLines(planned: PlannedKey, requestsPerMinute: number | null | undefined): readonly string[] {
  if (planned.kind === 'kept') {
    const { record } = planned;
    const limit = record === undefined ? '' : ` "${printable(record.name)}" (${limitText(record, requestsPerMinute)})`;
    return [`Keeps its key${limit}`];
  }
  const { name, replaced } = planned.plan;
  const { limits } = replaced ?? { limits: { requests_per_minute: PROGRAM_REQUESTS_PER_MINUTE } };
  const made = `Makes a key "${printable(name)}" (inference, ${limitText({ limits }, requestsPerMinute)})`;
  return replaced === undefined
    ? [made]
    : [made, `Revokes key "${printable(name)}" (${replaced.key_id}) of this computer, whose secret is lost.`];
}

/** `600/min`. */
export function limitText(
  { limits }: { readonly limits: Pick<Schemas['KeyLimits'], 'requests_per_minute'> },
  wanted?: number | null,
): string {
  const limit = wanted === undefined ? limits.requests_per_minute : wanted;
  return limit === null ? 'no limit' : `${formatCount(limit)}/min`;
}
