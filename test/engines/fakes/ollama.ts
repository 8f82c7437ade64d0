/**
 * A fake Ollama (docs/reference/engines.md#ollama) that behaves as the recorded 0.33. Like the original it loads any model that an inference
 * request names, restarts the runner when a request has another context length or (since 0.30) another `shift`, which puts the expiry back
 * to five minutes, keeps one runner for all names of a blob, tells a template's capabilities only in `/api/show`, unloads models by itself,
 * does not list what is in memory while it loads, and truncates long prompts unless told not to. One word is one token.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { respondToChat } from './chat-responses.js';
import { respondNatively } from './ollama-native-chat.js';
import { respondToPull } from './ollama-pull.js';
import { DEFAULT_CONTEXT_TOKENS, Runners, type RunnerOptions } from './ollama-runners.js';
import { FakeServer, type FakeRequest } from './fake-server.js';

export interface OllamaModel {
  readonly name: string;
  /** In `/api/show`. */
  readonly capabilities?: readonly string[];
  /** In `/api/tags`, which does not read a GGUF's own template. Absent: the same. */
  readonly listedCapabilities?: readonly string[];
  readonly contextTokens?: number;
  /** For a model that runs in the cloud. */
  readonly remoteHost?: string;
  /** `ollama cp` creates a second name for the same digest. */
  readonly digest?: string;
  /** The file of the weights, which several models may share. Absent: one of its own. */
  readonly blob?: string;
  /** In `/api/show`. */
  readonly template?: string;
}

export interface OllamaOptions {
  readonly models: readonly OllamaModel[];
  /** Loaded as a load through Ferry does: without `shift`, for ever. */
  readonly resident?: readonly string[];
  /** Loaded by another program, with Ollama's defaults. */
  readonly residentOfOthers?: readonly string[];
  /** How long `/api/ps` is empty while a runner is restarted. */
  readonly restartMs?: number;
  /** Versions before capabilities were in the list report them only in `/api/show`. */
  readonly showsOnly?: boolean;
  /** OLLAMA_NUM_PARALLEL: further requests of a runner wait, without the head of a response. Absent: one, as recorded. */
  readonly parallel?: number;
  readonly version?: string;
  readonly loadMs?: number;
}

export class FakeOllama {
  /** The cause of each load. With a correct adapter `inference` does not occur. */
  readonly loads: { readonly model: string; readonly by: 'generate' | 'embed' | 'inference' }[] = [];
  /** Bodies of inference requests, as received. */
  readonly inferences: Readonly<Record<string, unknown>>[] = [];
  /** Bodies of management requests by path. */
  readonly commands: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[] = [];
  abandonedPulls = 0;
  /** The runner of the next native request is killed while it streams, as recorded: it stays in the list, and the next request starts it again. */
  killsRunner = false;
  /** The next streams break as when the engine crashes: an empty chunk, then nothing. */
  breaksSilently = false;
  private readonly models = new Map<string, OllamaModel>();
  private readonly runners: Runners;
  private readonly answering = new Map<string, number>();
  private loading: Promise<unknown> | undefined;

