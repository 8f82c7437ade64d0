/** `docs/guide/clients.md` has the snippets of the relay's quickstart page: `npm run docs:clients`. A test fails when they differ. */
import { writeFileSync } from 'node:fs';
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
- \`ferry connect codex\` (or \`claude\`, \`opencode\`, \`qwen\`, \`copilot\`, \`pi\`, \`cline\`, \`zed\`, \`cursor\`, \`openwebui\`, \`continue\`) sets a
  program up on this computer: a key of its own, the change of its configuration file with the context window of what is loaded, one test
  request. \`--print\` only shows the change, \`--undo\` takes it back ([more](command-line.md#other-programs)).
- \`ferry env openai\` (or \`anthropic\`, \`claude\`, \`codex\`, \`opencode\`, \`copilot\`, \`vercel\`) prints the settings of a client with your address, key and model.
- SDKs retry by themselves (twice by default). Ferry sends \`x-should-retry: false\` where a retry would run a prompt a second time.
- Details of each route are in the OpenAPI document: \`/docs\` on a relay, [openapi.json](../../openapi.json) here.

All examples read the key from the environment:

\`\`\`sh
${environment}
\`\`\`
`;

/** Read in the sources of the packages; the Python column is checked by test/contract/python.spec.ts. */
const headers = `## Which header carries the key

Ferry accepts \`Authorization: Bearer\` only. What the official SDKs send, by the name under which they get the key:

| SDK | \`apiKey\`, \`api_key\`, \`…_API_KEY\` | \`authToken\`, \`auth_token\`, \`…_AUTH_TOKEN\` |
| --- | --- | --- |
| \`openai\`, every major, JavaScript and Python | \`Authorization: Bearer\` | |
| \`@anthropic-ai/sdk\` 1 | \`Authorization: Bearer\` | \`Authorization: Bearer\` |
| \`@anthropic-ai/sdk\` 0 | \`x-api-key\`: refused with 401 | \`Authorization: Bearer\` |
| \`anthropic\` 2 for Python | \`Authorization: Bearer\` | \`Authorization: Bearer\` |
| \`anthropic\` 0 and 1 for Python | \`x-api-key\`: refused with 401 | \`Authorization: Bearer\` |

\`authToken\` works with all of them, as long as no \`ANTHROPIC_API_KEY\` is set beside it.
`;

/** Programs that are configured, not programmed. */
const programs = `## Open WebUI

\`ferry connect openwebui\` writes these variables, and says how to start the container with them. One that runs already takes the same two
values under Admin Panel > Settings > Connections > OpenAI API.

\`\`\`ini
OPENAI_API_BASE_URL=https://relay.example/v1
OPENAI_API_KEY=sk-ferry-YOUR-KEY
\`\`\`

## LiteLLM proxy

In the \`model_list\` of its configuration; this example is not run by a test, the SDK [above](#litellm) is.

\`\`\`yaml
model_list:
  - model_name: tiny
    litellm_params:
      model: openai/tiny
      api_base: https://relay.example/v1
      api_key: os.environ/FERRY_API_KEY
\`\`\`
`;

const closing = `## What was tested

\`test/contract\` and \`test/e2e\` run \`openai\`, \`@anthropic-ai/sdk\`, \`ai\` with \`@ai-sdk/openai\`, \`@ai-sdk/anthropic\` and
\`@ai-sdk/openai-compatible\`, \`@openai/agents\`, and LangChain and LangGraph for JavaScript against a real relay and node; the versions are in
[package.json](../../test/package.json). So do they \`openai\` 4 and \`ai\` 4, and in Python \`openai\` 1, 2 and 3 and \`anthropic\` 0, 1 and 2, with the
examples above. \`npm test -- agents\` runs Codex, Claude Code and opencode, \`npm test -- clients\` the libraries in other languages.

## Limits

- Ferry accepts bearer credentials only ([which clients send one](#which-header-carries-the-key)).
- Coding agents send 17,000 to 45,000 tokens with their first prompt. The model needs that much context, and tool calling.
- Not supported, answered with 400: background responses, \`conversation\`, stored prompt templates. Hosted tools (web search, code
  interpreter, …) are dropped. The full list is in [Translation](../reference/translation.md#rejected-and-dropped-fields).
- Images are sent as data. Web addresses of images are refused unless the node [fetches them](engines.md#discovery-and-configuration).
- There are no embeddings, no speech and no image generation routes.
`;

export const renderClientsPage = (): string =>
  [
    introduction,
    headers,
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
