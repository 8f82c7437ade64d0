/** SGLang, `documented, not recorded` (docs/reference/engines.md#other-engines). */
import { respondToChat } from './chat-responses.js';
import { FakeServer, type FakeRequest } from './fake-server.js';

const notFound = (request: FakeRequest): void => request.json(404, { detail: 'Not Found' });

export interface SglangOptions {
  readonly multimodal?: boolean;
  readonly toolCallParser?: string | null;
}

export async function startSglang({
  multimodal = false,
  toolCallParser = 'qwen25',
}: SglangOptions = {}): Promise<FakeServer> {
  const server = await FakeServer.start(notFound);
  const model = {
    id: 'qwen',
    object: 'model',
    created: 1_795_000_000,
    owned_by: 'sglang',
    root: 'qwen',
    max_model_len: 40_960,
  };
  server.on('GET /v1/models', (request) => request.json(200, { object: 'list', data: [model] }));
  server.on('GET /get_model_info', (request) =>
    request.json(200, { model_path: 'Qwen/Qwen3-8B', is_generation: true, is_multimodal: multimodal }),
  );
  server.on('GET /get_server_info', (request) =>
    request.json(200, { version: '0.5.5', tool_call_parser: toolCallParser, reasoning_parser: 'qwen3' }),
  );
  // With --enable-metrics; each process of a data-parallel server has its own.
  server.on('GET /metrics', (request) => {
    const gauge = (name: string, counts: readonly number[]): string =>
      counts.map((count, rank) => `sglang:${name}{dp_rank="${rank}",model_name="qwen"} ${count}.0\n`).join('');
    request.response.end(gauge('num_running_reqs', [4, 3]) + gauge('num_queue_reqs', [2, 0]));
  });
  server.on('POST /v1/chat/completions', (request) => respondToChat(request, { continuousUsage: true }));
  return server;
}
