/**
 * What client programs show when a request fails, word for word, as they showed it against a relay. Some show less than the relay said: a text
 * that is not JSON is left out by a few, or described as a parser's error. The table in docs/guide/troubleshooting.md is generated from this.
 */

/** Clients word one cause in different ways. */
export type Cause = keyof typeof causes;

interface CauseText {
  readonly meaning: string;
  /** Both the terminal and the page show it. */
  readonly remedy: string;
}

export const causes = {
  credential: {
    meaning:
      'Ferry answered 401 `missing_or_malformed_credential`: the key is missing, mistyped, revoked, or not a key of Ferry.',
    remedy:
      '`ferry connect` shows whether a key works; `ferry keys create NAME` makes one. Anthropic clients: `authToken`',
  },
  no_node: {
    meaning: 'Ferry answered 503 `no node for user`: no online node can serve the model now.',
    remedy: '`ferry models ps` shows what is loaded, `ferry nodes` what is online; `ferry models load MODEL`',
  },
  unavailable: {
    meaning: 'Ferry answered 503. This client hides why.',
    remedy: '`ferry requests`, then `ferry explain`; `ferry models ps` shows what is loaded',
  },
  not_found: {
    meaning: 'Ferry answered 404: there is no such model, or no such route. This client hides which.',
    remedy: '`ferry models list` has the names; OpenAI clients take the address with `/v1`',
  },
  model: {
    meaning: 'Ferry answered 404 `model_not_found`: no node has a model of that name.',
    remedy: '`ferry models list` has the names; `ferry run NAME` installs one',
  },
  route: {
    meaning: 'Ferry answered 404 `route_not_found`: the base URL is wrong.',
    remedy: 'OpenAI clients take the address with `/v1`, Anthropic clients without',
  },
  cut: {
    meaning: 'A stream failed midway. This client does not read the error event that says why.',
    remedy: '`ferry requests` lists the request, `ferry explain` says why it failed',
  },
  unreachable: {
    meaning: 'Nothing answers at the address: Ferry is not running there, or the address is wrong.',
    remedy: '`ferry doctor URL` checks the way; `ferry up` starts Ferry on this computer',
  },
  window: {
    meaning: 'The program does not know the model, and assumes a context window.',
    remedy: '`ferry connect PROGRAM` tells it the window of the loaded model',
  },
} as const satisfies Readonly<Record<string, CauseText>>;

export interface ClientMessage {
  /** As it is called on the page, with the version that showed it. */
  readonly client: string;
  /** Literal. `…` stands for what differs; at the end for whatever follows. */
  readonly text: string;
  readonly cause: Cause;
}

const of = (client: string, texts: Partial<Readonly<Record<Cause, string>>>): readonly ClientMessage[] =>
  (Object.entries(texts) as [Cause, string][]).map(([cause, text]) => ({ client, text, cause }));

/** Clients that show a body of plain text as it is, and JSON by its message. */
const plain = {
  credential: 'missing_or_malformed_credential',
  no_node: 'no node for user',
} as const;

