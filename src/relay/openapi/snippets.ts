/** Examples for common clients, for the quickstart page and the code samples in the OpenAPI document. */

export interface Snippet {
  /** Anchor on the page. */
  readonly id: string;
  readonly title: string;
  /** One sentence. */
  readonly note: string;
  /** Where the code goes, when it is a file. */
  readonly file?: string;
  readonly language: 'sh' | 'python' | 'javascript' | 'toml';
  readonly code: string;
}

/** With the right prefix, so that it is recognised as a placeholder for a key. */
const KEY_PLACEHOLDER = 'sk-ferry-YOUR-KEY';
/** The built-in model of every node. */
const MODEL = 'tiny';
/** As it is loaded by default. Agents cannot ask for it, and assume more than most models have. */
const CONTEXT_TOKENS = 131_072;
const OUTPUT_TOKENS = 32_000;

/** The examples read the key from here, so that it ends up in no file. */
export const environment = `export FERRY_API_KEY=${KEY_PLACEHOLDER}`;

export const curl = (baseUrl: string): Snippet => ({
  id: 'curl',
  title: 'curl',
  note: 'Nothing to install. -N shows the answer as it comes.',
  language: 'sh',
  code: `curl -N ${baseUrl}/v1/chat/completions \\
  -H "Authorization: Bearer $FERRY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"${MODEL}","stream":true,"messages":[{"role":"user","content":"Count to 8"}]}'`,
});

export const openAiPython = (baseUrl: string): Snippet => ({
  id: 'openai-python',
  title: 'OpenAI SDK for Python',
  note: 'Chat Completions and Responses both work; the base URL ends in /v1.',
  language: 'python',
  code: `import os
from openai import OpenAI

client = OpenAI(
    base_url="${baseUrl}/v1",
    api_key=os.environ["FERRY_API_KEY"],
)
completion = client.chat.completions.create(
    model="${MODEL}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content)`,
});

export const openAiJavaScript = (baseUrl: string): Snippet => ({
  id: 'openai-javascript',
  title: 'OpenAI SDK for JavaScript',
  note: 'The same, as a stream of Responses events.',
  language: 'javascript',
  code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${baseUrl}/v1',
  apiKey: process.env.FERRY_API_KEY,
});
const stream = await client.responses.create({ model: '${MODEL}', input: 'Hello', stream: true });
for await (const event of stream) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);
}`,
});

export const anthropicPython = (baseUrl: string): Snippet => ({
  id: 'anthropic-python',
  title: 'Anthropic SDK for Python',
  note: 'Give the key as auth_token, not as api_key, and leave /v1 out: the SDK adds it.',
  language: 'python',
  code: `import os
from anthropic import Anthropic

client = Anthropic(
    base_url="${baseUrl}",
    auth_token=os.environ["FERRY_API_KEY"],
)
message = client.messages.create(
    model="${MODEL}",
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`,
});

export const anthropicJavaScript = (baseUrl: string): Snippet => ({
  id: 'anthropic-javascript',
  title: 'Anthropic SDK for JavaScript',
  note: 'authToken, not apiKey; the base URL without /v1.',
  language: 'javascript',
  code: `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: '${baseUrl}',
  authToken: process.env.FERRY_API_KEY,
  apiKey: null,
});
const message = await client.messages.create({
  model: '${MODEL}',
  max_tokens: 256,
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(message.content);`,
});

const vercel = (baseUrl: string): Snippet => ({
  id: 'vercel',
  title: 'Vercel AI SDK',
  note: 'ferry(…) speaks Responses, ferry.chat(…) Chat Completions.',
  language: 'javascript',
  code: `import { createOpenAI } from '@ai-sdk/openai';
import { streamText } from 'ai';

const ferry = createOpenAI({
  baseURL: '${baseUrl}/v1',
  apiKey: process.env.FERRY_API_KEY,
});
const { textStream } = streamText({ model: ferry('${MODEL}'), prompt: 'Hello' });
for await (const text of textStream) process.stdout.write(text);`,
});

const langchain = (baseUrl: string): Snippet => ({
  id: 'langchain',
  title: 'LangChain',
  note: 'Any OpenAI-compatible integration takes the same two values.',
  language: 'python',
  code: `import os
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model="${MODEL}",
    base_url="${baseUrl}/v1",
    api_key=os.environ["FERRY_API_KEY"],
)
print(model.invoke("Hello").content)`,
});

const codex = (baseUrl: string): Snippet => ({
  id: 'codex',
  title: 'Codex',
  note: 'Choose a model that calls tools well and has room for a long context; ferry models ps shows the window.',
  file: '~/.codex/config.toml',
  language: 'toml',
  code: `model = "${MODEL}"
model_provider = "ferry"
model_context_window = ${CONTEXT_TOKENS}

[model_providers.ferry]
name = "Ferry"
base_url = "${baseUrl}/v1"
env_key = "FERRY_API_KEY"
wire_api = "responses"`,
});

const claudeCode = (baseUrl: string): Snippet => ({
  id: 'claude-code',
  title: 'Claude Code',
  note: 'ANTHROPIC_AUTH_TOKEN carries the key. Every alias must be one of your models, and the window that of the loaded model.',
  language: 'sh',
  code: `unset ANTHROPIC_API_KEY
export ANTHROPIC_BASE_URL=${baseUrl}
export ANTHROPIC_AUTH_TOKEN="$FERRY_API_KEY"
export ANTHROPIC_MODEL=${MODEL}
export ANTHROPIC_DEFAULT_HAIKU_MODEL=${MODEL}
export ANTHROPIC_DEFAULT_SONNET_MODEL=${MODEL}
export ANTHROPIC_DEFAULT_OPUS_MODEL=${MODEL}
export CLAUDE_CODE_MAX_CONTEXT_TOKENS=${CONTEXT_TOKENS}
export CLAUDE_CODE_MAX_OUTPUT_TOKENS=${OUTPUT_TOKENS}
export CLAUDE_CODE_TOTAL_TOKENS_REMINDER=off
claude`,
});

/** Keeps the order of the page. @param baseUrl without a trailing slash or `/v1` */
export const snippets = (baseUrl: string): readonly Snippet[] =>
  [
    curl,
    openAiPython,
    openAiJavaScript,
    anthropicPython,
    anthropicJavaScript,
    vercel,
    langchain,
    codex,
    claudeCode,
  ].map((snippet) => snippet(baseUrl));
