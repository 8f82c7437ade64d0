/** llama.cpp's own programs on the same device and model: its server, `llama-bench` for one sequence, `llama-batched-bench` for several. */
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { decodeRate, prefillRate } from './answers.mjs';

const run = (program, words, timeout) => {
  const result = spawnSync(program, words, { encoding: 'utf8', timeout, maxBuffer: 64 * 1_024 * 1_024 });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) throw new Error(`${program} ended with ${result.status}: ${result.stderr.slice(-1_500)}`);
  return result;
};

/** @returns {{ decode: number, prefill: number, device: string, build: string }[]} one per setting of flash attention */
export function llamaBench(program, { modelFile, promptTokens, tokens, rounds, timeout }) {
  const words = ['-m', modelFile, '-p', `${promptTokens}`, '-n', `${tokens}`, '-ngl', '99', '-fa', '0,1'];
  const { stdout } = run(program, [...words, '-r', `${rounds}`, '-o', 'json'], timeout);
  const rows = JSON.parse(stdout);
  return [0, 1].map((flash) => {
    const of = (pick) => rows.find((row) => row.flash_attn === flash && pick(row));
    const decode = of(({ n_gen }) => n_gen > 0);
    return {
      flashAttention: flash === 1,
      decode: decode?.avg_ts,
      prefill: of(({ n_prompt }) => n_prompt > 0)?.avg_ts,
      device: decode?.gpu_info,
      build: decode?.build_commit,
    };
  });
}

/** @returns {{ sequences: number, decode: number, prefill: number }[]} */
export function batchedBench(program, { modelFile, sequences, slotTokens, tokens, flash, timeout }) {
  const context = slotTokens * Math.max(...sequences);
  const words = ['-m', modelFile, '-c', `${context}`, '-ngl', '99', '-fa', flash ? 'on' : 'off', '-npp', '32'];
  const { stdout } = run(
    program,
    [...words, '-ntg', `${tokens}`, '-npl', sequences.join(','), '--output-format', 'jsonl'],
    timeout,
  );
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .map(({ pl, speed_tg, speed_pp }) => ({ sequences: pl, decode: speed_tg, prefill: speed_pp }));
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/**
 * llama-server, which samples tokens and speaks HTTP as Ferry does, asked by the same client.
 * @returns {Promise<{ sequences: { sequences: number, decode: number, rounds: number[] }[], prefill: number }>}
 */
export async function llamaServer(program, { modelFile, sequences, slotTokens, tokens, rounds, characters, timeout }) {
  const port = await freePort();
  const most = Math.max(...sequences);
  const context = ['-c', `${slotTokens * most}`, '-np', `${most}`, '-ngl', '99'];
  const words = ['-m', modelFile, ...context, '--host', '127.0.0.1', '--port', `${port}`];
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => (errors = `${errors}${text}`.slice(-1_500)));
  const ended = new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${program} ended with ${code ?? signal}: ${errors}`)));
    setTimeout(() => reject(new Error(`${program} was not done in time`)), timeout).unref();
  });
  const server = { address: { openai_base_url: `http://127.0.0.1:${port}/v1`, api_key: 'none' } };
  const measure = async () => {
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!over && !(await isReady())) await new Promise((resolve) => setTimeout(resolve, 200));
    await decodeRate(server, 'model', most, Math.min(8, tokens));
    const rows = [];
    for (const count of sequences) {
      const rates = [];
      for (let round = 0; round < rounds; round++) {
        rates.push((await decodeRate(server, 'model', count, tokens)).tokensPerSecond);
      }
      rows.push({ sequences: count, decode: Math.max(...rates), rounds: rates });
    }
    const prefill = await prefillRate(server, 'model', characters, rounds + 1);
    return { sequences: rows, prefill: prefill.tokensPerSecond };
  };
  let over = false;
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const result = measure();
  // Whichever loses the race below fails when the server ends.
  result.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    return await Promise.race([result, ended]);
  } finally {
    over = true;
    process.removeListener('exit', stop);
    stop();
  }
}
