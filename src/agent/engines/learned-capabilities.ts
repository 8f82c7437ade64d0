import type { Clock } from '../../kernel/clock.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { ConfiguredFacts } from './configured-capabilities.js';
import type { EngineModel, RefusedCapability } from './engine.js';

const MAX_MODELS = 1_000;
/** Entries expire, because an engine can be restarted with other flags between two probes. */
const LIFETIME_MS = 60 * 60 * 1_000;

interface LearnedRefusal {
  /** Model digest and engine version at the time of the refusal. */
  readonly identity: string;
  readonly learnedAtMs: number;
  readonly refused: ReadonlySet<RefusedCapability>;
}

/** Capabilities that engines refused although they were not reported as missing. In memory only: a restart of the node asks again. */
export class LearnedCapabilities {
  private readonly refusals = new LruMap<string, LearnedRefusal>(MAX_MODELS);

  constructor(private readonly clock: Clock) {}

  /** @returns whether it was not known yet */
  learn(key: string, identity: string, capability: RefusedCapability): boolean {
    const known = this.refused(key, identity);
    if (known.has(capability)) return false;
    const refused = new Set([...known, capability]);
    this.refusals.set(key, { identity, learnedAtMs: this.clock.monotonicMs(), refused });
    return true;
  }

  /** Empty once the engine's version or the model's digest has changed. */
  refused(key: string, identity: string): ReadonlySet<RefusedCapability> {
    const refusal = this.refusals.get(key);
    return refusal?.identity === identity && !this.isOld(refusal) ? refusal.refused : nothing;
  }

  forget(key: string): void {
    this.refusals.delete(key);
  }

  forgetOld(): boolean {
    const before = this.refusals.size;
    this.refusals.deleteWhere((refusal) => this.isOld(refusal));
    return this.refusals.size !== before;
  }

  private isOld({ learnedAtMs }: LearnedRefusal): boolean {
    return this.clock.monotonicMs() - learnedAtMs >= LIFETIME_MS;
  }
}

const nothing: ReadonlySet<RefusedCapability> = new Set();

/** A refusal is recorded only where neither the owner nor the engine states the capability. */
export function isLearnedRefusal(
  model: EngineModel,
  configured: ConfiguredFacts,
  capability: RefusedCapability,
): boolean {
  switch (capability) {
    case 'tools':
      return configured.tools === undefined && model.tools === null;
    case 'reasoning':
      return configured.reasoning === undefined && model.reasoning === null;
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      // Engines list the inputs of a model family; a model loaded without its projector refuses them.
      return (
        configured.inputs === undefined &&
        (model.inputs.includes(capability) || model.untried_inputs?.includes(capability) === true)
      );
    case 'completions':
      return model.dialects.includes('completions');
    case 'embeddings':
    case 'rerank':
      return model.extension_routes?.includes(capability) === true;
    default:
      return capability satisfies never;
  }
}

export function withoutRefused(model: EngineModel, refused: ReadonlySet<RefusedCapability>): EngineModel {
  if (refused.size === 0) return model;
  const untried = model.untried_inputs?.filter((input) => input === 'text' || !refused.has(input));
  return {
    ...model,
    ...(untried !== undefined && { untried_inputs: untried }),
    dialects: model.dialects.filter((dialect) => dialect !== 'completions' || !refused.has(dialect)),
    ...withoutExtensions(model, refused),
    tools: refused.has('tools') ? false : model.tools,
    reasoning: refused.has('reasoning') ? false : model.reasoning,
    inputs: model.inputs.filter((input) => input === 'text' || !refused.has(input)),
  };
}

const withoutExtensions = (
  { extension_routes: routes }: EngineModel,
  refused: ReadonlySet<string>,
): Pick<EngineModel, 'extension_routes'> =>
  routes === undefined ? {} : { extension_routes: routes.filter((route) => !refused.has(route)) };
