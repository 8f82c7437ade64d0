/** `docs/guide/clients.md` has the snippets of the relay's quickstart page: `npm run docs:clients`. A test fails when they differ. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { environment, snippets, type Snippet } from '../src/relay/openapi/snippets.js';
import { renderClientLibraries } from './client-libraries.js';

export const clientsPagePath = path.resolve(import.meta.dirname, '../docs/guide/clients.md');

const introduction = `# Clients and SDKs

<!-- Generated from src/relay/openapi/snippets.ts and test/clients by \`npm run docs:clients\`. Do not edit. -->

Ferry speaks the OpenAI and the Anthropic protocols, so existing clients work after a change of address and key. A running relay has
this page with its own address filled in, at \`/docs/quickstart\`.

| | OpenAI clients | Anthropic clients |
| --- | --- | --- |
| Base URL | \`https://relay.example/v1\` | \`https://relay.example\`, without \`/v1\` |
| Key | \`apiKey\`, \`OPENAI_API_KEY\` | \`authToken\`, \`ANTHROPIC_AUTH_TOKEN\`; \`apiKey\` only [where it is a bearer token](#which-header-carries-the-key) |
| Routes | \`/v1/chat/completions\`, \`/v1/responses\`, \`/v1/completions\` | \`/v1/messages\` |

- \`model\` is an \`id\` or \`selector\` of \`GET /v1/models\` with \`"loaded": true\`. The examples use \`tiny\`, the 1 MB model that comes with Ferry:
  it proves the connection, but its answers are of no use. [Use a real model](real-model.md) for those.
- The header \`X-Cluster-ID\` limits a request to one cluster.
- \`ferry connect codex\` sets a program up on this computer: it makes a key, writes the address, the key and the context window of the
  loaded model into the configuration file, and sends one test request. Also \`claude\`, \`opencode\`, \`qwen\`, \`copilot\`, \`pi\`, \`cline\`, \`zed\`, \`cursor\`,
  \`openwebui\` and \`continue\`. \`--print\` only shows the change, \`--undo\` takes it back ([more](command-line.md#other-programs)).
- \`ferry env openai\` prints the settings of a client with your address, key and model; also \`anthropic\`, \`claude\`, \`codex\`,
  \`opencode\`, \`copilot\` and \`vercel\`.
- SDKs retry by themselves (twice by default). Ferry sends \`x-should-retry: false\` where a retry would run a prompt a second time.
- Some programs need more than the contract: the API key in \`x-api-key\`, errors in JSON, \`models.retrieve\`, a count of tokens. An owner
  switches these [extensions](../reference/extensions.md) on ([which client gains from which](#what-extensions-add)).
- Details of each route are in the OpenAPI document: \`/docs\` on a relay, [openapi/inference.json](../../openapi/inference.json) here.

All examples read the key from the environment:

\`\`\`sh
${environment}
\`\`\`
`;

/** Read in the sources of the packages; the Python column is checked by test/python/official-clients.spec.ts. */
const headers = `## Which header carries the key

Ferry accepts \`Authorization: Bearer\` only, unless an owner has switched the extension [\`x-api-key\`](../reference/extensions.md#x-api-key) on. What clients send depends on the name under which they get the key:

| Client | \`apiKey\`, \`api_key\`, \`…_API_KEY\` | \`authToken\`, \`auth_token\`, \`…_AUTH_TOKEN\` |
| --- | --- | --- |
| \`openai\`, every major, JavaScript and Python | \`Authorization: Bearer\` | |
| \`@anthropic-ai/sdk\` 1 | \`Authorization: Bearer\` | \`Authorization: Bearer\` |
| \`@anthropic-ai/sdk\` 0 | \`x-api-key\`: refused with 401, unless the extension is on | \`Authorization: Bearer\` |
| \`anthropic\` 2 for Python | \`Authorization: Bearer\` | \`Authorization: Bearer\` |
| \`anthropic\` 0 and 1 for Python | \`x-api-key\`: refused with 401, unless the extension is on | \`Authorization: Bearer\` |
| LiteLLM, models \`openai/…\` | \`Authorization: Bearer\` | |
| LiteLLM, models \`anthropic/…\` | \`x-api-key\`: refused with 401, unless the extension is on | \`Authorization: Bearer\` |
| \`openai-go\`, \`go-openai\`, LangChainGo, \`openai-java\`, LangChain4j, Spring AI, async-openai | \`Authorization: Bearer\` | |

\`authToken\` works with all of them, as long as no \`ANTHROPIC_API_KEY\` is set beside it.
`;

