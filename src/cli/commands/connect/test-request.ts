import type { InferenceAccess } from '../../core/api/inference-key.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { ResponseTiming } from '../chat/response-timing.js';
import { InferenceClient } from '../chat/inference-client.js';
import { emptyResponse, readResponse } from '../chat/read-response.js';
import type { ConnectedProgram } from './connect.shape.js';

const TEST_TOKENS = 32;
/** Long enough for the model to be loaded. */
const TIMEOUT_MS = 180_000;

/** One short request with the program's key. @throws CliError when it fails */
export async function testRequest(
  api: ManagementApi,
  access: InferenceAccess,
  model: string,
): Promise<NonNullable<ConnectedProgram['test']>> {
  const messages = [{ role: 'user', content: 'Count from 1 to 20.' }] as const;
  const stream = await new InferenceClient(access).chat(
    { model, messages, maxTokens: TEST_TOKENS, clusterId: undefined },
    AbortSignal.timeout(TIMEOUT_MS),
  );
  const response = emptyResponse();
  const timing = new ResponseTiming();
  await readResponse(stream, response, { content: timing.chunk, reasoning: timing.chunk });
  const tokens = response.usage?.completion_tokens ?? null;
  const rate = timing.tokensPerSecond(tokens);
  return {
    node: stream.requestId === null ? null : await nodeOf(api, stream.requestId),
    output_tokens: tokens,
    tokens_per_second: rate === null ? null : Math.round(10 * rate) / 10,
    request_id: stream.requestId,
  };
}

const nodeOf = async (api: ManagementApi, requestId: string): Promise<string | null> =>
  api.get('/api/requests/{id}', { path: { id: requestId } }).then(
    ({ attempts }) => attempts.at(-1)?.node_name ?? null,
    () => null,
  );
