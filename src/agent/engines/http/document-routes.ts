/** Routes whose response is one JSON document that passes as the engine wrote it (docs/reference/embeddings.md). */
import { findMembers, NotJsonObjectError } from '../../../kernel/json-members.js';
import { parseJson } from '../../../kernel/json-object.js';
import { EngineFailure, type DocumentRoute } from '../engine.js';
import { parseEngineError } from '../failures/error-parser.js';
import { engineError, failureInResponse, failureOfStatus } from '../failures/failures.js';
import { headerText, readErrorText } from './engine-http.js';
import type { EngineHttpResponse } from './response-handler.js';

export const documentPaths: Record<DocumentRoute, string> = { embeddings: '/v1/embeddings', rerank: '/v1/rerank' };

/** The relay asks for far smaller batches: 128 vectors of 4,096 numbers are a third of it. */
const DOCUMENT_LIMIT_BYTES = 32 * 1024 * 1024;
const OK = 200;
/** How servers say that they have no such route; a 404 is also how they say that they have no such model. */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 501]);
const errorKeys: ReadonlySet<string> = new Set(['error', 'object', 'detail']);
const unsupported =
  /\b(?:not|n't) (?:support|an? )\b.{0,40}(?:embed|rerank|scor|pooling|classif)|\bstart it with `?--(?:embedding|rerank|pooling)/i;
const names: Record<DocumentRoute, string> = { embeddings: 'embeddings', rerank: 'reranking' };

/** @throws EngineFailure for a refusal, or a response that is no JSON object */
export async function readDocument(response: EngineHttpResponse, route: DocumentRoute): Promise<Buffer> {
  if (response.statusCode !== OK) throw refusalOf(response.statusCode, response, await readErrorText(response), route);
  const encoding = headerText(response.headers['content-encoding']) ?? 'identity';
  if (encoding !== 'identity') {
    response.body.destroy();
    throw engineError(`The engine used content encoding ${encoding.slice(0, 40)}, which the node does not accept.`);
  }
  const bytes = await response.body.bytes(DOCUMENT_LIMIT_BYTES);
  if (bytes === undefined) throw engineError(`The engine's response is larger than ${DOCUMENT_LIMIT_BYTES} bytes.`);
  throwError(bytes);
  return bytes;
}

/** Some engines answer 200 with an error. */
function throwError(bytes: Buffer): void {
  try {
    const { members } = findMembers(bytes, errorKeys);
    if (!members.some(({ key }) => key === 'error' || key === 'detail') && bytes.length > 4_096) return;
    const error = members.length === 0 ? undefined : parseEngineError(parseJson(bytes.toString('utf8')));
    if (error !== undefined) throw failureInResponse(error);
  } catch (error) {
    if (!(error instanceof NotJsonObjectError)) throw error;
    throw engineError('The engine responded with something that is not JSON.', error);
  }
}

function refusalOf(status: number, { headers }: EngineHttpResponse, text: string, route: DocumentRoute): EngineFailure {
  const lacksRoute = missingStatuses.has(status) && (status !== 404 || !/\bmodel\b/i.test(text));
  if (lacksRoute || unsupported.test(text)) return lacking(route);
  return failureOfStatus({ status, retryAfter: headerText(headers['retry-after']), text });
}

const lacking = (route: DocumentRoute): EngineFailure =>
  new EngineFailure(
    {
      code: 'unsupported_capability',
      status: 400,
      message: `The engine does not support ${names[route]} with this model.`,
      param: 'model',
      retry_after_seconds: null,
    },
    { capability: route },
  );
