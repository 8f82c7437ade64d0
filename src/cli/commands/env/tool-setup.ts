/** Settings of each program (docs/reference/client-protocols.md): variables, a file, or both. */
import { limitsOf, type LoadedModel, type ModelLimits } from '../models/loaded-models.js';

export const tools = ['openai', 'anthropic', 'codex', 'claude', 'opencode', 'copilot', 'vercel'] as const;
export type Tool = (typeof tools)[number];

export interface ToolAccess {
  /** The tool appends `/v1` itself. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  /** Limits of the model; absent where they are not known. */
  readonly limits?: ModelLimits | undefined;
}

export interface ToolSetup {
  readonly variables: Readonly<Record<string, string>>;
  /** Variables to unset because they take precedence. */
  readonly unset: readonly string[];
  readonly file: { readonly path: string; readonly content: string } | null;
}

/** OpenAI's clients take the base URL with `/v1`, Anthropic's without; both get the key as a bearer token. */
export function setupOf(tool: Tool, access: ToolAccess): ToolSetup {
  const { baseUrl, apiKey } = access;
  switch (tool) {
    case 'openai':
      return { variables: { OPENAI_BASE_URL: `${baseUrl}/v1`, OPENAI_API_KEY: apiKey }, unset: [], file: null };
    case 'anthropic':
      return { variables: anthropicVariables(access), unset: ['ANTHROPIC_API_KEY'], file: null };
    case 'claude':
      return { variables: withoutUnknown(claudeVariables(access)), unset: ['ANTHROPIC_API_KEY'], file: null };
    case 'copilot':
      return { variables: withoutUnknown(copilotVariables(access)), unset: [], file: null };
    case 'codex':
      return {
        variables: keyOnly(apiKey),
        unset: [],
        file: { path: '~/.codex/config.toml', content: codexFile(access) },
      };
    case 'opencode':
      return { variables: keyOnly(apiKey), unset: [], file: { path: 'opencode.json', content: opencodeFile(access) } };
    case 'vercel':
      return { variables: keyOnly(apiKey), unset: [], file: { path: 'ferry.ts', content: vercelFile(access) } };
    default:
      return tool satisfies never;
  }
}

/** The files refer to the variable, because a key in a file may be committed by accident. */
const keyOnly = (apiKey: string): { readonly FERRY_API_KEY: string } => ({ FERRY_API_KEY: apiKey });

/** The SDK sends `ANTHROPIC_API_KEY` as `x-api-key`, not as a bearer token; `ANTHROPIC_AUTH_TOKEN` is sent as one. */
const anthropicVariables = ({ baseUrl, apiKey }: ToolAccess): Readonly<Record<string, string>> => ({
  ANTHROPIC_BASE_URL: baseUrl,
  ANTHROPIC_AUTH_TOKEN: apiKey,
});

/** Undefined where nothing is known: a value from before must go then. */
export type Variables = Readonly<Record<string, string | undefined>>;

const withoutUnknown = (variables: Variables): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const numberText = (count: number | null | undefined): string | undefined =>
  count == null ? undefined : String(count);

/**
 * Variables of Claude Code (https://code.claude.com/docs/en/env-vars, https://code.claude.com/docs/en/model-config). Every alias names a
 * model that exists here: background tasks and subagents use `haiku`, `sonnet` and `opus`. Without the window it assumes 200,000 tokens or
 * a million, and never compacts a conversation in time. The token reminder changes with every turn, which keeps engines from reusing the prompt.
 */
export const claudeVariables = (access: ToolAccess): Variables => ({
  ...anthropicVariables(access),
  ANTHROPIC_MODEL: access.model,
  // The name before ANTHROPIC_DEFAULT_HAIKU_MODEL.
  ANTHROPIC_SMALL_FAST_MODEL: access.model,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: access.model,
  ANTHROPIC_DEFAULT_SONNET_MODEL: access.model,
  ANTHROPIC_DEFAULT_OPUS_MODEL: access.model,
  ANTHROPIC_DEFAULT_FABLE_MODEL: access.model,
  CLAUDE_CODE_MAX_CONTEXT_TOKENS: numberText(access.limits?.contextTokens),
  CLAUDE_CODE_MAX_OUTPUT_TOKENS: numberText(access.limits?.outputTokens),
  CLAUDE_CODE_TOTAL_TOKENS_REMINDER: 'off',
});

