/** Reads `GET /v1/models` of OpenAI-compatible engines. */
import { isJsonObject } from '../../../kernel/json-object.js';
import { inputKinds, type InputKind, type ModelState } from '../../../kernel/dialect.js';
import { documentRoutes, engineRoutes, type DocumentRoute, type EngineModel, type EngineRoute } from '../engine.js';
import { describeModel, positiveCount, readModels, shortText } from './model-facts.js';

interface ModelListOptions {
  readonly stateOf: (engineModel: string) => ModelState;
  readonly routes: readonly (EngineRoute | DocumentRoute)[];
}

/** Undefined when the response is no list of models. */
export function readModelList(response: unknown, options: ModelListOptions): EngineModel[] | undefined {
  if (!isJsonObject(response)) return undefined;
  return readModels(response['data'], 'id', (id, entry) =>
    describeModel(id, {
      state: options.stateOf(id),
      ...servedRoutes(options.routes),
      ...listedFacts(entry),
      ...untriedInputs(entry),
    }),
  );
}

function servedRoutes(
  routes: ModelListOptions['routes'],
): Pick<EngineModel, 'dialects' | 'extension_routes' | 'embedding'> {
  const dialects = engineRoutes.filter((route) => routes.includes(route));
  const extension_routes = documentRoutes.filter((route) => routes.includes(route));
  return { dialects, extension_routes, embedding: dialects.length === 0 };
}

/** For an engine that does not say: tried, and learned from a refusal. */
export const untriedExtensions = (): Pick<EngineModel, 'extension_routes'> => ({ extension_routes: documentRoutes });

/** Facts in an entry of the list, from the fields of llama.cpp, vLLM and others. */
export function listedFacts(
  entry: Record<string, unknown>,
): Pick<EngineModel, 'quantization' | 'size_bytes' | 'context_length' | 'inputs'> {
  const meta = isJsonObject(entry['meta']) ? entry['meta'] : {};
  return {
    quantization: shortText(meta['ftype']),
    size_bytes: positiveCount(meta['size']),
    context_length:
      positiveCount(entry['max_model_len']) ??
      positiveCount(meta['n_ctx']) ??
      positiveCount(entry['context_length']) ??
      positiveCount(entry['max_context_length']) ??
      positiveCount(meta['n_ctx_train']),
    inputs: inputsOf(entry),
  };
}

function inputsOf(entry: Record<string, unknown>): InputKind[] {
  const modalities = modalitiesIn(entry);
  return inputKinds.filter((kind) => kind === 'text' || modalities?.includes(kind));
}

/** For an engine that has no other way to say whether a model sees: images are tried. */
export const untriedInputs = (entry: Record<string, unknown>): Pick<EngineModel, 'untried_inputs'> =>
  modalitiesIn(entry) === undefined ? { untried_inputs: ['image'] } : {};

function modalitiesIn({ architecture }: Record<string, unknown>): readonly unknown[] | undefined {
  const modalities: unknown = isJsonObject(architecture) ? architecture['input_modalities'] : undefined;
  return Array.isArray(modalities) ? modalities : undefined;
}
