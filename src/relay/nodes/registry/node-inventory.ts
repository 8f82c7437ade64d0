import type { InputKind } from '../../../kernel/dialect.js';
import type { InventoryMessage, ModelReport } from '../../../link/messages.js';
import { printable } from '../../../kernel/printable.js';
import type { ReportedModel } from './online-node.js';
import { SharedReports } from './shared-reports.js';
import { createHash } from 'node:crypto';
import type { ModelSelector } from '../../../kernel/ids.js';

interface ModelIdentity {
  readonly canonical_name: string;
  readonly digest: string | null;
  readonly quantization: string | null;
}

const SELECTOR_HEX_DIGITS = 16;
/** Stands for "the engine knows neither digest nor quantization". */
const UNKNOWN_BUILD = '-';

/**
 * `mdl_` + the first 16 hex of SHA-256(`canonical\0build`): the same across restarts, renames and nodes
 * (docs/reference/inventory.md#model-reports). Applications store selectors, so this rule never changes.
 */
export function modelSelector({ canonical_name, digest, quantization }: ModelIdentity): ModelSelector {
  const identity = `${canonical_name}\0${digest ?? quantization ?? UNKNOWN_BUILD}`;
  const hash = createHash('sha256').update(identity).digest('hex');
  return `mdl_${hash.slice(0, SELECTOR_HEX_DIGITS)}` as ModelSelector;
}

export type InventoryOutcome =
  /** The models are those of the message's version now. */
  | 'applied'
  /** A part of a full list: nothing has changed yet. */
  | 'incomplete'
  /** A change to a list that the relay does not have, or to another version of it. */
  | 'out_of_order'
  | 'too_many_models';

/** Shared by all nodes, because many report the same models. */
const sharedReports = new SharedReports();

/** Models of one node: a full list, then changes (docs/reference/link.md#messages). Bounded, with printable names. */
export class NodeInventory {
  private modelsByKey = new Map<string, ReportedModel>();
  /** The version of the last complete list or change on this link. */
  private version: number | null = null;
  private inherited = false;
  private parts: { readonly version: number; readonly models: Map<string, ReportedModel> } | null = null;

  constructor(private readonly modelLimit: number) {}

  /** Keyed by `ModelReport.key`. Changes in place. */
  get models(): ReadonlyMap<string, ReportedModel> {
    return this.modelsByKey;
  }

  /** False until the first full list is complete: until then an empty list means nothing. */
  get complete(): boolean {
    return this.version !== null || this.inherited;
  }

  /** The same agent process has opened a new link: its last inventory is valid until it is repeated. */
  inherit(older: NodeInventory): void {
    this.modelsByKey = new Map(older.modelsByKey);
    this.inherited = older.complete;
  }

  apply(message: InventoryMessage): InventoryOutcome {
    return message.full ? this.applyPart(message) : this.applyChange(message);
  }

  private applyPart({ version, more, models }: InventoryMessage): InventoryOutcome {
    if (this.parts?.version !== version) this.parts = { version, models: new Map() };
    const parts = this.parts.models;
    for (const report of models) parts.set(report.key, sharedReports.modelOf(report, toReported));
    if (parts.size > this.modelLimit) return 'too_many_models';
    if (more) return 'incomplete';
    this.modelsByKey = parts;
    this.version = version;
    this.parts = null;
    return 'applied';
  }

  private applyChange({ version, models, removed }: InventoryMessage): InventoryOutcome {
    if (this.version === null || this.parts !== null || version !== this.version + 1) return 'out_of_order';
    for (const key of removed) this.modelsByKey.delete(key);
    for (const report of models) this.modelsByKey.set(report.key, sharedReports.modelOf(report, toReported));
    if (this.modelsByKey.size > this.modelLimit) return 'too_many_models';
    this.version = version;
    return 'applied';
  }
}

/** Shared by nearly all models. */
const NO_INPUTS: InputKind[] = [];

type AllMembers<Record> = { [Member in keyof Required<Record>]: Record[Member] };

/**
 * All members are listed, and always there: an object that is made by spreading has a hidden class of its own, which takes more memory than the
 * report, for each model of each link.
 */
function toReported(report: ModelReport): AllMembers<ReportedModel> {
  const canonical_name = printable(report.canonical_name, printable(report.engine_model, 'unnamed'));
  const display_name = printable(report.display_name, canonical_name);
  const { key, engine, engine_model, digest, quantization, size_bytes, context_length, state } = report;
  const { dialects, inputs, tools, reasoning, embedding, remote_media, engine_unreachable } = report;
  const { untried_inputs = NO_INPUTS, extension_dialects, memory, device, gpu_layers } = report;
  return {
    key,
    engine,
    engine_model,
    display_name,
    canonical_name,
    digest,
    quantization,
    size_bytes,
    context_length,
    state,
    dialects,
    extension_dialects,
    inputs,
    untried_inputs,
    tools,
    reasoning,
    embedding,
    remote_media: remote_media === true,
    engine_unreachable: engine_unreachable === true,
    memory,
    device,
    gpu_layers,
    selector: modelSelector({ canonical_name, digest, quantization }),
  };
}
