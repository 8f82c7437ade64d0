/** Capabilities of models configured in `engines.json`. They override reported and learned ones. */
import { z } from 'zod';
import type { InputKind } from '../../kernel/dialect.js';
import type { EngineModel } from './engine.js';
import { contextTokensField, inputsField } from './entry-fields.js';

const MAX_CONFIGURED_MODELS = 1_000;

const modelField = z.strictObject({
  tools: z.boolean().optional(),
  inputs: inputsField.optional(),
  reasoning: z.boolean().optional(),
  context_tokens: contextTokensField.optional(),
  /** It is only displayed; the engine's report remains the identity of the model. */
  display_name: z.string().min(1).max(200).optional(),
});
type ConfiguredModel = z.output<typeof modelField>;

/** `models` of every entry, by the engine's own name of the model. */
export const modelsField = z
  .record(z.string().min(1).max(400), modelField)
  .refine((models) => Object.keys(models).length <= MAX_CONFIGURED_MODELS, `at most ${MAX_CONFIGURED_MODELS} models`);

export interface ConfiguredCapabilities {
  /** Applies to all models of the engine: the entry's own `tools` and `inputs`. */
  readonly all: { readonly tools?: boolean | undefined; readonly inputs?: readonly InputKind[] | undefined };
  readonly models: Readonly<Record<string, ConfiguredModel>>;
}

export const nothingConfigured: ConfiguredCapabilities = { all: {}, models: {} };

export interface ConfiguredFacts extends Omit<ConfiguredModel, 'inputs'> {
  readonly inputs?: readonly InputKind[] | undefined;
}

/** Configuration of one model: its own entry, else that of its engine. */
export function configuredFor({ all, models }: ConfiguredCapabilities, engineModel: string): ConfiguredFacts {
  const own = Object.hasOwn(models, engineModel) ? models[engineModel] : undefined;
  return { ...own, tools: own?.tools ?? all.tools, inputs: own?.inputs ?? all.inputs };
}

/** The model with configured values in place of reported ones. */
export function asConfigured(reported: EngineModel, configured: ConfiguredFacts): EngineModel {
  const { untried_inputs: untried, ...model } = reported;
  return {
    ...model,
    ...(untried !== undefined && configured.inputs === undefined && { untried_inputs: untried }),
    display_name: configured.display_name ?? model.display_name,
    context_length: configured.context_tokens ?? model.context_length,
    inputs: configured.inputs === undefined ? model.inputs : withText(configured.inputs),
    tools: configured.tools ?? model.tools,
    reasoning: configured.reasoning ?? model.reasoning,
  };
}

/** Every model reads text, so the configuration may omit it. */
const withText = (inputs: readonly InputKind[]): InputKind[] => [...new Set<InputKind>(['text', ...inputs])];
