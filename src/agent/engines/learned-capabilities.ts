import type { Clock } from '../../kernel/clock.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { ConfiguredFacts } from './configured-capabilities.js';
import type { EngineModel, RefusedCapability } from './engine.js';

const MAX_MODELS = 1_000;
/** An engine can be started again with other flags between two looks at it, so nothing is believed for ever. */
const LIFETIME_MS = 60 * 60 * 1_000;

interface Lesson {
  /** What the engine was and what it had when it refused. */
  readonly identity: string;
  readonly learnedAtMs: number;
  readonly refused: ReadonlySet<RefusedCapability>;
}

/** What engines refused although nobody had said that the model cannot do it. In memory: a restart of the node asks again. */
export class LearnedCapabilities {
  private readonly lessons = new LruMap<string, Lesson>(MAX_MODELS);

  constructor(private readonly clock: Clock) {}

  /** @returns whether that is news */
  learn(key: string, identity: string, capability: RefusedCapability): boolean {
    const known = this.refused(key, identity);
    if (known.has(capability)) return false;
    const refused = new Set([...known, capability]);
    this.lessons.set(key, { identity, learnedAtMs: this.clock.monotonicMs(), refused });
    return true;
  }

  /** Nothing once the engine or the model's content is another one than it was. */
  refused(key: string, identity: string): ReadonlySet<RefusedCapability> {
    const lesson = this.lessons.get(key);
    return lesson?.identity === identity && !this.isOld(lesson) ? lesson.refused : nothing;
  }

  forget(key: string): void {
    this.lessons.delete(key);
  }

  forgetOld(): boolean {
    const before = this.lessons.size;
    this.lessons.deleteWhere((lesson) => this.isOld(lesson));
    return this.lessons.size !== before;
  }

  private isOld({ learnedAtMs }: Lesson): boolean {
    return this.clock.monotonicMs() - learnedAtMs >= LIFETIME_MS;
  }
}

const nothing: ReadonlySet<RefusedCapability> = new Set();

/** A refusal teaches something only where neither the owner nor the engine has said how it is. */
export function isLesson(model: EngineModel, configured: ConfiguredFacts, capability: RefusedCapability): boolean {
  switch (capability) {
    case 'tools':
      return configured.tools === undefined && model.tools === null;
    case 'reasoning':
      return configured.reasoning === undefined && model.reasoning === null;
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      // Engines list what a family of models takes; whether this one was loaded with its projector shows only now.
      return configured.inputs === undefined && model.inputs.includes(capability);
    default:
      return capability satisfies never;
  }
}

export function withoutRefused(model: EngineModel, refused: ReadonlySet<RefusedCapability>): EngineModel {
  if (refused.size === 0) return model;
  return {
    ...model,
    tools: refused.has('tools') ? false : model.tools,
    reasoning: refused.has('reasoning') ? false : model.reasoning,
    inputs: model.inputs.filter((input) => input === 'text' || !refused.has(input)),
  };
}
