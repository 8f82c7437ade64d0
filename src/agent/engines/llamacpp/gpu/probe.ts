/**
 * Tries a graphics processor in a process of its own: a driver that crashes or hangs takes down this child instead of the node. It loads
 * the backend, lists the devices, and computes some tokens with the model that comes with Ferry, which also compiles shaders and fills the
 * driver's cache of them.
 */
import { spawn } from 'node:child_process';
import type { GpuBackend } from '../../../../link/messages.js';

export interface ProbeOptions {
  readonly backend: GpuBackend;
  /** Entry file of node-llama-cpp. */
  readonly entry: string;
  /** Undefined: nothing is computed. */
  readonly modelPath: string | undefined;
  readonly flashAttention: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
  /** Program and its first words, for tests. */
  readonly program?: readonly [string, ...string[]];
}

export type ProbeResult =
  | { readonly works: true; readonly devices: readonly string[] }
  /** Completes `the graphics processor …`, for people. */
  | { readonly works: false; readonly reason: string; readonly crashed?: true };

/** The first run on a data-centre GPU compiled shaders for 18 s. */
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_CHARACTERS = 4_000;
const MARK = 'ferry-probe:';

/**
 * In JavaScript, because the one-file agent has no second file to start. Words: entry, backend, flash attention, model. Without `execArgv`, because node-llama-cpp
 * forks a process that first loads the backend, which would run this script again.
 */
const SCRIPT = `
const [entry, gpu, flash, modelPath] = process.argv.slice(1);
process.execArgv = [];
const { pathToFileURL } = await import('node:url');
const { getLlama } = await import(pathToFileURL(entry).href);
const report = (result) => process.stdout.write('\\n${MARK}' + JSON.stringify(result) + '\\n');
const llama = await getLlama({ gpu, build: 'never', skipDownload: true, progressLogs: false, logLevel: 'error', logger: (_level, text) => process.stderr.write(text) });
const devices = await llama.getGpuDeviceNames();
const { total } = await llama.getVramState();
if (devices.length > 0 && total > 0 && modelPath !== '') {
  const model = await llama.loadModel({ modelPath, gpuLayers: 'max' });
  const flashAttention = flash === 'true';
  const context = await model.createContext({ contextSize: 512, sequences: 1, batchSize: 64, flashAttention });
  const prompt = model.tokenize('The quick brown fox jumps over the lazy dog. '.repeat(4));
  let tokens = 0;
  for await (const token of context.getSequence().evaluate(prompt, { temperature: 0 })) {
    tokens += 1;
    if (tokens === 4) break;
  }
  await context.dispose();
  await model.dispose();
}
report({ devices: total > 0 ? devices : [] });
process.exit(0);
`;

/** Never rejects. */
export function probeGpu(options: ProbeOptions): Promise<ProbeResult> {
  const { backend, entry, modelPath = '', flashAttention, env, timeoutMs = TIMEOUT_MS } = options;
  const [program, ...words] = options.program ?? [process.execPath, '--input-type=module', '-e', SCRIPT, '--'];
  return new Promise((resolve) => {
    let output = '';
    let problem = '';
    // Output of a driver goes nowhere else: it may be much.
    const child = spawn(program, [...words, entry, backend, String(flashAttention), modelPath], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const give = (result: ProbeResult): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => undefined);
      child.kill('SIGKILL');
      resolve(result);
    };
    const timer = setTimeout(() => {
      give({ works: false, reason: `did not answer within ${Math.round(timeoutMs / 1_000)} s` });
    }, timeoutMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARACTERS);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problem = (problem + text).slice(-MAX_OUTPUT_CHARACTERS);
    });
    child.on('error', (error) => {
      give({ works: false, reason: `could not be tried: ${error.message}` });
    });
    child.on('close', (code, signal) => {
      const devices = devicesIn(output);
      if (signal !== null) give({ works: false, reason: `crashed its driver (${signal})`, crashed: true });
      else if (devices === undefined) give({ works: false, reason: endOf(code, problem) });
      else if (devices.length === 0) give({ works: false, reason: 'is not seen by its driver' });
      else give({ works: true, devices });
    });
  });
}

function devicesIn(output: string): readonly string[] | undefined {
  const line = output.split('\n').find((text) => text.startsWith(MARK));
  if (line === undefined) return undefined;
  const { devices } = JSON.parse(line.slice(MARK.length)) as { readonly devices: readonly string[] };
  return devices;
}

/** Prefers the binding's or the driver's own first description of the failure. */
function endOf(code: number | null, problem: string): string {
  const reported = problem
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /error|not found|cannot|failed/i.test(line));
  return `cannot be used: ${(reported ?? `exit code ${String(code)}`).slice(0, 200)}`;
}
