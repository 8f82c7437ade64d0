import type { Snippet } from '../../components/snippet-tabs';
import type { ChatRequest } from './conversation';

const KEY = 'FERRY_API_KEY';

/** Text inside single quotes of a POSIX shell. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The conversation as programs would send it. @param origin of this relay */
export function chatSnippets(origin: string, request: ChatRequest): readonly Snippet[] {
  const json = JSON.stringify({ ...request, stream_options: undefined }, null, 2);
  return [
    {
      name: 'curl',
      title: 'Terminal',
      note: `${KEY} is a key of the Keys page.`,
      code: [
        `curl -N ${origin}/v1/chat/completions \\`,
        `  -H "Authorization: Bearer $${KEY}" \\`,
        `  -H 'Content-Type: application/json' \\`,
        `  -d ${shellQuoted(json)}`,
      ].join('\n'),
    },
    { name: 'OpenAI (Python)', title: 'chat.py', note: 'pip install openai', code: python(origin, request) },
    { name: 'OpenAI (TypeScript)', title: 'chat.ts', note: 'npm install openai', code: typescript(origin, json) },
    { name: 'Anthropic (Python)', title: 'chat.py', note: 'pip install anthropic', code: anthropic(origin, request) },
  ];
}

/** Strings, numbers and lists of JSON are those of Python, too. */
const pythonParameters = (parameters: object): readonly string[] =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `    ${name}=${JSON.stringify(value)},`);

/** The Messages API requires a limit. */
const MESSAGES_MAX_TOKENS = 4_096;

function anthropic(origin: string, { model, messages, temperature, top_p, max_tokens }: ChatRequest): string {
  const system = messages.find(({ role }) => role === 'system')?.content;
  return [
    'import os',
    'from anthropic import Anthropic',
    '',
    `client = Anthropic(base_url="${origin}", auth_token=os.environ["${KEY}"])`,
    'with client.messages.stream(',
    ...pythonParameters({
      model,
      max_tokens: max_tokens ?? MESSAGES_MAX_TOKENS,
      system,
      messages: messages.filter(({ role }) => role !== 'system'),
      temperature,
      top_p,
    }),
    ') as stream:',
    '    for text in stream.text_stream:',
    '        print(text, end="", flush=True)',
  ].join('\n');
}

function python(origin: string, { model, messages, temperature, top_p, max_tokens }: ChatRequest): string {
  return [
    'import os',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url="${origin}/v1", api_key=os.environ["${KEY}"])`,
    'stream = client.chat.completions.create(',
    ...pythonParameters({ model, messages, temperature, top_p, max_tokens }),
    '    stream=True,',
    ')',
    'for chunk in stream:',
    '    if chunk.choices:',
    '        print(chunk.choices[0].delta.content or "", end="", flush=True)',
  ].join('\n');
}

const typescript = (origin: string, json: string): string =>
  [
    `import OpenAI from 'openai';`,
    '',
    `const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.${KEY} });`,
    `const stream = await client.chat.completions.create(${json});`,
    'for await (const chunk of stream) {',
    `  process.stdout.write(chunk.choices[0]?.delta?.content ?? '');`,
    '}',
  ].join('\n');
