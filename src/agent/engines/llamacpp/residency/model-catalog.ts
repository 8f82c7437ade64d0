import { BehaviorSubject } from 'rxjs';
import type { EngineModel } from '../../engine.js';
import type { OperationContext } from '../../engine-management.js';
import type { Binding } from '../binding.js';
import { readGgufFacts, type GgufFacts } from '../catalogue/gguf-facts.js';
import type { UsedGpu } from '../gpu/compute-device.js';
import { listBundled, listModels, type FolderFile, type ModelFolders } from '../catalogue/models-folder.js';
import type { PinnedModels } from './pinned-models.js';
import type { Residency } from './residency.js';
import { CatalogModel, type ResidentModel } from './catalog-model.js';

interface ModelCatalogOptions {
  readonly folders: ModelFolders;
  /** Models to load, except those that the owner has loaded or unloaded. */
  readonly load: 'all' | readonly string[];
  readonly contextTokens: number | undefined;
  /** Undefined: the processor computes. */
  readonly gpu: UsedGpu | undefined;
  readonly pinned: PinnedModels;
  readonly log: (level: 'info' | 'warn', message: string) => void;
}

/** Context of loads by the configuration, which end only with the engine. */
const unattended: OperationContext = { signal: new AbortController().signal, report: () => undefined };

/** The models of the folders, kept in sync with the files. */
export class ModelCatalog {
  readonly models$ = new BehaviorSubject<readonly EngineModel[]>([]);
  private readonly models = new Map<string, CatalogModel>();
  /** Versions of files that are not models. */
  private readonly rejected = new Map<string, string>();
  private readonly bundled: ReturnType<typeof listBundled>;
  private closed = false;
  private refreshing: Promise<void> = Promise.resolve();

  constructor(
    private readonly binding: Binding,
    private readonly residency: Residency,
    private readonly options: ModelCatalogOptions,
  ) {
    this.bundled = listBundled(options.folders);
  }

  find(engineModel: string): CatalogModel | undefined {
    return this.models.get(engineModel);
  }

  loaded(engineModel: string): ResidentModel | undefined {
    return this.models.get(engineModel)?.ready;
  }

  /** Synchronises the list with the folders, then starts loads. */
  refresh(): Promise<void> {
    this.refreshing = this.refreshing.then(() => this.readFolders());
    return this.refreshing;
  }

  /** Measures free memory again, which changes the reported context of models, and what they take. */
  async measure(): Promise<void> {
    const loaded = [...this.models.values()].flatMap(({ ready }) => ready ?? []);
    await Promise.all(loaded.map(({ pool }) => pool.measure()));
    const current = this.models$.value;
    const isStale = current.some(({ engine_model: name, context_length: context, memory }) => {
      const model = this.loaded(name);
      if (model === undefined) return false;
      const taken = model.memory.ram + model.memory.vram;
      return model.contextTokens !== context || taken !== (memory?.ram_bytes ?? 0) + (memory?.vram_bytes ?? 0);
    });
    if (isStale && !this.closed) this.publish();
  }

  readonly publish = (): void => {
    const { contextTokens, gpu } = this.options;
    this.models$.next([...this.models.values()].map((model) => model.report(contextTokens, gpu)));
  };

  async close(): Promise<void> {
    this.closed = true;
    await this.residency.close();
    await this.refreshing;
    this.models.clear();
    this.publish();
  }

  private async readFolders(): Promise<void> {
    if (this.closed) return;
    const files = await listModels(this.options.folders, this.bundled);
    const gone = [...this.models.values()].filter(({ name, file }) => files.get(name)?.version !== file.version);
    for (const model of gone) {
      this.models.delete(model.name);
      this.residency.release(model);
    }
    const found: CatalogModel[] = [];
    for (const [name, file] of files) {
      if (this.models.has(name) || this.rejected.get(name) === file.version) continue;
      const facts = await this.read(file);
      if (facts === undefined) {
        this.rejected.set(name, file.version);
        continue;
      }
      const model = new CatalogModel(file, facts);
      this.models.set(name, model);
      found.push(model);
    }
    for (const name of this.rejected.keys()) if (!files.has(name)) this.rejected.delete(name);
    const wanted = found.filter((model) => this.isWanted(model));
    // Before the first list is published: `installed` would mean that no load follows.
    for (const model of wanted) model.state = 'loading';
    if (gone.length + found.length > 0) this.publish();
    for (const model of wanted) this.load(model);
  }

  private async read(file: FolderFile): Promise<GgufFacts | undefined> {
    try {
      return await readGgufFacts(this.binding, file);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.log('warn', `${file.engineModel}: not a readable GGUF file: ${reason}`);
      return undefined;
    }
  }

  private isWanted({ name, facts }: CatalogModel): boolean {
    const { load, pinned } = this.options;
    // An embedding model is served only by relays with that extension, so that it is loaded for who names it.
    const configured = load === 'all' ? !facts.report.embedding : load.includes(name);
    return (pinned.of(name)?.loaded ?? configured) && !this.closed;
  }

  private load(model: CatalogModel): void {
    // A failure is in the model's state and in the log.
    this.residency.load(model, this.options.pinned.of(model.name)?.contextTokens, unattended).catch(() => undefined);
  }
}
