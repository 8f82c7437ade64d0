import { randomUUID } from 'node:crypto';
import { ExactNumber } from '../../../kernel/exact-json.js';
import { elementsOf, isJsonObject, parseJson } from '../../../kernel/json-object.js';

/** The name of both members that hold ids of calls in a chat request begins so. */
const MARK = 'tool_call';

/**
 * Ids of the calls of one response. Clients tie results to calls by them over the whole conversation, and many engines number calls anew in
 * every response, so an id of the request's history is replaced.
 */
export class CallIds {
  private used: Set<string> | undefined;

  /** @param request a chat body; read when the first call comes */
  constructor(private readonly request: Buffer) {}

  /** The engine's id where it is a new one. */
  give(engineId: string): string {
    this.used ??= callIdsIn(this.request);
    const id = engineId === '' || this.used.has(engineId) ? `call_${randomUUID().replaceAll('-', '')}` : engineId;
    this.used.add(id);
    return id;
  }
}

function callIdsIn(request: Buffer): Set<string> {
  const ids = new Set<string>();
  const body = request.includes(MARK) ? parseJson(request.toString('utf8')) : undefined;
  if (!isJsonObject(body)) return ids;
  const add = (id: unknown): void => {
    if (typeof id === 'string') ids.add(id);
  };
  for (const message of elementsOf(body['messages'])) {
    if (!isJsonObject(message)) continue;
    add(message['tool_call_id']);
    for (const call of elementsOf(message['tool_calls'])) if (isJsonObject(call)) add(call['id']);
  }
  return ids;
}

/** An engine's id as text; empty where it gave none. */
export function idText(id: unknown): string {
  if (typeof id === 'string') return id.toWellFormed();
  return typeof id === 'number' || id instanceof ExactNumber ? String(id) : '';
}
