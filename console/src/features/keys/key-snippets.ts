import type { Snippet } from '../../components/snippet-tabs';

/**
 * How to use a key, by program, as in the clients guide of the documentation.
 * @param origin of the relay, without `/v1` @param model that the examples name
 */
export function keySnippets(origin: string, key: string, model: string): readonly Snippet[] {
  const base = `${origin}/v1`;
  const environment = `export FERRY_API_KEY=${key}`;
  return [
    {
      name: 'curl',
      title: 'Terminal',
      code: `curl -N ${base}/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${shellWord(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Count to 8' }] }))}`,
    },
    {
      name: 'OpenAI (Python)',
      note: 'pip install openai',
      code: `from openai import OpenAI

client = OpenAI(
    base_url="${base}",
    api_key="${key}",
)
completion = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(completion.choices[0].message.content)`,
    },
    {
      name: 'OpenAI (JavaScript)',
      note: 'npm install openai',
      code: `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${base}',
  apiKey: '${key}',
});
const stream = await client.responses.create({ model: ${JSON.stringify(model)}, input: 'Hello', stream: true });
for await (const event of stream) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);
}`,
    },
    {
      name: 'Anthropic (Python)',
      note: 'pip install anthropic. The key is given as auth_token, and the address is without /v1.',
      code: `from anthropic import Anthropic

client = Anthropic(
    base_url="${origin}",
    auth_token="${key}",
)
message = client.messages.create(
    model=${JSON.stringify(model)},
    max_tokens=256,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`,
    },
    {
      name: 'AI SDK',
      note: 'npm install ai @ai-sdk/openai',
      code: `import { createOpenAI } from '@ai-sdk/openai';
import { streamText } from 'ai';

const ferry = createOpenAI({
  baseURL: '${base}',
  apiKey: '${key}',
});
const { textStream } = streamText({ model: ferry(${JSON.stringify(model)}), prompt: 'Hello' });
for await (const text of textStream) process.stdout.write(text);`,
    },
    {
      name: 'LangChain',
      note: 'pip install langchain-openai',
      code: `from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${JSON.stringify(model)},
    base_url="${base}",
    api_key="${key}",
)
print(model.invoke("Hello").content)`,
    },
    {
      name: 'Codex',
      title: '~/.codex/config.toml',
      note: `First: ${environment}`,
      code: `model = ${JSON.stringify(model)}
model_provider = "ferry"

[model_providers.ferry]
name = "Ferry"
base_url = "${base}"
env_key = "FERRY_API_KEY"
wire_api = "responses"`,
    },
    {
      name: 'Claude Code',
      title: 'Terminal',
      note: 'ferry connect claude sets the context window of the loaded model, too.',
      code: `unset ANTHROPIC_API_KEY
export ANTHROPIC_BASE_URL=${origin}
export ANTHROPIC_AUTH_TOKEN=${key}
export ANTHROPIC_MODEL=${shellWord(model)}
export ANTHROPIC_DEFAULT_HAIKU_MODEL=${shellWord(model)}
export ANTHROPIC_DEFAULT_SONNET_MODEL=${shellWord(model)}
export ANTHROPIC_DEFAULT_OPUS_MODEL=${shellWord(model)}
export CLAUDE_CODE_TOTAL_TOKENS_REMINDER=off
claude`,
    },
    {
      name: 'opencode',
      title: 'opencode.json',
      note: `First: ${environment}`,
      code: JSON.stringify(
        {
          $schema: 'https://opencode.ai/config.json',
          model: `ferry/${model}`,
          provider: {
            ferry: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Ferry',
              options: { baseURL: base, apiKey: '{env:FERRY_API_KEY}' },
              models: { [model]: { name: model } },
            },
          },
        },
        null,
        2,
      ),
    },
  ];
}

/** A model name may hold anything: nothing in it may be run by a shell. */
const shellWord = (text: string): string =>
  /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
