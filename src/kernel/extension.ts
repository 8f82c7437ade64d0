/**
 * Parts of the API that the public contract does not have, one row each. All are off until the owner of an account switches them on, or
 * `FERRY_EXTENSIONS` does (docs/reference/extensions.md).
 */
export interface ExtensionDefinition {
  /** For people: on the website, in the command line and in documents. */
  readonly summary: string;
  /** Programs and libraries that need it, for people. */
  readonly gains: string;
}

export const extensionDefinitions = {
  'x-api-key': {
    summary:
      'A program may send the API key in the header `x-api-key` instead of `Authorization`: to `/v1/messages`, and to `/v1/models` together with the header `anthropic-version`.',
    gains:
      'Anthropic clients that cannot send `Authorization`: LiteLLM, langchain4j, langchaingo, Spring AI, genai, Copilot, pi.',
  },
  'json-errors': {
    summary:
      'Without this, 401 (missing or malformed key) and 503 (no computer can answer) are plain text. With it they are JSON in the format of the protocol, and say why.',
    gains: 'Clients that show only errors in JSON, such as openai-python and openai-java.',
  },
  'model-by-id': {
    summary: 'A program can ask for a single model: `GET /v1/models/{id}` returns its entry of the model list.',
    gains:
      'Programs that look a model up before they use it, and those that call `models.retrieve` of an official SDK.',
  },
  'count-tokens': {
    summary:
      'A program can count the tokens of a request without running it, as the engine counts them: `POST /v1/messages/count_tokens` and `POST /v1/responses/input_tokens`.',
    gains: 'Claude Code, and programs that call `count_tokens` of an official SDK.',
  },
  embeddings: {
    summary: 'Embedding models turn texts into vectors: `POST /v1/embeddings`.',
    gains: 'Programs that search in documents, such as Open WebUI, LangChain and LlamaIndex, and the official SDKs.',
  },
  rerank: {
    summary: 'Reranking models sort documents by relevance to a query, in engines that support it: `POST /v1/rerank`.',
    gains: 'Open WebUI, LiteLLM and other clients of the rerank API of Jina and Cohere.',
  },
} as const satisfies Readonly<Record<string, ExtensionDefinition>>;

export type ExtensionName = keyof typeof extensionDefinitions;

/** In the order of documents. */
export const extensionNames = Object.keys(extensionDefinitions) as readonly ExtensionName[];

export const isExtensionName = (name: string): name is ExtensionName => Object.hasOwn(extensionDefinitions, name);

/** The names in a comma-separated list. */
export const extensionWords = (list: string): readonly string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
