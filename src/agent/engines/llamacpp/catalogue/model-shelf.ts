import { BehaviorSubject } from 'rxjs';
import type { Clock } from '../../../../kernel/clock.js';
import type { EngineModel } from '../../engine.js';
import type { Binding, Llama } from '../binding.js';
import { LoadedModel } from '../generation/loaded-model.js';
import { listGgufFiles, type GgufFile } from './gguf-files.js';
import { readGgufFacts, type GgufFacts } from './gguf-facts.js';

export interface ModelShelfOptions {
  readonly modelsDirectory: string;
  readonly load: 'all' | readonly string[];
  readonly slots: number;
  readonly contextTokens: number;
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

interface Entry {
  readonly file: GgufFile;
  readonly facts: GgufFacts;
  state: EngineModel['state'];
  loaded?: LoadedModel;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The models of one folder: which there are, and those of them that are in memory. Nothing is loaded because somebody asks for it. */
export class ModelShelf {
  readonly models = new BehaviorSubject<readonly EngineModel[]>([]);
  private readonly entries = new Map<string, Entry>();
  /** Files that are no models, by the version that was looked at. */
  private readonly rejected = new Map<string, string>();
  private readonly stopping = new AbortController();
  /** One refresh and one load at a time: two loads at once would each count on the same free memory. */
  private refreshing: Promise<void> = Promise.resolve();
  private loading: Promise<void> = Promise.resolve();

  constructor(
    private readonly binding: Binding,
    private readonly llama: Llama,
    private readonly options: ModelShelfOptions,
  ) {}

  loaded(engineModel: string): LoadedModel | undefined {
    return this.entries.get(engineModel)?.loaded;
  }

  /** Brings the list in line with the folder; what is to be loaded loads afterwards. */
  refresh(): Promise<void> {
    this.refreshing = this.refreshing.then(() => this.readFolder());
    return this.refreshing;
  }

  /** Leaves the memory to whoever disposes of llama.cpp. */
  async close(): Promise<void> {
    this.stopping.abort(new Error('the engine stops'));
    await this.refreshing;
    await this.loading;
    this.entries.clear();
    this.publish();
  }

  private async readFolder(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const files = new Map((await listGgufFiles(this.options.modelsDirectory)).map((file) => [file.engineModel, file]));
    const gone = [...this.entries.values()].filter(({ file }) => files.get(file.engineModel)?.version !== file.version);
    for (const entry of gone) {
      this.entries.delete(entry.file.engineModel);
      this.unload(entry);
    }
    let found = 0;
    for (const [name, file] of files) {
      if (this.entries.has(name) || this.rejected.get(name) === file.version) continue;
      if (await this.discover(file)) found += 1;
      else this.rejected.set(name, file.version);
    }
    for (const name of this.rejected.keys()) if (!files.has(name)) this.rejected.delete(name);
    if (gone.length + found > 0) this.publish();
  }

  private async discover(file: GgufFile): Promise<boolean> {
    let facts: GgufFacts | undefined;
    try {
      facts = await readGgufFacts(this.binding, file);
    } catch (error) {
      this.options.log('warn', `${file.engineModel}: not a GGUF file that can be read: ${reasonOf(error)}`);
    }
    if (facts === undefined) return false;
    const { load } = this.options;
    const wanted = !facts.report.embedding && (load === 'all' || load.includes(file.engineModel));
    const entry: Entry = { file, facts, state: wanted ? 'loading' : 'installed' };
    this.entries.set(file.engineModel, entry);
    if (wanted) this.loading = this.loading.then(() => this.load(entry));
    return true;
  }

  private async load(entry: Entry): Promise<void> {
    const { log, clock, slots, contextTokens } = this.options;
    const { engineModel, path: modelPath } = entry.file;
    const isCurrent = (): boolean => this.entries.get(engineModel) === entry;
    if (this.stopping.signal.aborted || !isCurrent()) return;
    const startedMs = clock.monotonicMs();
    try {
      const { template } = entry.facts;
      const { signal } = this.stopping;
      entry.loaded = await LoadedModel.load(this.binding, this.llama, {
        modelPath,
        template,
        slots,
        contextTokens,
        signal,
      });
      entry.state = 'loaded';
      log('info', `${engineModel}: loaded in ${Math.round(clock.monotonicMs() - startedMs)} ms`);
    } catch (error) {
      entry.state = 'failed';
      log('warn', `${engineModel}: cannot be loaded: ${reasonOf(error)}`);
    }
    if (isCurrent()) this.publish();
    else this.unload(entry);
  }

  /** Answers under way are finished first; nothing new reaches a model that has left the list. */
  private unload({ file, loaded }: Entry): void {
    void loaded?.retire().catch((error: unknown) => {
      this.options.log('warn', `${file.engineModel}: unloading failed: ${reasonOf(error)}`);
    });
  }

  private publish(): void {
    this.models.next(
      [...this.entries.values()].map(({ facts, state, loaded }) => ({
        ...facts.report,
        state,
        context_length:
          loaded?.contextTokens ?? Math.min(facts.trainContextTokens ?? Infinity, this.options.contextTokens),
      })),
    );
  }
}