export const clientMessages: readonly ClientMessage[] = [
  ...of('openai 3.57 (Python)', {
    credential: 'Error code: 401',
    no_node: 'Error code: 503',
    model: 'Error code: 404 - There is no model …',
    route: 'Error code: 404 - There is no route …',
    unreachable: 'Connection error.',
  }),
  ...of('openai 1.109 and 2.54 (Python)', {
    ...plain,
    model: `Error code: 404 - {'error': {'message': "There is no model …`,
    route: `Error code: 404 - {'error': {'message': "There is no route …`,
    unreachable: 'Connection error.',
  }),
  ...of('anthropic 2.14 (Python)', {
    ...plain,
    model: `Error code: 404 - {'type': 'error', 'error': {'type': 'not_found_error', 'message': "There is no model …`,
    unreachable: 'Connection error.',
  }),
  ...of('langchain-openai 1.7 (Python)', {
    credential: 'Error code: 401',
    no_node: 'Error code: 503',
    unreachable: 'Connection error.',
  }),
  ...of('litellm 1.110 (Python)', {
    credential: 'litellm.AuthenticationError: AuthenticationError: OpenAIException - Error code: 401',
    no_node: 'litellm.ServiceUnavailableError: ServiceUnavailableError: OpenAIException - Error code: 503',
    unreachable: 'litellm.InternalServerError: InternalServerError: OpenAIException - Connection error.',
  }),
  ...of('pydantic-ai (Python)', {
    credential: 'status_code: 401, model_name: …, body: missing_or_malformed_credential',
    no_node: 'status_code: 503, model_name: …, body: no node for user',
    unreachable: 'Connection error.',
  }),
  ...of('openai 4.104 and 7.59 (JavaScript)', {
    credential: '401 missing_or_malformed_credential',
    no_node: '503 no node for user',
    model: '404 There is no model …',
    route: '404 There is no route …',
    unreachable: 'Connection error.',
  }),
  ...of('@anthropic-ai/sdk 1.14 (JavaScript)', {
    credential: '401 missing_or_malformed_credential',
    no_node: '503 no node for user',
    model: '404 {"type":"error","error":{"type":"not_found_error","message":"There is no model …',
    unreachable: 'Connection error.',
  }),
  ...of('AI SDK 6.0 (JavaScript)', {
    credential: 'Unauthorized',
    no_node: 'Service Unavailable',
    model: 'There is no model …',
    route: 'There is no route …',
    unreachable: 'Cannot connect to API: …',
  }),
  ...of('go-openai 1.43', {
    credential:
      "error, status code: 401, status: 401 Unauthorized, message: invalid character 'm' looking for beginning of value, body: missing_or_malformed_credential",
    no_node:
      "error, status code: 503, status: 503 Service Unavailable, message: invalid character 'o' in literal null (expecting 'u'), body: no node for user",
    model: 'error, status code: 404, status: 404 Not Found, message: There is no model …',
    unreachable: 'dial tcp …: connect: connection refused',
  }),
  ...of('langchaingo 0.1.14', {
    credential: 'API returned unexpected status code: 401',
    no_node: 'API returned unexpected status code: 503',
    model: 'API returned unexpected status code: 404: There is no model …',
    cut: 'error reading streaming response: unexpected EOF',
    unreachable: 'network error: failed to reach API server',
  }),
  ...of('openai-go 3.99', {
    credential: 'OpenAI API error: 401 Unauthorized',
    unavailable: 'OpenAI API error: 503 Service Unavailable',
    not_found: 'OpenAI API error: 404 Not Found',
    unreachable: 'dial tcp …: connect: connection refused',
  }),
  ...of('openai-java 4.0', {
    credential: '401: null',
    no_node: '503: null',
    model: '404: There is no model …',
    unreachable: 'OpenAIIoException: Request failed',
  }),
  ...of('langchain4j 1.19', {
    ...plain,
    model: `ModelNotFoundException: {"error":{"message":"There is no model …`,
    cut: 'LangChain4jException: closed',
    unreachable: 'java.net.ConnectException',
  }),
  ...of('Spring AI 2.0 (Java)', {
    credential: '401: Unknown',
    no_node: '503: Unknown',
    model: '404: There is no model …',
    route: '404: There is no route …',
    unreachable: 'OpenAIIoException: Request failed',
  }),
  ...of('async-openai 0.43 (Rust)', {
    credential:
      'failed to deserialize api response: error:expected value at line 1 column 1 content:missing_or_malformed_credential',
    no_node: '503 Service Unavailable no node for user',
    model: '404 Not Found not_found_error: There is no model …',
    route: '404 Not Found not_found_error: There is no route …',
    unreachable: 'http error: error sending request for url (…)',
  }),
  ...of('aider 0.86 (Python)', {
    credential: 'litellm.AuthenticationError: AuthenticationError: OpenAIException - missing_or_malformed_credential',
    no_node: 'litellm.ServiceUnavailableError: ServiceUnavailableError: OpenAIException - no node for user',
    model: 'litellm.NotFoundError: NotFoundError: OpenAIException - There is no model …',
    route: 'litellm.NotFoundError: NotFoundError: OpenAIException - There is no route …',
    unreachable: 'litellm.InternalServerError: InternalServerError: OpenAIException - Connection error.',
  }),
  ...of('LiteLLM 1.108 (proxy)', {
    credential: 'litellm.AuthenticationError: AnthropicException - missing_or_malformed_credential',
  }),
  ...of('Claude Code 2.1.330', {
    credential: 'Failed to authenticate. API Error: 401 missing_or_malformed_credential',
    no_node:
      'API Error: 503 no node for user. This is a server-side issue, usually temporary — try again in a moment. …',
    model:
      "There's an issue with the selected model (…). It may not exist or you may not have access to it. Run --model to pick a different model.",
    unreachable: 'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
    window: 'Claude Code doesn\'t recognize the model "…", so it assumes a context window of …',
  }),
  ...of('Codex 0.169', {
    credential: 'unexpected status 401 Unauthorized: missing_or_malformed_credential, url: …',
    no_node: 'unexpected status 503 Service Unavailable: no node for user, url: …',
    model: 'There is no model …',
    unreachable: 'Reconnecting... waiting for network',
    window: 'Model metadata for `…` not found. Defaulting to fallback metadata; …',
  }),
  ...of('opencode 1.18', { credential: 'Unauthorized: missing_or_malformed_credential' }),
  ...of('Qwen Code 0.24', { credential: '[API Error: 401 missing_or_malformed_credential]' }),
  ...of('GitHub Copilot CLI 1.0.102', { credential: 'Authentication failed with provider at … (HTTP 401).…' }),
  ...of('pi 1.6', { credential: '401 missing_or_malformed_credential', no_node: '503 no node for user' }),
  ...of('Cline 3.0', plain),
];
