/** llama.cpp's own programs on the same device and model: `llama-bench` for one sequence, `llama-batched-bench` for several. */
import { spawnSync } from 'node:child_process';

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
