/**
 * A fake vLLM (docs/reference/engines.md#vllm), errors as recorded with 0.32: one model under two names, a LoRA adapter, and sleep in
 * development mode, which aborts what runs unless it is told to wait.
 */
import { once } from 'node:events';
import { respondToChat } from './chat-responses.js';
import { FakeServer, type FakeRequest } from './fake-server.js';

const CONTEXT_TOKENS = 32_768;

const notFound = (request: FakeRequest): void => request.json(404, { detail: 'Not Found' });

/** How the next chat fails; each applies once. */
export type VllmFault =
  | 'silence'
  | 'error in the stream, then [DONE]'
  | 'error in the old shape'
  | 'context too long'
  | 'answer too long'
  | 'no tool parser'
  | 'no multimodal model';

export class Vllm {
  fault: VllmFault | undefined;
  /** Of all clients, in its metrics. */
  load = { running: 0, waiting: 0 };
  /** As received. */
  readonly bodies: Readonly<Record<string, unknown>>[] = [];
  private sleeping = false;
  private readonly answering = new Set<FakeRequest>();

  private constructor(
    readonly server: FakeServer,
    developmentMode: boolean,
    embedding: boolean,
  ) {
    const model = (id: string, root: string, parent: string | null): object => ({
      id,
      object: 'model',
      created: 1_795_000_000,
      owned_by: 'vllm',
      root,
      parent,
      max_model_len: CONTEXT_TOKENS,
      permission: [],
    });
    const data = [
      model('assistant', 'Qwen/Qwen3-8B', null),
      model('qwen3', 'Qwen/Qwen3-8B', null),
      model('sql-lora', '/adapters/sql', 'assistant'),
    ];
    server.on('GET /v1/models', (request) => request.json(200, { object: 'list', data }));
    server.on('GET /version', (request) => request.json(200, { version: '0.11.0' }));
    server.on('GET /metrics', (request) => void request.response.end(this.metrics()));
    server.on('GET /health', (request) => void request.response.end());
    // Read in its sources, not recorded: it has the routes of what its model does, and 405 for their GET.
    const wrongMethod = (request: FakeRequest): void => request.json(405, { detail: 'Method Not Allowed' });
    if (embedding) {
      for (const route of ['embeddings', 'rerank']) server.on(`GET /v1/${route}`, wrongMethod);
      return;
    }
    server.on('GET /v1/chat/completions', wrongMethod);
    server.on('POST /v1/chat/completions', (request) => this.chat(request));
    server.on('POST /v1/completions', (request) => this.complete(request));
    // documented, not recorded: as many as the usage of this fake's chats has.
    server.on('POST /tokenize', (request) => {
      this.bodies.push(request.body);
      request.json(200, {
        count: 9,
        max_model_len: CONTEXT_TOKENS,
        tokens: Array.from({ length: 9 }, (_, token) => token),
      });
    });
    if (!developmentMode) return;
    server.on('GET /is_sleeping', (request) => request.json(200, { is_sleeping: this.sleeping }));
    server.on('POST /sleep', (request) => this.sleep(request, true));
    server.on('POST /wake_up', (request) => this.sleep(request, false));
  }

  /** @param options.embedding its model embeds and does not generate text */
  static async start({ developmentMode = false, embedding = false } = {}): Promise<Vllm> {
    return new Vllm(await FakeServer.start(notFound), developmentMode, embedding);
  }

  private metrics(): string {
    const { running, waiting } = this.load;
    const labels = '{engine="0",model_name="assistant"}';
    return [
      '# HELP vllm:num_requests_running Number of requests in model execution batches.',
      '# TYPE vllm:num_requests_running gauge',
      `vllm:num_requests_running${labels} ${running}.0`,
      '# HELP vllm:num_requests_waiting Number of requests waiting to be processed.',
      '# TYPE vllm:num_requests_waiting gauge',
      `vllm:num_requests_waiting${labels} ${waiting}.0`,
      '',
    ].join('\n');
  }

  private async sleep(request: FakeRequest, sleeping: boolean): Promise<void> {
    for (const { response } of sleeping ? this.answering : []) {
      if (request.query.get('mode') === 'wait') await once(response, 'close');
      else response.destroy();
    }
    this.sleeping = sleeping;
    request.response.end();
  }

  /** A limit up to the whole context is cut silently to what is left, a longer one is refused. */
  private refusesLimit(request: FakeRequest): boolean {
    const { max_tokens: limit } = request.body;
    this.bodies.push(request.body);
    if (typeof limit !== 'number' || limit <= CONTEXT_TOKENS) return false;
    const message =
      `max_tokens=${limit} cannot be greater than max_model_len=${CONTEXT_TOKENS}. Please request fewer output tokens. ` +
      `(parameter=max_tokens, value=${limit})`;
    request.json(400, { error: { message, type: 'BadRequestError', param: 'max_tokens', code: 400 } });
    return true;
  }

  private complete(request: FakeRequest): void {
    if (this.refusesLimit(request)) return;
    const choices = [{ index: 0, text: ' 1, 2, 3', logprobs: null, finish_reason: 'length' }];
    const usage = { prompt_tokens: 2, total_tokens: 14, completion_tokens: 12 };
    request.json(200, { id: 'cmpl-1', object: 'text_completion', created: 1_795_000_000, choices, usage });
  }

  private async chat(request: FakeRequest): Promise<void> {
    const { fault } = this;
    this.fault = undefined;
    this.answering.add(request);
    request.response.on('close', () => this.answering.delete(request));
    if (this.refusesLimit(request)) return;
    const refuse = (message: string): void =>
      request.json(400, { error: { message, type: 'BadRequestError', param: null, code: 400 } });
    switch (fault) {
      case undefined:
        await respondToChat(request, { continuousUsage: true, callInFragments: true });
        return;
      case 'silence':
        return;
      case 'error in the stream, then [DONE]':
        request.startStream();
        request.event({
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          choices: [{ index: 0, delta: { role: 'assistant', content: 'Hel' }, finish_reason: null }],
        });
        request.event({ error: { message: 'EngineCore died', type: 'InternalServerError', param: null, code: 500 } });
        request.event('[DONE]');
        request.response.end();
        return;
      case 'error in the old shape':
        request.json(404, {
          object: 'error',
          message: 'The model `x` does not exist.',
          type: 'NotFoundError',
          code: 404,
        });
        return;
      case 'context too long':
        refuse("This model's maximum context length is 32768 tokens. However, you requested 64009 tokens.");
        return;
      case 'answer too long':
        // Versions that do not cut a limit.
        refuse(
          "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and " +
            'your request has 1000 input tokens (32000 > 32768 - 1000).',
        );
        return;
      case 'no tool parser':
        refuse('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set');
        return;
      case 'no multimodal model':
        refuse('Qwen/Qwen3-8B is not a multimodal model');
        return;
      default:
        fault satisfies never;
    }
  }
}
