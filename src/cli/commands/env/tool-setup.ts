/** Settings of each program (docs/reference/client-protocols.md): variables, a file, or both. */

export const tools = ['openai', 'anthropic', 'codex', 'claude', 'opencode', 'vercel'] as const;
export type Tool = (typeof tools)[number];

export interface ToolAccess {
  /** Without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
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
      return { variables: claudeVariables(access), unset: ['ANTHROPIC_API_KEY'], file: null };
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

/** Claude Code uses a small model for background tasks; its default name does not exist here. */
export const claudeVariables = (access: ToolAccess): Readonly<Record<string, string>> => ({
  ...anthropicVariables(access),
  ANTHROPIC_MODEL: access.model,
  ANTHROPIC_SMALL_FAST_MODEL: access.model,
  ANTHROPIC_DEFAULT_HAIKU_MODEL: access.model,
});

/** `[model_providers.ferry]` of Codex, without the key. */
export const codexProvider = ({ baseUrl }: Pick<ToolAccess, 'baseUrl'>): Readonly<Record<string, string>> => ({
  name: 'Ferry',
  base_url: `${baseUrl}/v1`,
  wire_api: 'responses',
});

/** TOML's basic strings use the escapes of JSON. */
const codexFile = ({ baseUrl, model }: ToolAccess): string => {
  const { name, base_url, wire_api } = codexProvider({ baseUrl });
  return [
    `model = ${JSON.stringify(model)}`,
    'model_provider = "ferry"',
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

const opencodeFile = ({ baseUrl, model }: ToolAccess): string =>
  JSON.stringify(
    {
      $schema: OPENCODE_SCHEMA,
      provider: {
        ferry: { ...opencodeProvider(baseUrl, '{env:FERRY_API_KEY}'), models: { [model]: { name: model } } },
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
