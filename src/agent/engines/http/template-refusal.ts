import type { EngineFailure } from '../engine.js';

/** Templates raise these errors about a system message behind the first turn. */
const words: readonly RegExp[] = [
  // Qwen: "System message must be at the beginning."
  /\bsystem (?:message|prompt)s? (?:must|should|can only|has to|needs to) be (?:at the )?(?:beginning|start|first)/i,
  // Gemma: "System role not supported".
  /\bsystem (?:role|message)s? (?:is |are )?(?:not|un)\s?supported/i,
  // Mistral: "Only user and assistant roles are supported, with the exception of an initial optional system message!"
  /\bonly user\b.{0,40}\bassistant\b.{0,20}\broles? (?:is|are) supported/i,
  /\broles must alternate/i,
];

/** Whether the engine's chat template refuses the place of a system message; nothing was computed then. */
export const refusesLaterSystem = ({ failure: { message } }: EngineFailure): boolean =>
  words.some((pattern) => pattern.test(message));
