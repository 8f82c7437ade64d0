/**
 * A fake llama-swap, as recorded (v250): it starts the server of the model that a request names and stops the other one, answers
 * `/api/version` in its own shape, and lists states also in `/v1/models`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { respondToChat } from './chat-responses.js';
import { FakeServer, type FakeRequest } from './fake-server.js';

type State = 'starting' | 'ready' | 'stopping';

export class LlamaSwap {
  /** What it has started, and why. With a correct adapter `inference` does not occur. */
  readonly starts: { readonly model: string; readonly by: 'inference' | 'upstream' }[] = [];
  readonly running = new Map<string, State>([['chatty', 'ready']]);
  private readonly models = ['author/quiet', 'chatty', 'broken'];

  private constructor(readonly server: FakeServer) {
    server.on('GET /api/version', (request) =>
      request.json(200, { build_date: 'unknown', commit: 'abcd1234', version: '250' }),
    );
    const list = (request: FakeRequest): void =>
      request.json(200, { data: [...this.models.map((id) => this.entry(id)), peer], object: 'list' });
    server.on('GET /v1/models', list);
    server.on('GET /models', list);
    server.on('GET /health', ({ response }) => void response.end('OK'));
    server.on('GET /running', (request) =>
      request.json(200, {
        running: Array.from(this.running, ([model, state]) => ({
          model,
          state,
          cmd: 'llama-server',
          ttl: 0,
          name: '',
        })),
      }),
    );
    for (const model of this.models) {
      server.on(`GET /upstream/${model}/health`, (request) => this.upstream(request, model));
      server.on(`POST /api/models/unload/${model}`, (request) => this.unload(request, model));
    }
    server.on('POST /v1/chat/completions', (request) => this.chat(request));
  }

  static async start(): Promise<LlamaSwap> {
    return new LlamaSwap(
      await FakeServer.start(({ response }) => void response.writeHead(404).end('404 page not found')),
    );
  }

  private entry(id: string): object {
    const status = { value: this.running.get(id) === 'ready' ? 'loaded' : 'unloaded' };
    return { id, object: 'model', created: 1, owned_by: 'llama-swap', meta: { llamaswap: { type: 'model' } }, status };
  }

  private async swap(model: string, by: 'inference' | 'upstream'): Promise<boolean> {
    if (this.running.get(model) === 'ready') return true;
    this.starts.push({ model, by });
    this.running.clear();
    this.running.set(model, 'starting');
    await delay(50, undefined, { ref: false });
    if (model === 'broken') this.running.delete(model);
    else this.running.set(model, 'ready');
    return model !== 'broken';
  }

  private async upstream(request: FakeRequest, model: string): Promise<void> {
    const ready = await this.swap(model, 'upstream');
    // The model's own server has no such path here.
    if (ready) request.json(404, { error: { message: 'File Not Found', type: 'not_found_error', code: 404 } });
    else request.response.writeHead(502).end('unable to start process: upstream command exited prematurely');
  }

  private async unload(request: FakeRequest, model: string): Promise<void> {
    this.running.set(model, 'stopping');
    await delay(20, undefined, { ref: false });
    this.running.delete(model);
    request.response.end('OK');
  }

  private async chat(request: FakeRequest): Promise<void> {
    const model = String(request.body['model']);
    if (!this.models.includes(model)) {
      const error = { message: 'no router for requested model', type: 'invalid_request_error', param: null };
      request.json(404, { src: 'llama-swap', error: { ...error, code: 'not_found' } });
      return;
    }
    await this.swap(model, 'inference');
    await respondToChat(request);
  }
}

const peer = {
  id: 'far',
  object: 'model',
  created: 1,
  owned_by: 'llama-swap',
  meta: { llamaswap: { peerID: 'other-computer' } },
};
