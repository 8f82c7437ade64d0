/**
 * A fake LM Studio (docs/reference/engines.md#lm-studio), documented, not recorded: the shapes are those of its REST documentation.
 * Like the original it loads any model that an inference request names, loads a model twice when asked twice, and reports every error
 * with status 200.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { respondToChat } from './chat-responses.js';
import { FakeServer, type FakeRequest } from './fake-server.js';

export interface StudioModel {
  readonly key: string;
  readonly type?: 'llm' | 'vlm' | 'embedding';
  readonly format?: 'gguf' | 'mlx';
}

export interface StudioOptions {
  readonly models: readonly StudioModel[];
  readonly loaded?: readonly string[];
  /** Versions before 0.4 have only the older list and no management routes. */
  readonly api?: 'v1' | 'v0';
  readonly loadMs?: number;
}

interface Instance {
  readonly id: string;
  readonly key: string;
  readonly contextTokens: number;
}

interface Job {
  readonly source: string;
  downloaded: number;
}

const JOB_BYTES = 2_279_145_003;
const DEFAULT_CONTEXT = 4_096;

export class FakeLmStudio {
  /** The cause of each load. With a correct adapter `inference` does not occur. */
  readonly loads: { readonly model: string; readonly by: 'command' | 'inference' }[] = [];
  readonly inferences: Readonly<Record<string, unknown>>[] = [];
  readonly commands: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[] = [];
  /** Bodies of the next inference responses, all with status 200. */
  saysInstead: unknown;
  /** State of a download from the next request on. */
  downloadState: 'downloading' | 'paused' | 'failed' = 'downloading';
  private readonly models = new Map<string, StudioModel>();
  private instances: Instance[] = [];
  private readonly jobs = new Map<string, Job>();

  private constructor(
    private readonly server: FakeServer,
    private readonly options: StudioOptions,
  ) {
    for (const model of options.models) this.models.set(model.key, model);
    for (const key of options.loaded ?? []) this.enter(key, DEFAULT_CONTEXT);
    server.on('GET /v1/models', (request) => {
      request.json(200, { object: 'list', data: [...this.models.keys()].map((id) => ({ id, object: 'model' })) });
    });
    server.on('GET /api/v0/models', (request) => {
      request.json(200, { object: 'list', data: [...this.models.values()].map((model) => this.oldEntry(model)) });
    });
    server.on('POST /v1/chat/completions', (request) => this.infer(request));
    server.on('POST /v1/completions', (request) => this.infer(request));
    if (options.api === 'v0') return;
    server.on('GET /api/v1/models', (request) => {
      request.json(200, { models: [...this.models.values()].map((model) => this.entry(model)) });
    });
    server.on('POST /api/v1/models/load', (request) => this.load(request));
    server.on('POST /api/v1/models/unload', (request) => {
      this.unload(request);
    });
    server.on('POST /api/v1/models/download', (request) => {
      this.download(request);
    });
    server.on('GET /api/v1/models/download/status/*', (request) => {
      this.tellDownload(request);
    });
  }

  static async start(options: StudioOptions): Promise<FakeLmStudio> {
    const server = await FakeServer.start((request) => {
      request.json(200, { error: `Unexpected endpoint or method. (${request.method} ${request.path})` });
    });
    return new FakeLmStudio(server, options);
  }

  get url(): string {
    return this.server.url;
  }

  inferenceCalls(): number {
    return this.server.inferenceCalls();
  }

  instanceIds(): string[] {
    return this.instances.map(({ id }) => id);
  }

  /** As after the idle timeout, or for a model that was loaded on demand. */
  evict(key: string): void {
    this.instances = this.instances.filter((instance) => instance.key !== key);
  }

  /** Another instance of the model, which the owner can load by hand. */
  enter(key: string, contextTokens: number): Instance {
    const others = this.instances.filter((instance) => instance.key === key).length;
    const instance = { id: others === 0 ? key : `${key}:${others + 1}`, key, contextTokens };
    this.instances.push(instance);
    return instance;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }

  private entry({ key, type = 'llm', format = 'gguf' }: StudioModel): object {
    const common = {
      type: type === 'embedding' ? 'embedding' : 'llm',
      publisher: key.split('/')[0],
      key,
      display_name: `The ${key}`,
      quantization: { name: 'Q4_K_M', bits_per_weight: 4 },
      size_bytes: 4_912_898_304,
      params_string: '8B',
      loaded_instances: this.instances
        .filter((instance) => instance.key === key)
        .map(({ id, contextTokens }) => ({
          id,
          config: { context_length: contextTokens, eval_batch_size: 512, parallel: 6, flash_attention: true },
        })),
      max_context_length: 40_960,
      format,
    };
    if (type === 'embedding') return common;
    const capabilities = {
      vision: type === 'vlm',
      trained_for_tool_use: true,
      ...(key.includes('qwen3') ? { reasoning: { allowed_options: ['off', 'on'], default: 'on' } } : {}),
    };
    return { ...common, architecture: 'qwen3', capabilities, description: null };
  }

