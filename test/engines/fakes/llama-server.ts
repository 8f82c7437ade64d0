/**
 * llama.cpp's llama-server in its two modes, built from recorded responses (version 11549, the router 0.5.0). What is not recorded is
 * labelled: a successful download, and a server that sleeps or still loads its model.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { respondToChat } from './chat-responses.js';
import { FakeServer, type FakeRequest, type FakeRoute } from './fake-server.js';

const LOAD_MS = 120;
const DOWNLOAD_STEP_MS = 60;
const DOWNLOAD_STEPS = 4;
const DOWNLOAD_BYTES = 4_000_000;

interface Recorded {
  readonly status: number;
  readonly body: unknown;
}

export function recorded(name: string): Recorded {
  const file = new URL(`../../fixtures/recordings/llama-server/${name}.txt`, import.meta.url);
  const [head = '', ...body] = readFileSync(file, 'utf8').split(/\r?\n\r?\n/);
  return { status: Number(/HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: JSON.parse(body.join('\n\n')) };
}

const play =
  (name: string) =>
  (request: FakeRequest): void => {
    const { status, body } = recorded(name);
    request.json(status, body);
  };

type Status = 'unloaded' | 'loading' | 'loaded' | 'sleeping' | 'downloading';

interface RouterEntry {
  status: Status;
  failed: boolean;
  doneBytes: number;
  /** Only models that the router downloaded can be removed. */
  readonly removable: boolean;
}

/** A client's mistake, recorded with 11549 as a failure of the server. */
const MALFORMED_TOOL = {
  error: {
    code: 500,
    message:
      'Failed to parse tools: Missing tool function: {"type":"function"}; tools = [\n  {\n    "type": "function"\n  }\n]',
    type: 'server_error',
  },
};

function hasMalformedTool({ body: { tools } }: FakeRequest): boolean {
  return Array.isArray(tools) && (tools as readonly object[]).some((tool) => !('function' in tool));
}

/** Two choices as recorded with 11549: they mix, each has usage of its own, and a whole response has that of the last one only. */
function respondWithChoices(request: FakeRequest): void {
  const tokens = [8, 7];
  const usage = (index: number) => ({
    prompt_tokens: 12,
    completion_tokens: tokens[index],
    total_tokens: 12 + (tokens[index] ?? 0),
  });
  if (request.body['stream'] !== true) {
    const message = { role: 'assistant', content: 'The result is 11.' };
    const choices = tokens.map((_, index) => ({ finish_reason: 'stop', index, message }));
    request.json(200, { choices, object: 'chat.completion', usage: usage(0) });
    return;
  }
  request.startStream();
  const chunk = (index: number, delta: object, reason: string | null = null): void =>
    request.event({ choices: [{ finish_reason: reason, index, delta }], object: 'chat.completion.chunk' });
  for (const index of [1, 0]) chunk(index, { role: 'assistant', content: null });
  for (const text of ['The', ' result is 11.']) for (const index of [1, 0]) chunk(index, { content: text });
  for (const index of [1, 0]) {
    chunk(index, {}, 'stop');
    request.event({ choices: [], object: 'chat.completion.chunk', usage: usage(index) });
  }
  request.event('[DONE]');
  request.response.end();
}

/** documented, not recorded: the prompt of a chat as a text. */
const applyTemplate: FakeRoute = (request) =>
  request.json(200, { prompt: `<s>${JSON.stringify(request.body['messages'])}` });

/** documented, not recorded: as many tokens as the usage of this fake's chats has. */
const tokenize = (request: FakeRequest): void =>
  request.json(200, { tokens: request.body['content'] === '' ? [] : Array.from({ length: 9 }, (_, token) => token) });

function countsTokens(server: FakeServer): void {
  server.on('POST /apply-template', applyTemplate);
  server.on('POST /tokenize', tokenize);
}

interface RecordedList {
  readonly data: readonly (Record<string, unknown> & { readonly id: string; readonly status: object })[];
}

export class LlamaServerRouter {
  private readonly entries = new Map<string, RouterEntry>();
  /** The process of the next load exits. */
  breaksNext = false;

  private constructor(readonly server: FakeServer) {
    for (const { id } of (recorded('router-models-before').body as RecordedList).data) this.add(id, 'unloaded', false);
    this.set('relay-tiny', 'loaded');
    server.on('GET /health', play('health'));
    server.on('GET /models', (request) => request.json(200, this.list()));
    server.on('GET /v1/models', (request) => request.json(200, this.list()));
    server.on('GET /props', (request) => this.props(request));
    server.on('POST /models/load', (request) => this.load(request));
    server.on('POST /models/unload', (request) => this.unload(request));
    server.on('POST /models', (request) => this.download(request));
    server.on('DELETE /models', (request) => this.remove(request));
    server.on('POST /v1/chat/completions', (request) => this.chat(request));
    countsTokens(server);
  }

  static async start(): Promise<LlamaServerRouter> {
    return new LlamaServerRouter(await FakeServer.start(play('err-404')));
  }

  set(id: string, status: Status): void {
    const entry = this.entries.get(id);
    if (entry !== undefined) entry.status = status;
  }

  private add(id: string, status: Status, removable: boolean): void {
    this.entries.set(id, { status, failed: false, doneBytes: 0, removable });
  }

