/**
 * `npm run record:engines -- NAME [FOLDER]`: starts a real engine, asks it what the files of test/fixtures/recordings/NAME ask, and writes its
 * answers into them, or into another folder. Without such files it asks some of every route. Requests of llama-server's router mode are left
 * alone.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { bodyOf, hello, pathOf, routes, thinking, weather } from '../test/real-engines/questions.js';
import { runLlamaSwap } from '../test/real-engines/programs/llama-swap.js';
import { runSingle } from '../test/real-engines/programs/llama-server.js';
import { runMlxLm } from '../test/real-engines/programs/mlx-lm.js';
import { runOllama } from '../test/real-engines/programs/ollama.js';
import { runVllm } from '../test/real-engines/programs/vllm.js';
import type { RunningEngine } from '../test/real-engines/real-engine.js';
import { prepareEngines } from './real-engines.mjs';
import { exchangeText, requestOf, type RecordedRequest } from './recorded-exchange.mjs';
import { root } from './run.mjs';

const program = (variable: string): string => process.env[variable] ?? '';

const starts: Readonly<Record<string, () => Promise<RunningEngine>>> = {
  'llama-server': () => runSingle(program('FERRY_TEST_LLAMA_SERVER')),
  'mlx-lm': () => runMlxLm(program('FERRY_TEST_MLX_LM')),
  'llama-swap': () => runLlamaSwap(program('FERRY_TEST_LLAMA_SWAP'), program('FERRY_TEST_LLAMA_SERVER')),
  ollama: () => runOllama(program('FERRY_TEST_OLLAMA')),
  vllm: () => runVllm(program('FERRY_TEST_VLLM')),
};

interface Raw {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** As the engine sent it, but for the encoding of the transfer. */
const ask = (url: string, { method, path: at, body }: RecordedRequest): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const asked = request(new URL(at, url), {
      method,
      // A connection of its own, with the same headers for each.
      agent: false,
      headers: body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { rawHeaders, statusCode = 0, statusMessage = '' } = response;
        const headers = rawHeaders.flatMap((name, index) =>
          index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
        );
        resolve({
          status: statusCode,
          statusText: statusMessage,
          headers,
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    asked.end(body);
  });

/** What an engine without recordings is asked. */
function firstQuestions(model: string): [string, RecordedRequest][] {
  const ofRoute = routes.flatMap((route) =>
    [false, true].flatMap((stream) =>
      Object.entries({ '': hello, '-tool': weather, '-think': thinking }).map(
        ([suffix, question]): [string, RecordedRequest] => [
          `${route}${suffix}-${stream ? 'stream' : 'json'}`,
          {
            method: 'POST',
            path: pathOf[route],
            body: JSON.stringify({ model, ...bodyOf(route, { ...question, stream }) }),
          },
        ],
      ),
    ),
  );
  return [['models', { method: 'GET', path: '/v1/models', body: '' }], ...ofRoute];
}

async function record(name: string, into: string | undefined): Promise<void> {
  const start = starts[name];
  if (start === undefined) throw new Error(`record:engines -- ${Object.keys(starts).join(' | ')}`);
  await prepareEngines([name]);
  const from = path.join(root, 'test/fixtures/recordings', name);
  const engine = await start();
  try {
    const files = existsSync(from) ? readdirSync(from).filter((file) => file.endsWith('.txt')) : [];
    // A router is another program, with models of its own.
    const asked = files
      .filter((file) => !file.startsWith('router-'))
      .map((file): [string, RecordedRequest] => [
        file.slice(0, -'.txt'.length),
        requestOf(readFileSync(path.join(from, file), 'utf8')),
      ])
      // Of a long prompt the file says only how long it was.
      .filter(([, { body }]) => body === '' || body.startsWith('{'));
    const target = path.resolve(into ?? from);
    mkdirSync(target, { recursive: true });
    const questions = asked.length > 0 ? asked : firstQuestions(engine.resident);
    for (const [file, question] of questions) {
      const text = exchangeText(question, await ask(engine.url, question), [root]);
      writeFileSync(path.join(target, `${file}.txt`), text);
    }
    process.stdout.write(`${questions.length} exchanges in ${path.relative(root, target) || '.'}\n`);
  } finally {
    await engine.stop();
  }
}

const [, , name = '', into] = process.argv;
await record(name, into);
