import { findMembers, NotJsonObjectError } from '../../../kernel/json-members.js';
import { parseJson } from '../../../kernel/json-object.js';
import type { EngineRoute } from '../engine.js';

/** The request whose answer is read. */
export interface AnsweredRequest {
  readonly route: EngineRoute;
  /** As it goes to the engine. Read only where the response has calls, or numbers its choices unusually. */
  readonly body: Buffer;
  /** The client's protocol names the length of the prompt before the first output: progress of an engine becomes a chunk. */
  readonly promptTokens?: boolean;
}

const QUOTED_N = '"n"';
const choicesKey: ReadonlySet<string> = new Set(['n']);

/** How many choices the client asks for; 1 where it does not say. */
export function requestedChoices({ body }: AnsweredRequest): number {
  if (!body.includes(QUOTED_N)) return 1;
  try {
    const member = findMembers(body, choicesKey).members.at(-1);
    const asked = member === undefined ? 1 : parseJson(body.toString('utf8', member.start, member.end));
    return typeof asked === 'number' ? asked : 1;
  } catch (error) {
    if (error instanceof NotJsonObjectError) return 1;
    throw error;
  }
}
