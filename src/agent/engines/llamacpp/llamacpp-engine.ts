/** The built-in engine: llama.cpp in this process, over the GGUF files of one folder (design §8). */
import { availableParallelism } from 'node:os';
import { BehaviorSubject, type Observable } from 'rxjs';
import type { Clock } from '../../../kernel/clock.js';
import type { EngineFact } from '../../../link/messages.js';
import type { Engine, EngineAnswer, EngineCall, EngineModel } from '../engine.js';
import { EngineNotInstalled, loadBinding, type Binding, type Llama } from './binding.js';
import { listGgufFiles, type GgufFile } from './catalogue/gguf-files.js';
import { readGgufFacts, type GgufFacts } from './catalogue/gguf-facts.js';
import { modelNotLoaded } from './failures.js';
import { LoadedModel } from './generation/loaded-model.js';
import { runChat, runCompletion } from './routes.js';

export interface LlamacppEngineOptions {
  readonly name?: string;
  /** Folder with node-llama-cpp in its `node_modules`. */
  readonly enginePackageDirectory: string;
  readonly modelsDirectory: string;
  /** File names without `.gguf` of the models to keep in memory. */
  readonly load: 'all' | readonly string[];
  /** Requests at once, per model: each is a sequence with a KV cache of its own. */
  readonly slots?: number;
  /** Tokens of prompt and answer together, per slot, at most what the model was trained for. Memory grows with it and with the slots. */
  readonly contextTokens?: number;
  /** Compute threads. More than the cores that are free makes llama.cpp crawl: its threads wait for each other actively. */
  readonly threads?: number;
  /** How often the folder is looked at. */
  readonly rescanMs?: number;
  readonly clock: Clock;
  readonly log?: (level: 'info' | 'warn', message: string) => void;
}

const DEFAULT_SLOTS = 4;
const DEFAULT_CONTEXT_TOKENS = 8_192;
const DEFAULT_RESCAN_MS = 2_000;

interface Entry {
  readonly file: GgufFile;
  readonly facts: GgufFacts;
  state: EngineModel['state'];
  loaded?: LoadedModel;
}

export const createLlamacppEngine = (options: LlamacppEngineOptions): Engine => new LlamacppEngine(options);

class LlamacppEngine implements Engine {
  readonly kind = 'llamacpp';
  readonly name: string;
  readonly slots: number;
  private readonly models = new BehaviorSubject<readonly EngineModel[]>([]);
  private readonly entries = new Map<string, Entry>();
  /** Files that are no models; looked at again when they change. */
  private readonly rejected = new Map<string, string>();
  private readonly stopping = new AbortController();
  private readonly contextTokens: number;
  private engine: { readonly binding: Binding; readonly llama: Llama } | undefined;
  private rescan: NodeJS.Timeout | undefined;
  private refreshing: Promise<void> = Promise.resolve();
  private loading: Promise<void> = Promise.resolve();

  constructor(private readonly options: LlamacppEngineOptions) {
    this.name = options.name ?? 'llamacpp';
    this.slots = options.slots ?? DEFAULT_SLOTS;
    this.contextTokens = options.contextTokens ?? DEFAULT_CONTEXT_TOKENS;
  }

  get models$(): Observable<readonly EngineModel[]> {
    return this.models;
  }

  facts(): EngineFact {
    const version = this.engine && `node-llama-cpp ${this.engine.binding.version}, llama.cpp ${this.release}`;
    return { name: this.name, kind: this.kind, version: version ?? null };
  }

  /** Resolves when the folder has been read; models load one after the other behind it. Without its packages the engine stays empty. */
  async start(): Promise<void> {
    try {
      const binding = await loadBinding(this.options.enginePackageDirectory);
      const llama = await binding.llamaCpp.getLlama({
        gpu: false,
        build: 'never',
        skipDownload: true,
        progressLogs: false,
        maxThreads: this.options.threads ?? Math.max(1, availableParallelism() - 1),
        logLevel: 'warn',
        logger: (_level, message) => this.log('warn', `llama.cpp: ${message.trim()}`),
      });
      this.engine = { binding, llama };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log('warn', error instanceof EngineNotInstalled ? reason : `the built-in engine cannot start: ${reason}`);
      return;
    }
    await this.refresh();
    this.rescan = setInterval(() => {
      this.refreshing = this.refreshing.then(() => this.refresh());
    }, this.options.rescanMs ?? DEFAULT_RESCAN_MS).unref();
  }

