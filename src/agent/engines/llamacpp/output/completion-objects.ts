/** Legacy completions, whose chunks and whole responses are the same object (docs/reference/client-protocols.md#text-completions). */
import type { EngineObject } from '../../engine.js';
import { usageObject, type ResponseEnvelope } from './response-envelope.js';
import type { FinishReason, GenerationUsage, OutputEvent } from './output-event.js';

export const completionObject = (
  envelope: ResponseEnvelope,
  text: string,
  finishReason: FinishReason | null,
  usage?: GenerationUsage,
): EngineObject => ({
  ...envelope,
  object: 'text_completion',
  choices: [{ text, index: 0, logprobs: null, finish_reason: finishReason }],
  ...(usage !== undefined && { usage: usageObject([usage]) }),
});

export const completionUsageChunk = (envelope: ResponseEnvelope, usage: GenerationUsage): EngineObject => ({
  ...envelope,
  object: 'text_completion',
  choices: [],
  usage: usageObject([usage]),
});

/** The chunks of one step. A raw prompt produces content and finish events only. */
export const completionChunks = (envelope: ResponseEnvelope, events: readonly OutputEvent[]): readonly EngineObject[] =>
  events.flatMap((event) => {
    if (event.kind === 'content') return [completionObject(envelope, event.text, null)];
    if (event.kind === 'finish') return [completionObject(envelope, '', event.reason)];
    return [];
  });
