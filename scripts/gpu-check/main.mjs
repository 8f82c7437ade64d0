/**
 * `scripts/gpu-check.sh`: the built-in engine on this computer's graphics processor. Results so far are written after every step, so that a
 * run that is cut off is not lost. Nothing of Ferry's that is already here is touched.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { decodeRate, prefillRate } from './answers.mjs';
import { driverDevices, usedBytes, vulkanDrivers } from './device.mjs';
import { Ferry } from './ferry.mjs';
import { batchedBench, llamaBench, llamaServer } from './peers.mjs';
import { sizes, writeRandomModel } from './random-model.mjs';
import { table } from './table.mjs';

/** Shaders are compiled meanwhile. */
const FIRST_LOAD_MS = 150_000;
const root = path.join(import.meta.dirname, '..', '..');
const { values } = parseArgs({
  options: {
    /** Of `tiny` and the sizes of random-model.mjs. */
    models: { type: 'string', default: 'tiny,1gb,7gb' },
    sequences: { type: 'string', default: '1,8,32' },
    /** Of every response. */
    tokens: { type: 'string', default: '128' },
    /** Of the prompt of which the prefill is measured; a random letter is about a token. */
    'prompt-characters': { type: 'string', default: '1500' },
    'slot-tokens': { type: 'string', default: '2048' },
    rounds: { type: 'string', default: '3' },
    /** `gpu` of engines.json; absent: Ferry decides. */
    gpu: { type: 'string' },
    /** `on` or `off`: `flash_attention` of engines.json; absent: Ferry decides. llvmpipe of Mesa 22.3 crashes with it. */
    'flash-attention': { type: 'string' },
    /** Folder of the checkout or package of Ferry to measure. */
    ferry: { type: 'string', default: root },
    /** The program; absent: it is not measured. */
    'llama-server': { type: 'string' },
    'llama-bench': { type: 'string', default: 'llama-bench' },
    'batched-bench': { type: 'string', default: 'llama-batched-bench' },
    /** Folder for models and data, on a disk with 10 GB free; deleted at the end. */
    work: { type: 'string', default: tmpdir() },
    results: { type: 'string', default: path.join(root, 'bench', 'results') },
    /** Seconds after which no further step begins. */
    seconds: { type: 'string', default: '420' },
  },
});