/**
 * Variables of GitHub Copilot CLI, which has no file for a provider of one's own
 * (https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/use-byok-models, `copilot help providers`).
 */
export const copilotVariables = ({ baseUrl, apiKey, model, limits }: ToolAccess): Variables => ({
  COPILOT_PROVIDER_BASE_URL: `${baseUrl}/v1`,
  COPILOT_PROVIDER_API_KEY: apiKey,
  COPILOT_MODEL: model,
  COPILOT_PROVIDER_MAX_PROMPT_TOKENS: numberText(promptTokensOf(limits)),
  COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: numberText(limits?.outputTokens),
});

/** Returns the part of the window that is left for the prompt. */
export const promptTokensOf = (limits: ModelLimits | undefined): number | null =>
  limits?.contextTokens == null || limits.outputTokens === null ? null : limits.contextTokens - limits.outputTokens;

/** `[model_providers.ferry]` of Codex, without the key. */
export const codexProvider = ({ baseUrl }: Pick<ToolAccess, 'baseUrl'>): Readonly<Record<string, string>> => ({
  name: 'Ferry',
  base_url: `${baseUrl}/v1`,
  wire_api: 'responses',
});

/** TOML's basic strings use the escapes of JSON. */
const codexFile = ({ baseUrl, model, limits }: ToolAccess): string => {
  const { name, base_url, wire_api } = codexProvider({ baseUrl });
  const window = limits?.contextTokens ?? null;
  return [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "ferry"',
    ...(window === null ? [] : [`model_context_window = ${String(window)}`]),
    '',
    '[model_providers.ferry]',
    `name = ${JSON.stringify(name)}`,
    `base_url = ${JSON.stringify(base_url)}`,
    'env_key = "FERRY_API_KEY"',
    `wire_api = ${JSON.stringify(wire_api)}`,
  ].join('\n');
};

export const OPENCODE_SCHEMA = 'https://opencode.ai/config.json';

/** `provider.ferry` of opencode, without the models. @param apiKey the key, or `{env:NAME}` */
export const opencodeProvider = (baseUrl: string, apiKey: string): Readonly<Record<string, unknown>> => ({
  npm: '@ai-sdk/openai-compatible',
  name: 'Ferry',
  options: { baseURL: `${baseUrl}/v1`, apiKey },
});

/** One entry of `provider.ferry.models` of opencode (https://opencode.ai/docs/providers/#custom-provider). */
export const opencodeModel = ({
  id,
  contextTokens,
  outputTokens,
  images,
}: Pick<LoadedModel, 'id' | 'contextTokens' | 'outputTokens' | 'images'>): Readonly<Record<string, unknown>> => ({
  name: id,
  ...(contextTokens === null ? {} : { limit: { context: contextTokens, output: outputTokens } }),
  ...(images ? { attachment: true, modalities: { input: ['text', 'image'], output: ['text'] } } : {}),
});

const opencodeFile = ({ baseUrl, model, limits }: ToolAccess): string =>
  JSON.stringify(
    {
      $schema: OPENCODE_SCHEMA,
      provider: {
        ferry: {
          ...opencodeProvider(baseUrl, '{env:FERRY_API_KEY}'),
          models: { [model]: opencodeModel({ id: model, ...(limits ?? limitsOf(null)), images: false }) },
        },
      },
      model: `ferry/${model}`,
    },
    null,
    2,
  );

const vercelFile = ({ baseUrl, model }: ToolAccess): string =>
  [
    "import { createOpenAICompatible } from '@ai-sdk/openai-compatible';",
    '',
    'const ferry = createOpenAICompatible({',
    "  name: 'ferry',",
    `  baseURL: ${JSON.stringify(`${baseUrl}/v1`)},`,
    '  apiKey: process.env.FERRY_API_KEY,',
    '  includeUsage: true,',
    '});',
    '',
    `export const model = ferry(${JSON.stringify(model)});`,
  ].join('\n');