  private oldEntry({ key, type = 'llm', format = 'gguf' }: StudioModel): object {
    const instance = this.instances.find((candidate) => candidate.key === key);
    return {
      id: key,
      object: 'model',
      type: type === 'embedding' ? 'embeddings' : type,
      publisher: key.split('/')[0],
      arch: 'qwen3',
      compatibility_type: format,
      quantization: 'Q4_K_M',
      state: instance === undefined ? 'not-loaded' : 'loaded',
      max_context_length: 40_960,
      ...(instance === undefined ? {} : { loaded_context_length: instance.contextTokens }),
      capabilities: ['tool_use'],
    };
  }

  private async load(request: FakeRequest): Promise<void> {
    const { model, context_length: contextTokens = DEFAULT_CONTEXT } = request.body;
    this.commands.push({ path: request.path, body: request.body });
    const key = String(model);
    if (!this.models.has(key)) {
      request.json(404, { error: { type: 'model_not_found', message: `Model "${key}" not found` } });
      return;
    }
    if (key.includes('too-large')) {
      request.json(200, { error: 'Model loading was stopped due to insufficient system resources.' });
      return;
    }
    await delay(this.options.loadMs ?? 1);
    this.loads.push({ model: key, by: 'command' });
    const { id } = this.enter(key, Number(contextTokens));
    request.json(200, { type: 'llm', instance_id: id, load_time_seconds: 0.1, status: 'loaded' });
  }

  private unload(request: FakeRequest): void {
    const id = String(request.body['instance_id']);
    this.commands.push({ path: request.path, body: request.body });
    if (!this.instances.some((instance) => instance.id === id)) {
      request.json(404, { error: { type: 'model_not_found', message: `Model instance "${id}" not found` } });
      return;
    }
    this.instances = this.instances.filter((instance) => instance.id !== id);
    request.json(200, { instance_id: id });
  }

  private download(request: FakeRequest): void {
    const source = String(request.body['model']);
    this.commands.push({ path: request.path, body: request.body });
    if (source.includes('nowhere')) {
      request.json(200, { error: `Model "${source}" does not exist in the catalog` });
    } else if (this.models.has(source)) request.json(200, { status: 'already_downloaded' });
    else {
      const id = `job_${this.jobs.size + 1}`;
      this.jobs.set(id, { source, downloaded: 0 });
      request.json(200, { job_id: id, status: 'downloading', total_size_bytes: JOB_BYTES, started_at: 'now' });
    }
  }

  private tellDownload(request: FakeRequest): void {
    const id = request.path.split('/').at(-1) ?? '';
    const job = this.jobs.get(id);
    if (job === undefined) {
      request.json(404, { error: { message: `Download job "${id}" not found` } });
      return;
    }
    const described = { job_id: id, total_size_bytes: JOB_BYTES, downloaded_bytes: job.downloaded };
    if (this.downloadState === 'failed') request.json(200, { ...described, status: 'failed' });
    else if (this.downloadState === 'paused') {
      request.json(200, { ...described, status: 'paused' });
      this.downloadState = 'downloading';
    } else if (job.downloaded < JOB_BYTES || job.source.includes('endless')) {
      request.json(200, { ...described, status: 'downloading', bytes_per_second: 1_000 });
      job.downloaded = JOB_BYTES;
    } else {
      const key = job.source.replace(/^https:\/\/huggingface\.co\/[^/]+\//, 'found/').toLowerCase();
      this.models.set(key, { key });
      request.json(200, { ...described, status: 'completed' });
    }
  }

  private async infer(request: FakeRequest): Promise<void> {
    const { body } = request;
    this.inferences.push(body);
    if (this.saysInstead !== undefined) {
      request.json(200, this.saysInstead);
      return;
    }
    if (typeof body['tool_choice'] === 'object' && body['tool_choice'] !== null) {
      request.json(400, { error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required" });
      return;
    }
    const asked = String(body['model']);
    if (!this.instances.some(({ id }) => id === asked)) {
      // Loads on demand, which the node has to prevent.
      this.loads.push({ model: asked, by: 'inference' });
      this.enter(asked, DEFAULT_CONTEXT);
    }
    await respondToChat(request, {});
  }
}