const extensions = `## What extensions add

| Client | Extension | What works with it |
| --- | --- | --- |
| Claude Code | \`count-tokens\` | \`/context\` shows what the engine counts; without it Claude Code estimates |
| LiteLLM \`anthropic/…\`; the Anthropic models of LangChain4j, LangChainGo and Spring AI; \`@anthropic-ai/sdk\` 0 with \`apiKey\`, \`anthropic\` 0 and 1 for Python with \`api_key\` | \`x-api-key\` | messages at all, unless the client can be told another header |
| the official SDKs, LangChain, LangChain4j, Spring AI and others that show the text of an error | \`json-errors\` | the error says why no node can serve the model |
| the official SDKs | \`model-by-id\` | \`models.retrieve\`, by id and by selector |
| \`anthropic\` and \`anthropic-java\`; \`openai\` 2 and later for Python, \`openai\` for JavaScript | \`count-tokens\` | \`messages.count_tokens\`, \`responses.input_tokens.count\` |
| \`openai\` for JavaScript and Python, openai-go, openai-java, LangChain, LlamaIndex | [\`embeddings\`](../reference/embeddings.md#clients) | vectors, whole and shortened |
| [Open WebUI](#open-webui) | \`embeddings\`; \`rerank\`, not tried with its own server | its documents, with a model that embeds |

\`ferry extensions on NAME\` switches one on, for the account. \`ferry connect claude\` and \`ferry connect openwebui\` say so while theirs is off.
`;

/** Programs that are configured, not programmed. */
const programs = `## Open WebUI

\`ferry connect openwebui\` writes these variables into a file and prints the command that starts the container with it. In an Open WebUI that
runs already, enter both values under Admin Panel > Settings > Connections > OpenAI API.

\`\`\`ini
OPENAI_API_BASE_URL=https://relay.example/v1
OPENAI_API_KEY=sk-ferry-YOUR-KEY
\`\`\`

Documents need the extension \`embeddings\` and a model that embeds. Open WebUI has its own with 5 GB of packages; these variables, or Admin Panel >
Settings > Documents > Embedding, name one of yours instead. Tested with the server of Open WebUI 0.12.4.

\`\`\`ini
RAG_EMBEDDING_ENGINE=openai
RAG_EMBEDDING_MODEL=nomic-embed-text
RAG_OPENAI_API_BASE_URL=https://relay.example/v1
RAG_OPENAI_API_KEY=sk-ferry-YOUR-KEY
\`\`\`

## LiteLLM proxy

Add the models to its configuration. Tested with LiteLLM 1.108, through both protocols.

\`\`\`yaml
${readFileSync(path.resolve(import.meta.dirname, '../test/clients/litellm-proxy/config.yaml'), 'utf8').trim()}
\`\`\`

## aider

aider asks through LiteLLM, hence the prefix \`openai/\`. It calls no tools, so it works with models that cannot. After a failure it tries again
for about a minute. Tested with aider 0.86.

\`\`\`sh
export OPENAI_API_BASE=https://relay.example/v1
export OPENAI_API_KEY="$FERRY_API_KEY"
aider --model openai/tiny
\`\`\`
`;

const closing = `## What was tested

Against a real relay and node:

- \`npm test\`: for JavaScript \`openai\`, \`@anthropic-ai/sdk\`, \`ai\` with \`@ai-sdk/openai\`, \`@ai-sdk/anthropic\` and
  \`@ai-sdk/openai-compatible\`, \`@openai/agents\`, LangChain and LangGraph in the versions of [package.json](../../test/package.json), and
  \`openai\` 4, \`ai\` 4 and \`@anthropic-ai/sdk\` 0.
- \`npm test -- python\`, always in CI: \`openai\` 1, 2 and 3 and \`anthropic\` 0, 1 and 2 for Python.
- \`npm test -- clients\`: the libraries in other languages, LiteLLM's proxy and aider.
- \`npm test -- agents\`: Codex, Claude Code, opencode and Qwen Code. \`npm test -- open-webui\`: its server.

Zed is a desktop program and was not run: what \`ferry connect zed\` writes was compared with the settings that its documents and its source
have.

## Limits

- Without the extension \`x-api-key\`, Ferry accepts bearer credentials only ([which clients send one](#which-header-carries-the-key)).
- Coding agents send 17,000 to 45,000 tokens with their first prompt. The model needs that much context, and tool calling.
- Not supported, answered with 400: background responses, \`conversation\`, stored prompt templates. Hosted tools (web search, code
  interpreter, …) are dropped. The full list is in [Translation](../reference/translation.md#rejected-and-dropped-fields).
- Images are sent as data. Web addresses of images are refused unless the node [fetches them](engines.md#discovery-and-configuration).
- There are no speech and no image generation routes. [Embeddings](../reference/embeddings.md) are an extension, off by default.
`;

export const renderClientsPage = (): string =>
  [
    introduction,
    headers,
    extensions,
    ...snippets('https://relay.example').map(section),
    renderClientLibraries(),
    programs,
    closing,
  ].join('\n');

const section = ({ title, note, file, language, code }: Snippet): string =>
  [
    `## ${title}`,
    '',
    note,
    ...(file === undefined ? [] : ['', `File: \`${file}\``]),
    '',
    `\`\`\`${language}`,
    code,
    '```',
    '',
  ].join('\n');

if (process.argv[1] === import.meta.filename) writeFileSync(clientsPagePath, renderClientsPage());
