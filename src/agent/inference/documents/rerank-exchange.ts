import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { OpenMessage } from '../../../link/messages.js';
import { engineError } from '../../engines/failures/failures.js';
import { findMembers } from '../../../kernel/json-members.js';
import { countIn, DocumentExchange } from './document-exchange.js';

const resultsKey: ReadonlySet<string> = new Set(['results']);

/** Reranking on the engine's own route: its scores keep their digits. */
export class RerankExchange extends DocumentExchange {
  private readonly documents: number;

  constructor(body: Buffer, head: OpenMessage) {
    super(body, head);
    this.documents = countIn(body, 'documents') ?? 0;
  }

  /** Clients use each index to find their document, without a check. */
  protected checked(bytes: Buffer): Buffer {
    const member = findMembers(bytes, resultsKey).members.at(-1);
    const results = member && parseJson(bytes.toString('utf8', member.start, member.end));
    if (!Array.isArray(results)) throw engineError('The engine responded without `results`.');
    const seen = new Set<unknown>();
    for (const result of results as readonly unknown[]) {
      if (!isJsonObject(result) || typeof result['relevance_score'] !== 'number' || !this.isNew(result['index'], seen))
        throw engineError('The engine responded with a malformed result.');
    }
    return bytes;
  }

  private isNew(index: unknown, seen: Set<unknown>): boolean {
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= this.documents || seen.has(index))
      return false;
    seen.add(index);
    return true;
  }
}