  private constructor(
    private readonly server: FakeServer,
    private readonly options: OllamaOptions,
  ) {
    for (const model of options.models) this.models.set(model.name, model);
    this.runners = new Runners(options.version ?? '0.33.0', options.restartMs ?? 0);
    const enter = (name: string, how: Partial<RunnerOptions>): void =>
      this.runners.enter(blobOf(this.models.get(name) ?? { name }), name, how);
    for (const name of options.resident ?? []) enter(name, { shift: false, keepAlive: -1 });
    for (const name of options.residentOfOthers ?? []) enter(name, {});
    server.on('GET /', ({ response }) => void response.end('Ollama is running'));
    server.on('GET /api/version', (request) => {
      request.json(200, { version: options.version ?? '0.33.0' });
    });
    server.on('GET /api/tags', (request) => {
      request.json(200, { models: [...this.models.values()].map((model) => this.tag(model)) });
    });
    server.on('GET /v1/models', (request) => {
      const data = [...this.models.keys()].map((id) => ({ id, object: 'model', created: 1, owned_by: 'library' }));
      request.json(200, { object: 'list', data: data.length === 0 ? null : data });
    });
    server.on('GET /api/ps', (request) => this.tellMemory(request));
    server.on('POST /api/show', (request) => {
      this.show(request);
    });
    server.on('POST /api/generate', (request) => this.generate(request, 'generate'));
    server.on('POST /api/embed', (request) => this.generate(request, 'embed'));
    server.on('POST /api/pull', (request) => this.pull(request));
    server.on('DELETE /api/delete', (request) => {
      this.remove(request);
    });
    server.on('POST /api/chat', (request) => this.infer(request));
    server.on('POST /v1/chat/completions', (request) => this.infer(request));
    server.on('POST /v1/completions', (request) => this.infer(request));
  }

  static async start(options: OllamaOptions): Promise<FakeOllama> {
    const server = await FakeServer.start(({ response }) => void response.writeHead(404).end('404 page not found'));
    return new FakeOllama(server, options);
  }

  get url(): string {
    return this.server.url;
  }

  get asked(): readonly string[] {
    return this.server.asked;
  }

  /** As when stopped with SIGSTOP: connections are accepted, nothing is answered. */
  hang(): void {
    this.server.hangs = true;
  }

  inferenceCalls(): number {
    return this.server.inferenceCalls();
  }

  /** As after `keep_alive`, or to make room for another model. */
  evict(name: string): void {
    this.runners.evict(this.blobNamed(name));
  }

  /** Milliseconds until the model leaves; undefined when it is not in memory. */
  expiresInMs(name: string): number | undefined {
    return this.runners.expiresInMs(this.blobNamed(name));
  }

  residentNames(): string[] {
    return this.runners.list().map(({ name }) => name);
  }

  async stop(): Promise<void> {
    this.runners.clear();
    await this.server.stop();
  }

  private blobNamed(name: string): string {
    return blobOf(this.models.get(name) ?? { name });
  }

  private async load(
    model: OllamaModel,
    by: 'generate' | 'embed' | 'inference',
    options: Partial<RunnerOptions>,
  ): Promise<void> {
    const blob = blobOf(model);
    if (this.runners.fits(blob, options)) {
      this.runners.keep(blob, options.keepAlive);
      return;
    }
    this.loads.push({ model: model.name, by });
    await this.runners.leave(blob);
    this.loading = delay(this.options.loadMs ?? 1);
    await this.loading;
    this.loading = undefined;
    this.runners.enter(blob, model.name, options);
  }

  private tag(model: OllamaModel): object {
    const { name, contextTokens = 40_960, remoteHost } = model;
    const capabilities = model.listedCapabilities ?? model.capabilities ?? ['completion', 'tools'];
    const shown = this.options.showsOnly === true ? {} : { capabilities };
    return {
      name,
      model: name,
      modified_at: '2026-01-01T00:00:00.000000000Z',
      size: 5_225_388_164,
      digest: digestOf(model),
      details: {
        parent_model: '',
        format: 'gguf',
        family: 'qwen3',
        families: ['qwen3'],
        parameter_size: '8.2B',
        quantization_level: 'Q4_K_M',
        ...(this.options.showsOnly === true ? {} : { context_length: contextTokens }),
      },
      ...shown,
      ...(remoteHost === undefined ? {} : { remote_host: remoteHost, remote_model: name }),
    };
  }