const began = performance.now();
const secondsLeft = () => Number(values.seconds) - (performance.now() - began) / 1_000;
const sequences = values.sequences.split(',').map(Number);
const tokens = Number(values.tokens);
const slotTokens = Number(values['slot-tokens']);
const rounds = Number(values.rounds);
const names = values.models.split(',');
const tinyFile = path.join(values.ferry, 'engines', 'models', 'tiny.gguf');
const work = mkdtempSync(path.join(values.work, 'gpu-check-'));
const date = `${new Date().toISOString().slice(0, 19)}Z`;
const processors = cpus();
const results = {
  date,
  processor: `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  driver: driverDevices(),
  vulkanDrivers: vulkanDrivers(),
  settings: {
    sequences,
    tokens,
    slotTokens,
    rounds,
    gpu: values.gpu ?? null,
    flash: values['flash-attention'] ?? null,
  },
  engine: null,
  starts: [],
  models: {},
  outOfMemory: null,
  notMeasured: [],
};

// Shaders that a driver has kept from an earlier run would make the first start a second one.
const cache = path.join(work, 'shaders');
for (const name of ['__GL_SHADER_DISK_CACHE_PATH', 'MESA_SHADER_CACHE_DIR']) process.env[name] ??= cache;
mkdirSync(cache);
mkdirSync(values.results, { recursive: true });

const stem = path.join(values.results, `gpu-${date.replaceAll(':', '').slice(0, 17)}`);
function save() {
  writeFileSync(`${stem}.json`, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(`${stem}.md`, table(results));
}

/** A step that fails leaves a line, and what is independent of it goes on. */
async function step(name, needsSeconds, action) {
  const at = performance.now();
  try {
    if (secondsLeft() < needsSeconds) throw new Error(`left out: ${Math.round(secondsLeft())} seconds were left`);
    return await action();
  } catch (error) {
    results.notMeasured.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  } finally {
    process.stderr.write(`${name}: ${((performance.now() - at) / 1_000).toFixed(1)} s\n`);
    save();
  }
}

const fileOf = (name) => path.join(work, `${name}.gguf`);
const engine = { slots: Math.max(...sequences), context_tokens: slotTokens };
const flash = values['flash-attention'] === undefined ? {} : { flash_attention: values['flash-attention'] === 'on' };
const ferry = new Ferry({
  command: [process.execPath, path.join(values.ferry, 'bin', 'ferry.js')],
  folder: path.join(work, 'data'),
  engine: { ...engine, load: ['tiny'], ...(values.gpu !== undefined && { gpu: values.gpu }), ...flash },
});

const entryOf = (name) => (results.models[name] ??= { sequences: {} });

/** What the node says of the model and its devices, beside what the driver says. */
async function readMemory(name, before) {
  const node = await ferry.node();
  const model = node?.models?.find(({ display_name }) => display_name === name);
  return {
    reported: model?.memory ?? null,
    device: model?.device ?? null,
    layers: model?.gpu_layers ?? null,
    gpus: node?.gpus ?? [],
    driverBytes: usedBytes() - before,
  };
}

async function measureResponses(name) {
  const entry = entryOf(name);
  await step(`${name}: first answer`, 10, async () => {
    entry.firstAnswer = await decodeRate(ferry, name, 1, Math.min(16, tokens));
  });
  for (const count of sequences) {
    await step(`${name}: ${count} sequences`, 15, async () => {
      const runs = [];
      for (let round = 0; round < rounds; round++) runs.push(await decodeRate(ferry, name, count, tokens));
      entry.sequences[count] = runs.toSorted((one, other) => other.tokensPerSecond - one.tokensPerSecond)[0];
      entry.sequences[count].rounds = runs.map(({ tokensPerSecond }) => tokensPerSecond);
    });
  }
  await step(`${name}: prefill`, 10, async () => {
    entry.prefill = await prefillRate(ferry, name, Number(values['prompt-characters']), rounds + 1);
  });
}

async function measureModel(name) {
  const entry = entryOf(name);
  const load = async (kind) => {
    const before = usedBytes();
    const operation = await ferry.operate('models', 'load', name);
    if (operation.state !== 'succeeded') throw new Error(JSON.stringify(operation.failure));
    entry[kind] = operation.seconds;
    return before;
  };
  const loaded = await step(`${name}: first load`, 20, async () => {
    const install = await ferry.operate('models', 'install', fileOf(name));
    if (install.state !== 'succeeded') throw new Error(JSON.stringify(install.failure));
    entry.memory = await readMemory(name, await load('firstLoadSeconds'));
    return true;
  });
  if (!loaded) return;
  await measureResponses(name);
  await step(`${name}: second load`, 20, async () => {
    await ferry.operate('models', 'unload', name);
    entry.freedTo = usedBytes();
    await load('secondLoadSeconds');
  });
}

/** More context than any device has memory for. */
async function measureOutOfMemory(name) {
  await step('out of memory', 15, async () => {
    const before = usedBytes();
    const operation = await ferry.operate('models', 'load', name, '--context', '131072');
    const node = await ferry.node();
    results.outOfMemory = {
      model: name,
      state: operation.state,
      failure: operation.failure,
      driverBytes: { before, after: usedBytes() },
      stillLoaded: node.models.filter(({ state }) => state === 'loaded').map(({ display_name }) => display_name),
    };
  });
}

function measurePeers(name) {
  const entry = entryOf(name);
  const modelFile = fileOf(name);
  const timeout = () => Math.round(Math.max(1_000, Math.min(120_000, secondsLeft() * 1_000)));
  const server = async () => {
    const characters = Number(values['prompt-characters']);
    const options = { modelFile, sequences, slotTokens, tokens, rounds, characters, timeout: timeout() };
    entry.llamaServer = await llamaServer(values['llama-server'], options);
  };
  return [
    ...(values['llama-server'] === undefined ? [] : [['llama-server', server]]),
    [
      'llama-bench',
      () => {
        const promptTokens = entry.prefill?.promptTokens ?? 512;
        const program = values['llama-bench'];
        entry.llamaBench = llamaBench(program, { modelFile, promptTokens, tokens, rounds, timeout: timeout() });
      },
    ],
    ...[true, false].map((flash) => [
      `llama-batched-bench, flash attention ${flash ? 'on' : 'off'}`,
      () => {
        const options = { modelFile, sequences, slotTokens, tokens, flash, timeout: timeout() };
        (entry.batchedBench ??= []).push(
          ...batchedBench(values['batched-bench'], options).map((row) => ({ ...row, flashAttention: flash })),
        );
      },
    ]),
  ];
}

async function startFerry() {
  await ferry.start();
  const start = { seconds: ferry.startSeconds, screen: ferry.screen };
  results.starts.push(start);
  start.secondsUntilLoaded = start.seconds + (await ferry.loaded('tiny', FIRST_LOAD_MS));
}

async function check() {
  await step('tiny on a first start', 30, async () => {
    const before = usedBytes();
    await startFerry();
    const node = await ferry.node();
    results.engine = node.engines[0]?.version ?? null;
    entryOf('tiny').memory = await readMemory('tiny', before);
  });
  if (results.starts.length === 0) return;
  if (names.includes('tiny')) await measureResponses('tiny');
  const random = names.filter((name) => name !== 'tiny');
  for (const name of random) {
    const made = await step(`${name}: make the file`, 40, () =>
      Promise.resolve(writeRandomModel(fileOf(name), sizes[name], tinyFile)),
    );
    if (made !== undefined) await measureModel(name);
  }
  const last = random.findLast((name) => existsSync(fileOf(name)));
  if (last !== undefined) await measureOutOfMemory(last);
  await ferry.stop();
  // A program of its own would not find the memory that the node still holds.
  if (names.includes('tiny')) copyFileSync(tinyFile, fileOf('tiny'));
  const present = names.filter((name) => existsSync(fileOf(name)));
  const peers = present.map((name) => [name, measurePeers(name)]);
  const steps = peers[0]?.[1].length ?? 0;
  for (let index = 0; index < steps; index++) {
    for (const [name, actions] of peers) {
      const [what, action] = actions[index];
      await step(`${name}: ${what}`, 10, () => Promise.resolve(action()));
    }
  }
  await step('a second start', 20, async () => {
    await startFerry();
  });
}

process.once('SIGTERM', () => {
  results.notMeasured.push('the rest: the time was up');
  save();
  void ferry.stop().finally(() => process.exit(1));
});

try {
  await check();
} finally {
  await ferry.stop();
  rmSync(work, { recursive: true, force: true });
}
save();
process.stdout.write(`${table(results)}\n${stem}.md\n`);
