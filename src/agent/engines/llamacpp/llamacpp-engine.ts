/** The built-in engine: llama.cpp in this process, over the GGUF files of one folder (design §8). */
import { availableParallelism } from 'node:os';
import { BehaviorSubject, type Observable, type Subscription } from 'rxjs';
import type { Clock } from '../../../kernel/clock.js';
import type { EngineFact } from '../../../link/messages.js';
import type { Engine, EngineAnswer, EngineCall, EngineModel } from '../engine.js';
import { EngineNotInstalled, loadBinding, type Binding, type Llama } from './binding.js';
import { ModelShelf, type ModelShelfOptions } from './catalogue/model-shelf.js';
import { modelNotLoaded } from './failures.js';
import { runChat, runCompletion } from './routes.js';

export interface LlamacppEngineOptions {
  readonly name?: string;
  /** Folder with node-llama-cpp in its `node_modules`. */
  readonly enginePackageDirectory: string;
  readonly modelsDirectory: string;
  /** File names without `.gguf` of the models to keep in memory. */
  readonly load: 'all' | readonly string[];
  /** Requests at once: each is a sequence with a KV cache of its own, in every loaded model. */
  readonly slots?: number;
  /**
   * Tokens of prompt and answer together, per slot, at most what the model was trained for. All of it is allocated when the model loads:
   * 2 KiB per token and slot for `tiny` (64 MiB with the defaults), about 128 KiB for an 8B model (4 GiB).
   */
  readonly contextTokens?: number;
  /** Compute threads. With more than there are free cores llama.cpp crawls: its threads wait for each other actively. */
  readonly threads?: number;
  /** How often the folder is looked at. */
  readonly rescanMs?: number;
  readonly clock: Clock;
  readonly log?: (level: 'info' | 'warn', message: string) => void;
}

const DEFAULT_SLOTS = 4;
const DEFAULT_CONTEXT_TOKENS = 8_192;
const DEFAULT_RESCAN_MS = 2_000;

export const createLlamacppEngine = (options: LlamacppEngineOptions): Engine => new LlamacppEngine(options);

interface Running {
  readonly binding: Binding;
  readonly llama: Llama;
  readonly shelf: ModelShelf;
  readonly rescan: NodeJS.Timeout;
  readonly forwarding: Subscription;
}

class LlamacppEngine implements Engine {
  readonly kind = 'llamacpp';
  readonly name: string;
  readonly slots: number;
  private readonly models = new BehaviorSubject<readonly EngineModel[]>([]);
  private running: Running | undefined;

  constructor(private readonly options: LlamacppEngineOptions) {
    this.name = options.name ?? 'llamacpp';
    this.slots = options.slots ?? DEFAULT_SLOTS;
  }

  get models$(): Observable<readonly EngineModel[]> {
    return this.models;
  }

  facts(): EngineFact {
    const { name, kind, running } = this;
    return {
      name,
      kind,
      version:
        running === undefined ? null : `node-llama-cpp ${running.binding.version}, llama.cpp ${releaseOf(running)}`,
    };
  }

  /** Resolves when the folder has been read; models load one after the other behind it. Without its packages the engine stays empty. */
  async start(): Promise<void> {
    const {
      modelsDirectory,
      load,
      clock,
      contextTokens = DEFAULT_CONTEXT_TOKENS,
      rescanMs = DEFAULT_RESCAN_MS,
    } = this.options;
    const log: ModelShelfOptions['log'] = (level, message) => this.options.log?.(level, message);
    try {
      const binding = await loadBinding(this.options.enginePackageDirectory);
      const llama = await binding.llamaCpp.getLlama({
        gpu: false,
        build: 'never',
        skipDownload: true,
        progressLogs: false,
        maxThreads: this.options.threads ?? Math.max(1, availableParallelism() - 1),
        logLevel: 'warn',
        logger: (_level, message) => {
          log('warn', `llama.cpp: ${message.trim()}`);
        },
      });
      const shelf = new ModelShelf(binding, llama, {
        modelsDirectory,
        load,
        slots: this.slots,
        contextTokens,
        clock,
        log,
      });
      const rescan = setInterval(() => void shelf.refresh(), rescanMs).unref();
      this.running = { binding, llama, shelf, rescan, forwarding: shelf.models.subscribe(this.models) };
      await shelf.refresh();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log('warn', error instanceof EngineNotInstalled ? reason : `the built-in engine cannot start: ${reason}`);
    }
  }

  /** Runs that are under way fail. */
  async stop(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    if (running === undefined) return;
    clearInterval(running.rescan);
    await running.shelf.close();
    running.forwarding.unsubscribe();
    await running.llama.dispose();
  }

  async run(call: EngineCall): Promise<EngineAnswer> {
    const { engineModel, body, stream, signal } = call;
    const { running } = this;
    const model = running?.shelf.loaded(engineModel);
    if (running === undefined || model === undefined) throw modelNotLoaded(engineModel);
    const fingerprint = `llama.cpp-${releaseOf(running)}`;
    const routeCall = { model, engineModel, fingerprint, body, stream, signal, clock: this.options.clock };
    switch (call.route) {
      case 'chat':
        return runChat(routeCall);
      case 'completions':
        return runCompletion(routeCall);
      default:
        return call.route satisfies never;
    }
  }
}

const releaseOf = ({ llama }: Running): string => llama.llamaCppRelease.release;
