/**
 * Recognises engines' error messages for missing capabilities of a model (docs/reference/engines.md#capability-refusals). Engines use a 400
 * or a 500; the client gets a 400 with the field, and the node records the missing capability.
 */
import { EngineFailure, type RefusedCapability } from '../engine.js';
import type { ParsedError } from './error-parser.js';

interface Refusal {
  readonly capability: RefusedCapability;
  readonly words: RegExp;
  /** The request field that asks for it. */
  readonly param: string;
}

const not = String.raw`(?:does not|doesn't|do not|don't|cannot|can't) (?:support|accept|handle|process)`;
const unsupported = String.raw`(?:is|are) (?:not|un)\s?(?:supported|available|enabled)`;

const refusals: readonly Refusal[] = [
  {
    capability: 'tools',
    param: 'tools',
    // Ollama; llama.cpp without --jinja; vLLM without a tool parser; similar ones.
    words: new RegExp(
      String.raw`\b${not} (?:tools?\b|tool[ _-](?:use|calls?|calling)|functions?\b|function[ _-]calls?|function[ _-]calling)` +
        String.raw`|\btools? (?:use |calls? |calling )?${unsupported}` +
        String.raw`|\btools param requires|\btool choice requires --enable-auto-tool-choice|--tool-call-parser`,
      'i',
    ),
  },
  {
    capability: 'image',
    param: 'messages',
    words: new RegExp(
      String.raw`\b${not} (?:images?\b|image input|vision\b|multi-?modal)|\bimages? (?:input )?${unsupported}` +
        String.raw`|\bnot a multi-?modal model|\bat most 0 image|missing data required for image input` +
        // Servers that know only text, which are tried because they do not say so.
        String.raw`|\bimage_url\W.{0,40}${unsupported}|\bunknown (?:variant|(?:content |part )?type)\W+image` +
        String.raw`|\bunsupported (?:content|part|type)\b.{0,20}\bimage|\bonly\W+text\W+content\b.{0,10}(?:is|are) supported`,
      'i',
    ),
  },
  {
    capability: 'audio',
    param: 'messages',
    words: new RegExp(String.raw`\b${not} audio\b|\baudio (?:input )?${unsupported}|\bat most 0 audio`, 'i'),
  },
  {
    capability: 'video',
    param: 'messages',
    words: new RegExp(String.raw`\b${not} videos?\b|\bvideos? (?:input )?${unsupported}|\bat most 0 video`, 'i'),
  },
  {
    capability: 'reasoning',
    param: 'reasoning_effort',
    words: new RegExp(String.raw`\b${not} (?:thinking|reasoning)\b`, 'i'),
  },
];

/** Undefined when the engine's error is about something else. */
export function capabilityRefusal(error: ParsedError): EngineFailure | undefined {
  const refusal = refusals.find(({ words }) => words.test(error.message));
  if (refusal === undefined) return undefined;
  return new EngineFailure(
    {
      code: 'unsupported_capability',
      status: 400,
      message: error.message,
      param: error.param ?? refusal.param,
      retry_after_seconds: null,
    },
    { capability: refusal.capability },
  );
}
