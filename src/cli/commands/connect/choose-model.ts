import type { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { pickModel } from '../models/find-model.js';
import { limitsOf, loadedModels, type LoadedModel } from '../models/loaded-models.js';
import type { ProgramAccess } from './programs/program.js';

export type ChosenModel = Pick<ProgramAccess, 'model' | 'isLoaded' | 'limits' | 'images' | 'tools' | 'models'>;

interface Choice {
  readonly model?: string | undefined;
  /** The model that the program uses now: kept while it is loaded, unless it was for trying out. */
  readonly used: string | undefined;
  /** Without a loaded model a placeholder will do. */
  readonly mayBeMissing: boolean;
}

/** @throws CliError when the model does not exist, or none is loaded */
export async function chooseModel(api: ManagementApi, { model, used, mayBeMissing }: Choice): Promise<ChosenModel> {
  const [models, nodes] = await Promise.all([api.list('/api/models'), api.list('/api/nodes')]);
  const loaded = loadedModels(models, nodes);
  if (model === undefined) {
    const first = loaded.find(({ id, isTrial }) => id === used && !isTrial) ?? loaded[0];
    if (first !== undefined) return chosen(first.id, loaded);
    if (mayBeMissing) return chosen('MODEL', loaded);
    throw new CliError('no_model_loaded', exitCodes.noEligibleNode, 'no model is loaded', {
      hint: 'ferry run NAME, or choose an installed one with -m MODEL',
    });
  }
  return chosen(pickModel(models, model).id, loaded);
}

/** Programs receive these facts of a model. One that is not loaded is listed too, without limits: it may be loaded with any. */
export function chosen(id: string, loaded: readonly LoadedModel[]): ChosenModel {
  const found = loaded.find((model) => model.id === id);
  const facts: LoadedModel = found ?? {
    id,
    selector: id,
    ...limitsOf(null),
    images: false,
    tools: null,
    isTrial: false,
  };
  return {
    model: id,
    isLoaded: found !== undefined,
    limits: { contextTokens: facts.contextTokens, outputTokens: facts.outputTokens },
    images: facts.images,
    tools: facts.tools,
    models: [facts, ...loaded.filter((model) => model.id !== id)],
  };
}
