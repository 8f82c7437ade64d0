/** Management operations of the built-in engine. */
import { rm, stat } from 'node:fs/promises';
import { OperationFailure, type LoadOptions, type OperationContext } from '../../engine-management.js';
import type { Binding } from '../binding.js';
import { lastTensorStart, readGgufFacts } from '../catalogue/gguf-facts.js';
import { parseGgufName } from '../catalogue/gguf-identity.js';
import { diskFailure } from '../download/transfer-failure.js';
import { abortable } from '../generation/abortable.js';
import type { ModelCatalog } from '../residency/model-catalog.js';
import type { PinnedModels } from '../residency/pinned-models.js';
import type { Residency } from '../residency/residency.js';
import type { LoadUnderWay, CatalogModel } from '../residency/catalog-model.js';
import { ModelInstaller, type ModelInstallerOptions } from './model-installer.js';
import type { ModelFolders } from '../catalogue/models-folder.js';
import { sizeText } from '../size-text.js';

interface ModelOperationsOptions extends Pick<
  ModelInstallerOptions,
  'env' | 'userAgent' | 'installSources' | 'maxModelBytes' | 'freeDiskBytes' | 'retryBackoff' | 'stallTimeoutMs'
> {
  readonly binding: Binding;
  readonly folders: ModelFolders;
  readonly load: 'all' | readonly string[];
  readonly catalog: ModelCatalog;
  readonly residency: Residency;
  readonly pinned: PinnedModels;
}

export class ModelOperations {
  private readonly installer: ModelInstaller;

  constructor(private readonly options: ModelOperationsOptions) {
    const { pinned, load, folders } = options;
    this.installer = new ModelInstaller({
      ...options,
      directory: folders.installed,
      inspect: (file, engineModel) => this.inspect(file, engineModel),
      // An installation does not load the model, also with the setting to load all models at the start.
      onReady: (engineModel) =>
        load === 'all' ? pinned.set(engineModel, { loaded: false, contextTokens: undefined }) : Promise.resolve(),
    });
  }

  /**
   * Waits while another model loads. A model loaded with another context is unloaded first.
   * @throws OperationFailure, the signal's reason
   */
  async load(engineModel: string, { contextTokens }: LoadOptions, context: OperationContext): Promise<void> {
    const { residency, pinned } = this.options;
    const model = this.known(engineModel);
    const { trainContextTokens } = model.facts;
    if (contextTokens !== undefined && trainContextTokens !== null && contextTokens > trainContextTokens) {
      throw new OperationFailure(
        'unsupported',
        `${engineModel} was trained for ${trainContextTokens} tokens of context: load it with at most that, not with ${contextTokens}`,
      );
    }
    // Awaits a load that the configuration or the persisted state has started.
    while (model.loading !== undefined) await abortable(model.loading.over, context.signal);
    if (model.state === 'unloading') throw busy(model);
    const hasContext = contextTokens === undefined || contextTokens === model.contextTokens;
    if (model.state !== 'loaded' || !hasContext) {
      await residency.unload(model, context);
      await residency.load(model, contextTokens, context);
    }
    await pinned.set(engineModel, { loaded: true, contextTokens: model.contextTokens });
  }

  /** Cancels a running load, too. @throws OperationFailure, the signal's reason */
  async unload(engineModel: string, context: OperationContext): Promise<void> {
    const { residency, pinned } = this.options;
    const model = this.known(engineModel);
    if (model.state === 'unloading') throw busy(model);
    if (model.loading !== undefined) await giveUp(model.name, model.loading);
    await residency.unload(model, context);
    await pinned.set(engineModel, { loaded: false, contextTokens: undefined });
  }

  /** @returns the engine's name of the model. @throws OperationFailure, the signal's reason */
  async install(source: string, context: OperationContext): Promise<string> {
    const { catalog, folders } = this.options;
    await catalog.refresh();
    const isTaken = (name: string): boolean => catalog.find(name)?.file.removable === false;
    const engineModel = await this.installer.install(source, context, isTaken);
    await catalog.refresh();
    if (catalog.find(engineModel) !== undefined) return engineModel;
    throw new OperationFailure('engine_error', `${engineModel} is missing from ${folders.installed}`);
  }

  /** Unloads the model first if necessary. @throws OperationFailure, the signal's reason */
  async remove(engineModel: string, context: OperationContext): Promise<void> {
    const { catalog, residency, pinned, folders } = this.options;
    const model = this.known(engineModel);
    if (!model.file.removable) {
      throw new OperationFailure(
        'unsupported',
        `${engineModel} is bundled with Ferry and cannot be removed; unload it to free its memory`,
      );
    }
    if (model.state === 'unloading') throw busy(model);
    if (model.loading !== undefined) await giveUp(model.name, model.loading);
    await residency.unload(model, context);
    context.report({ phase: 'removing', completedBytes: null, totalBytes: null });
    try {
      for (const file of model.file.paths) await rm(file, { force: true });
    } catch (error) {
      throw diskFailure(error, folders.installed) ?? error;
    }
    await pinned.forget(engineModel);
    await catalog.refresh();
  }

  private known(engineModel: string): CatalogModel {
    const model = this.options.catalog.find(engineModel);
    if (model !== undefined) return model;
    throw new OperationFailure(
      'unknown_model',
      `there is no model ${engineModel} in the folders of the built-in engine`,
    );
  }

  /** Refuses files that the catalog would not list. */
  private async inspect(file: string, engineModel: string): Promise<void> {
    const name = { ...parseGgufName(`${engineModel}.gguf`), path: file, paths: [file], sizeBytes: 0, version: '' };
    const [facts, lastStart, { size }] = await Promise.all([
      readGgufFacts(this.options.binding, name),
      lastTensorStart(this.options.binding, file),
      stat(file),
    ]).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperationFailure('invalid_source', `${engineModel} is not a readable GGUF file: ${reason}`);
    });
    if (lastStart >= size) {
      throw new OperationFailure(
        'invalid_source',
        `${engineModel} is cut off: it has ${sizeText(size)} and needs more than ${sizeText(lastStart)}. Download it again`,
      );
    }
    if (facts !== undefined) return;
    throw new OperationFailure('invalid_source', `${engineModel} is part of another model, not a model itself`);
  }
}

async function giveUp(name: string, loading: LoadUnderWay): Promise<void> {
  loading.giveUp(new OperationFailure('model_busy', `${name} was unloaded before it was loaded`));
  await loading.over;
}

const busy = ({ name, state }: CatalogModel): OperationFailure =>
  new OperationFailure('model_busy', `${name} is ${state}: wait for that, or cancel it`);