  private async tellMemory(request: FakeRequest): Promise<void> {
    await this.loading;
    const models = this.runners.list().map(({ name, contextTokens, expiresAt }) => ({
      name,
      model: name,
      size: 6_000_000_000,
      digest: digestOf(this.models.get(name) ?? { name }),
      details: { format: 'gguf', family: 'qwen3', parameter_size: '8.2B', quantization_level: 'Q4_K_M' },
      expires_at: expiresAt,
      size_vram: 6_000_000_000,
      context_length: contextTokens,
    }));
    request.json(200, { models });
  }

  private show(request: FakeRequest): void {
    const model = this.known(request);
    if (model === undefined) return;
    const { capabilities = ['completion', 'tools'], contextTokens = 40_960 } = model;
    request.json(200, {
      modelfile: `# Modelfile generated by "ollama show"\n\nFROM /root/.ollama/models/blobs/${blobOf(model)}\nTEMPLATE {{ .Prompt }}\n`,
      template: model.template ?? '{{ .Prompt }}',
      details: { format: 'gguf', family: 'qwen3', quantization_level: 'Q4_K_M' },
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': contextTokens },
      capabilities,
      modified_at: '2026-01-01T00:00:00Z',
    });
  }

  private async generate(request: FakeRequest, by: 'generate' | 'embed'): Promise<void> {
    const model = this.known(request);
    if (model === undefined) return;
    const { keep_alive: keepAlive, prompt } = request.body;
    if (by === 'generate' && typeof prompt === 'string') return this.infer(request);
    const embeds = model.capabilities?.includes('completion') === false;
    if (by === 'generate' && keepAlive === 0) {
      void this.letGo(model.name);
      request.json(200, { model: model.name, created_at: '', response: '', done: true, done_reason: 'unload' });
    } else if (by === 'generate' && embeds) {
      request.json(400, { error: `"${model.name}" does not support generate` });
    } else if (model.name.startsWith('too-large')) {
      request.json(500, {
        error: 'model requires more system memory (60.1 GiB) than is available (14.5 GiB)',
      });
    } else if (request.body['input'] !== undefined) {
      await this.embed(request, model);
    } else {
      await this.load(model, by, runnerOptions(request.body, model));
      request.json(200, { model: model.name, created_at: '', response: '', done: true, done_reason: 'load' });
    }
  }

  /** As recorded of 0.33: normalised vectors, and numbers with up to nine digits. */
  private async embed(request: FakeRequest, model: OllamaModel): Promise<void> {
    const { input } = request.body;
    this.inferences.push(request.body);
    await this.load(model, 'inference', runnerOptions(request.body, model));
    const texts = Array.isArray(input) ? (input as unknown[]) : [input];
    const vectors = texts.map((text) => `[${String(text).length}.10,-0.0000012]`).join(',');
    request.response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(
        `{"model":"${model.name}","embeddings":[${vectors}],"total_duration":1,"prompt_eval_count":${texts.length}}`,
      );
  }

  /** Not before the last response is complete. */
  private async letGo(name: string): Promise<void> {
    while ((this.answering.get(name) ?? 0) > 0) await delay(5);
    this.evict(name);
  }

  private remove(request: FakeRequest): void {
    const model = this.known(request);
    if (model === undefined) return;
    this.models.delete(model.name);
    request.response.writeHead(200).end();
  }

  private async pull(request: FakeRequest): Promise<void> {
    this.commands.push({ path: request.path, body: request.body });
    request.response.on('close', () => {
      if (!request.response.writableFinished) this.abandonedPulls += 1;
    });
    await respondToPull(request, (name) => this.models.set(name, { name }));
  }