  /** Runs that are under way fail. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the engine stops'));
    clearInterval(this.rescan);
    await this.refreshing;
    await this.loading;
    this.entries.clear();
    this.publish();
    await this.engine?.llama.dispose();
    this.engine = undefined;
  }

  async run(call: EngineCall): Promise<EngineAnswer> {
    const model = this.entries.get(call.engineModel)?.loaded;
    if (model === undefined) throw modelNotLoaded(call.engineModel);
    const { engineModel, body, stream, signal } = call;
    const routeCall = { model, engineModel, fingerprint: `llama.cpp-${this.release}`, body, stream, signal, clock: this.options.clock };
    switch (call.route) {
      case 'chat':
        return runChat(routeCall);
      case 'completions':
        return runCompletion(routeCall);
      default:
        return call.route satisfies never;
    }
  }

  private get release(): string {
    return this.engine?.llama.llamaCppRelease.release ?? 'unknown';
  }

  private log(level: 'info' | 'warn', message: string): void {
    this.options.log?.(level, message);
  }

  /** Brings the list in line with the folder. Never throws: a folder that cannot be read is an empty one. */
  private async refresh(): Promise<void> {
    const { engine } = this;
    if (engine === undefined || this.stopping.signal.aborted) return;
    const files = new Map((await listGgufFiles(this.options.modelsDirectory)).map((file) => [file.engineModel, file]));
    let changed = false;
    for (const [name, entry] of this.entries) {
      if (files.get(name)?.version === entry.file.version) continue;
      this.entries.delete(name);
      changed = true;
      this.unload(entry);
    }
    for (const [name, file] of files) {
      if (this.entries.has(name) || this.rejected.get(name) === file.version) continue;
      const entry = await this.discover(engine.binding, file);
      if (entry === undefined) {
        this.rejected.set(name, file.version);
        continue;
      }
      this.entries.set(name, entry);
      if (entry.state === 'loading') this.loading = this.loading.then(() => this.load(entry));
      changed = true;
    }
    for (const name of this.rejected.keys()) if (!files.has(name)) this.rejected.delete(name);
    if (changed) this.publish();
  }

  private async discover(binding: Binding, file: GgufFile): Promise<Entry | undefined> {
    let facts: GgufFacts | undefined;
    try {
      facts = await readGgufFacts(binding, file);
    } catch (error) {
      this.log('warn', `${file.engineModel}: not a GGUF file that can be read: ${error instanceof Error ? error.message : 'unknown reason'}`);
    }
    if (facts === undefined) return undefined;
    const { load } = this.options;
    const wanted = !facts.report.embedding && (load === 'all' || load.includes(file.engineModel));
    return { file, facts, state: wanted ? 'loading' : 'installed' };
  }

  private async load(entry: Entry): Promise<void> {
    const { engine } = this;
    const isCurrent = (): boolean => this.entries.get(entry.file.engineModel) === entry;
    if (engine === undefined || this.stopping.signal.aborted || !isCurrent()) return;
    const startedMs = this.options.clock.monotonicMs();
    try {
      entry.loaded = await LoadedModel.load(engine.binding, engine.llama, {
        modelPath: entry.file.path,
        template: entry.facts.template,
        slots: this.slots,
        contextTokens: this.contextTokens,
        signal: this.stopping.signal,
      });
      entry.state = 'loaded';
      this.log('info', `${entry.file.engineModel}: loaded in ${Math.round(this.options.clock.monotonicMs() - startedMs)} ms`);
    } catch (error) {
      entry.state = 'failed';
      this.log('warn', `${entry.file.engineModel}: cannot be loaded: ${error instanceof Error ? error.message : 'unknown reason'}`);
    }
    if (isCurrent()) this.publish();
    else this.unload(entry);
  }

  /** Answers under way are finished first; nothing new reaches a model that has left the list. */
  private unload({ loaded }: Entry): void {
    void loaded?.retire().catch((error: unknown) => {
      this.log('warn', `unloading failed: ${error instanceof Error ? error.message : 'unknown reason'}`);
    });
  }

  private publish(): void {
    this.models.next(
      [...this.entries.values()].map(({ facts, state, loaded }) => ({
        ...facts.report,
        state,
        context_length: loaded?.contextTokens ?? Math.min(facts.trainContextTokens ?? Infinity, this.contextTokens),
      })),
    );
  }
}
