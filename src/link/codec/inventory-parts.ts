import { MAX_FRAME_PAYLOAD_BYTES } from './frame-types.js';
import { modelReport, type InventoryMessage, type ModelReport } from '../messages.js';

const MAX_MODELS_PER_PART = 200;
const MAX_REMOVED_PER_PART = 1_000;
/** The message around its lists: version, flags, brackets. */
const ENVELOPE_BYTES = 200;
const PART_BUDGET_BYTES = MAX_FRAME_PAYLOAD_BYTES - ENVELOPE_BYTES;

export interface InventoryChange {
  readonly version: number;
  /** A full list replaces the previous one; otherwise `models` are new or changed and `removed` no longer exist. */
  readonly full: boolean;
  readonly models: readonly ModelReport[];
  /** Model keys. */
  readonly removed?: readonly string[];
  /** Called for a model whose report exceeds the message's bounds. It is left out, because the relay would close the link. */
  readonly onUnsendable?: (model: ModelReport) => void;
}

/**
 * Cuts a list into INVENTORY messages that each fit one frame. The parts of a full list share its version and are chained by `more`;
 * the parts of a change are changes of their own, so their version counts on: the next change takes the last part's version plus one.
 */
export function splitInventory(change: InventoryChange): InventoryMessage[] {
  const parts: { models: ModelReport[]; removed: string[] }[] = [{ models: [], removed: [] }];
  let current = parts[0] as (typeof parts)[number];
  let bytes = 0;
  const makeRoom = (size: number): void => {
    const full =
      bytes + size > PART_BUDGET_BYTES ||
      current.models.length === MAX_MODELS_PER_PART ||
      current.removed.length === MAX_REMOVED_PER_PART;
    if (full) {
      current = { models: [], removed: [] };
      parts.push(current);
      bytes = 0;
    }
    bytes += size;
  };
  for (const model of change.models) {
    if (!modelReport.safeParse(model).success) {
      change.onUnsendable?.(model);
      continue;
    }
    makeRoom(encodedBytes(model));
    current.models.push(model);
  }
  for (const key of change.removed ?? []) {
    makeRoom(encodedBytes(key));
    current.removed.push(key);
  }
  return parts.map((part, index) => ({
    version: change.full ? change.version : change.version + index,
    full: change.full,
    more: change.full && index < parts.length - 1,
    ...part,
  }));
}

const COMMA_BYTES = 1;
const encodedBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + COMMA_BYTES;
