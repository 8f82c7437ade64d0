/** What the relay reads of a rerank request, in the format of Jina and Cohere that llama-server and vLLM have. */
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import type { Envelope } from '../envelope.js';
import { checkInteger, invalidField, requireBody, requireText } from '../field-checks.js';
import type { ReadRequest } from '../protocol.js';
import { noRequirements } from '../requirements.js';

export interface RerankEnvelope extends Envelope {
  readonly dialect: 'rerank';
  readonly stream: false;
  readonly documents: number;
}

/** @throws FerryError 400 with the field at fault */
export function readRerank(json: unknown): ReadRequest<RerankEnvelope> {
  const body = requireBody(json);
  const model = requireText(body, 'model');
  const query = requireText(body, 'query');
  const { count, longestBytes } = readDocuments(body);
  checkInteger(body, 'top_n');
  if (typeof body['top_n'] === 'number' && body['top_n'] < 1) throw invalidField('top_n', 'must be at least 1');
  return {
    envelope: { dialect: 'rerank', model, stream: false, documents: count },
    requirements: noRequirements,
    // The model reads the query with each of the documents.
    promptBytes: Buffer.byteLength(query) + longestBytes,
  };
}

function readDocuments({ documents }: JsonObject): { readonly count: number; readonly longestBytes: number } {
  if (!Array.isArray(documents) || documents.length === 0)
    throw invalidField('documents', 'is required and must be a list of strings');
  let longestBytes = 0;
  documents.forEach((document: unknown, index) => {
    const text = isJsonObject(document) ? document['text'] : document;
    if (typeof text !== 'string')
      throw invalidField(`documents[${index}]`, 'must be a string, or an object with `text`');
    longestBytes = Math.max(longestBytes, Buffer.byteLength(text));
  });
  return { count: documents.length, longestBytes };
}