  private async infer(request: FakeRequest): Promise<void> {
    this.inferences.push(request.body);
    const isNative = request.path.startsWith('/api/');
    const model = isNative
      ? this.known(request)
      : this.known(request, (error) => ({
          error: { message: `${error}, try pulling it first`, type: 'not_found_error', param: null, code: null },
        }));
    if (model === undefined) return;
    const { name } = model;
    // The OpenAI dialect has no such options.
    const options = runnerOptions(isNative ? request.body : {}, model);
    const { contextTokens = DEFAULT_CONTEXT_TOKENS } = options;
    // Loads on demand, which the node has to prevent.
    await this.load(model, 'inference', options);
    const promptTokens = wordsIn(request.body);
    if (isNative && promptTokens > contextTokens && request.body['truncate'] === false) {
      request.json(400, tooLongFor(promptTokens, contextTokens));
      return;
    }
    const read = Math.min(promptTokens, contextTokens);
    await this.runners.slotOf(blobOf(model), this.options.parallel ?? 1, request.response);
    this.answering.set(name, (this.answering.get(name) ?? 0) + 1);
    request.response.on('close', () => this.answering.set(name, (this.answering.get(name) ?? 1) - 1));
    if (this.killsRunner && isNative) {
      this.killsRunner = false;
      this.runners.kill(blobOf(model));
      request.startStream('application/x-ndjson');
      const reported = { message: { role: 'assistant', content: '2' }, done: false };
      const error = 'an error was encountered while running the model: unexpected EOF';
      request.response.end(`${JSON.stringify(reported)}\n${JSON.stringify({ error })}\n`);
      return;
    }
    if (this.breaksSilently && isNative) {
      request.startStream('application/x-ndjson');
      request.response.end(`${JSON.stringify({ message: { role: 'assistant', content: 'Hel' }, done: false })}\n`);
      return;
    }
    if (this.breaksSilently) {
      request.startStream();
      request.event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hel' } }] });
      request.event({
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
      });
      request.response.end();
      return;
    }
    const thinks = model.capabilities?.includes('thinking') === true;
    if (isNative) await respondNatively(request, read, thinks);
    else {
      const envelope = { system_fingerprint: 'fp_ollama' };
      await respondToChat(request, { envelope, roleOnEveryDelta: true, promptTokens: read });
    }
  }

  /** The model that the request names; otherwise responds with 404. */
  private known(
    request: FakeRequest,
    asError: (error: string) => object = (error) => ({ error }),
  ): OllamaModel | undefined {
    const { body, path } = request;
    if (path.startsWith('/api/') && path !== '/api/show') this.commands.push({ path, body });
    const name = String(body['model']);
    const model = this.models.get(name) ?? this.models.get(`${name}:latest`);
    if (model === undefined) request.json(404, asError(`model '${name}' not found`));
    return model;
  }
}

const digestOf = ({ name, digest }: OllamaModel): string =>
  digest ?? Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64);

const blobOf = ({ name, blob }: Pick<OllamaModel, 'name' | 'blob'>): string =>
  blob ?? `sha256-${Buffer.from(`blob ${name}`).toString('hex').padEnd(64, '0').slice(0, 64)}`;

/** A context beyond what the model was trained for is reduced. */
function runnerOptions(body: Readonly<Record<string, unknown>>, model: OllamaModel): Partial<RunnerOptions> {
  const { num_ctx: asked } = (body['options'] ?? {}) as { readonly num_ctx?: number };
  return {
    ...(asked !== undefined && { contextTokens: Math.min(asked, model.contextTokens ?? 40_960) }),
    ...(typeof body['shift'] === 'boolean' && { shift: body['shift'] }),
    ...(body['keep_alive'] !== undefined && { keepAlive: body['keep_alive'] as string | number }),
  };
}

const wordsIn = ({ messages, prompt }: Readonly<Record<string, unknown>>): number =>
  JSON.stringify(messages ?? prompt ?? '').split(/\s+/).length;

/** An error of llama-server, as text within Ollama's own error. */
const tooLongFor = (promptTokens: number, contextTokens: number): object => {
  const message = `request (${promptTokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`;
  const sizes = { n_prompt_tokens: promptTokens, n_ctx: contextTokens };
  return { error: JSON.stringify({ error: { code: 400, message, type: 'exceed_context_size_error', ...sizes } }) };
};
