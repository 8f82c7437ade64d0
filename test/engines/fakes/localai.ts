/**
 * A fake LocalAI, `documented, not recorded` (docs/reference/engines.md#other-engines): it loads the model that a request names, unloads
 * models by itself, reports 100 percent for install jobs that are not yet processed, and reports errors as an empty object with a message.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { respondToChat } from './chat-responses.js';
import { FakeServer, type FakeRequest } from './fake-server.js';

const LOAD_MS = 80;
const JOB_STEPS = 4;
const TOTAL_BYTES = 8_000_000;

interface Job {
  readonly model: string;
  step: number;
  cancelled: boolean;
}

export class LocalAi {
  readonly resident = new Set(['chatty']);
  readonly cancelledJobs: string[] = [];
  private readonly models = new Map<string, readonly string[]>([
    ['chatty', ['chat', 'vision']],
    ['quiet', ['chat']],
    ['whisper', ['transcript']],
    ['embedder', ['embeddings']],
  ]);
  private readonly jobs = new Map<string, Job>();

  private constructor(readonly server: FakeServer) {
    server.on('GET /version', (request) => request.json(200, { version: 'v4.8.2' }));
    server.on('GET /system', (request) =>
      request.json(200, { backends: ['llama-cpp'], loaded_models: [...this.resident].map((id) => ({ id })) }),
    );
    server.on('GET /v1/models', (request) => {
      request.json(200, { object: 'list', data: [...this.models.keys()].map((id) => ({ id, object: 'model' })) });
    });
    server.on('GET /v1/models/capabilities', (request) => this.capabilities(request));
    server.on('POST /v1/chat/completions', (request) => this.chat(request));
    server.on('POST /backend/load', (request) => this.load(request));
    server.on('POST /backend/shutdown', (request) => this.shutdown(request));
    server.on('POST /models/apply', (request) => this.apply(request));
    server.on('GET /models/jobs/*', (request) => this.job(request));
    server.on('POST /models/delete/*', (request) => {
      const name = decodeURIComponent(request.path.split('/').at(-1) ?? '');
      this.resident.delete(name);
      this.models.delete(name);
      request.json(200, { uuid: 'delete-1', status: 'accepted' });
    });
  }

  static async start(): Promise<LocalAi> {
    return new LocalAi(
      await FakeServer.start((request) =>
        request.json(404, { error: { code: 404, message: 'Resource not found', type: '' } }),
      ),
    );
  }

  private capabilities(request: FakeRequest): void {
    const data = [...this.models].map(([id, capabilities]) => ({
      id,
      object: 'model',
      capabilities,
      input_modalities: capabilities.includes('vision') ? ['text', 'image'] : ['text'],
      output_modalities: ['text'],
    }));
    request.json(200, { object: 'list', data });
  }

  /** Loads the model on demand. */
  private async chat(request: FakeRequest): Promise<void> {
    this.resident.add(String(request.body['model']));
    await respondToChat(request);
  }

  private async load(request: FakeRequest): Promise<void> {
    await delay(LOAD_MS, undefined, { ref: false });
    this.resident.add(String(request.body['model']));
    request.json(200, { message: 'model loaded' });
  }

  private shutdown(request: FakeRequest): void {
    this.resident.delete(String(request.body['model']));
    request.json(200, '');
  }

  private apply(request: FakeRequest): void {
    const uuid = `job-${this.jobs.size + 1}`;
    this.jobs.set(uuid, { model: String(request.body['id']).replace(/^.*@/, ''), step: 0, cancelled: false });
    this.server.on(`POST /api/operations/${uuid}/cancel`, (cancel) => {
      this.cancelledJobs.push(uuid);
      cancel.json(200, { success: true });
    });
    request.json(200, { uuid, status: `${this.server.url}/models/jobs/${uuid}` });
  }

  private job(request: FakeRequest): void {
    const job = this.jobs.get(request.path.split('/').at(-1) ?? '');
    if (job === undefined) {
      request.json(500, { error: { code: 500, message: 'could not find any status for ID', type: '' } });
      return;
    }
    if (job.model.includes('nope')) {
      request.json(200, { error: {}, processed: true, message: 'error: no model found with name "nope"', progress: 0 });
      return;
    }
    job.step += job.model.includes('slow') ? 0 : 1;
    const processed = job.step >= JOB_STEPS;
    if (processed) this.models.set(job.model, ['chat']);
    request.json(200, {
      error: null,
      processed,
      message: processed ? 'completed' : 'processing',
      progress: job.step >= JOB_STEPS - 1 ? 100 : job.step * 30,
      phase: 'downloading',
      current_bytes: Math.min(job.step / (JOB_STEPS - 1), 1) * TOTAL_BYTES,
      total_bytes: TOTAL_BYTES,
      cancellable: true,
      cancelled: job.cancelled,
    });
  }
}
