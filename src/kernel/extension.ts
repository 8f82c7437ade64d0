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
    summary: 'The API key may be sent in `x-api-key` on `/v1/messages`, and on `/v1/models` with `anthropic-version`.',
    gains:
      'Anthropic clients that support no other header: LiteLLM, langchain4j, langchaingo, Spring AI, genai, Copilot, pi.',
  },
  'json-errors': {
    summary: 'The two plain-text errors are returned as JSON, in the format of the protocol, and say why.',
    gains: 'openai-python, openai-java and other clients that do not show plain-text errors.',
  },
  'model-by-id': {
    summary: '`GET /v1/models/{id}` returns one record of the model list.',
    gains: '`models.retrieve` of the official SDKs, and programs that check a model by it.',
  },
  'count-tokens': {
    summary:
      '`POST /v1/messages/count_tokens` and `POST /v1/responses/input_tokens` return the number of tokens that the engine counts.',
    gains: 'Claude Code, and `count_tokens` of the official SDKs.',
  },
  embeddings: {
    summary: '`POST /v1/embeddings` returns vectors of texts, computed by embedding models.',
    gains: '`embeddings` of the official SDKs, LangChain, LlamaIndex, and the documents of Open WebUI.',
  },
  rerank: {
    summary: '`POST /v1/rerank` sorts documents by relevance to a query, with engines that support it.',
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