  /** The recorded entry of a model, with its status in this fake. */
  private list(): object {
    const before = recorded('router-models-before').body as RecordedList;
    const loaded = recorded('router-models-loaded').body as RecordedList;
    const data = [...this.entries].map(([id, { status, failed, doneBytes, removable }]) => {
      const source = status === 'loaded' ? loaded : before;
      const entry = source.data.find((candidate) => candidate.id === id) ?? before.data[0];
      const progress = { 'https://huggingface.co/file.gguf': { done: doneBytes, total: DOWNLOAD_BYTES } };
      return {
        ...entry,
        id,
        can_remove: removable,
        status: {
          ...entry?.status,
          value: status,
          ...(failed ? { failed: true, exit_code: 1 } : {}),
          // documented, not recorded
          ...(status === 'downloading' ? { progress } : {}),
        },
      };
    });
    return { data, object: 'list' };
  }

  private props(request: FakeRequest): void {
    const model = request.query.get('model');
    if (model === null) {
      request.json(200, { role: 'router', build_info: 'b500-v0.5.0-nlc', default_generation_settings: { n_ctx: 0 } });
    } else if (this.entries.get(model)?.status === 'loaded') play('props')(request);
    else if (request.query.get('autoload') === 'false') play('router-chat-notloaded')(request);
    else this.load(request, model);
  }

  private load(request: FakeRequest, id = String(request.body['model'])): void {
    const entry = this.entries.get(id);
    if (entry === undefined) play('router-load-unknown')(request);
    else if (entry.status === 'loaded' || entry.status === 'loading') play('router-load-again')(request);
    else {
      entry.status = 'loading';
      entry.failed = false;
      const breaks = this.breaksNext;
      this.breaksNext = false;
      setTimeout(() => {
        entry.failed = breaks;
        entry.status = breaks ? 'unloaded' : 'loaded';
      }, LOAD_MS).unref();
      play('router-load')(request);
    }
  }

  private unload(request: FakeRequest): void {
    const id = String(request.body['model']);
    const entry = this.entries.get(id);
    if (entry?.status === 'downloading') this.entries.delete(id);
    else if (entry?.status === 'unloaded') {
      request.json(400, { error: { code: 400, message: 'model is not running', type: 'invalid_request_error' } });
      return;
    } else if (entry !== undefined) entry.status = 'unloaded';
    play('router-unload')(request);
  }

  /** Accepts everything; a model that does not exist is reported as finished at once, as recorded. */
  private download(request: FakeRequest): void {
    const id = String(request.body['model']);
    play('router-download')(request);
    if (id.includes('nope')) return;
    this.add(id, 'downloading', true);
    void this.fetch(id, id.includes('slow') ? Infinity : DOWNLOAD_STEPS);
  }

  private async fetch(id: string, steps: number): Promise<void> {
    for (let step = 1; step <= steps; step += 1) {
      await delay(DOWNLOAD_STEP_MS, undefined, { ref: false });
      const entry = this.entries.get(id);
      if (entry === undefined) return;
      entry.doneBytes = Math.min(step / DOWNLOAD_STEPS, 1) * DOWNLOAD_BYTES;
    }
    this.set(id, 'unloaded');
  }

  private remove(request: FakeRequest): void {
    const id = request.query.get('model') ?? '';
    if (this.entries.get(id)?.removable === true) {
      this.entries.delete(id);
      request.json(200, { success: true });
      return;
    }
    // Seen with version 0.7.0.
    const message = `model name=${id} is not removable (not from cache)`;
    request.json(500, { error: { code: 500, message, type: 'server_error' } });
  }

  /** Loads on demand unless told not to: a request without `autoload=false` would change what is resident. */
  private async chat(request: FakeRequest): Promise<void> {
    const id = String(request.body['model']);
    const entry = this.entries.get(id);
    if (entry === undefined) play('router-chat-unknown')(request);
    else if (entry.status === 'loaded') await respondToChat(request);
    else if (request.query.get('autoload') === 'false') play('router-chat-notloaded')(request);
    else {
      entry.status = 'loaded';
      await respondToChat(request);
    }
  }
}

export class LlamaServerSingle {
  /** documented, not recorded: 503 while the weights are loaded or the server sleeps. */
  condition: 'ready' | 'loading' | 'sleeping' = 'ready';
  /** While loading, some versions answer every route with 503; others return the list of models. */
  listsWhileLoading = true;

  private constructor(readonly server: FakeServer) {
    const unlessLoading =
      (route: FakeRoute): FakeRoute =>
      (request) =>
        this.condition === 'loading' && !(this.listsWhileLoading && request.path === '/v1/models')
          ? request.json(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } })
          : route(request);
    server.on('GET /health', unlessLoading(play('health')));
    server.on('GET /v1/models', unlessLoading(play('models')));
    server.on(
      'GET /props',
      unlessLoading((request) => {
        const props = recorded('props').body as object;
        request.json(200, { ...props, is_sleeping: this.condition === 'sleeping' });
      }),
    );
    server.on(
      'POST /v1/chat/completions',
      unlessLoading((request) => {
        if (hasMalformedTool(request)) request.json(500, MALFORMED_TOOL);
        else if (Number(request.body['n'] ?? 1) > 1) respondWithChoices(request);
        else return respondToChat(request);
        return undefined;
      }),
    );
    // Seen with 11549: health, lists, properties and metrics do not wake it, everything else does.
    server.on(
      'POST /tokenize',
      unlessLoading((request) => {
        this.condition = 'ready';
        tokenize(request);
      }),
    );
    server.on('POST /apply-template', unlessLoading(applyTemplate));
  }

  static async start(): Promise<LlamaServerSingle> {
    return new LlamaServerSingle(await FakeServer.start(play('err-404')));
  }
}
