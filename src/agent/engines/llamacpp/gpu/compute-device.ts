/** Starts llama.cpp with the graphics processor that the settings and this computer allow, or else on the processor. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Clock } from '../../../../kernel/clock.js';
import type { GpuBackend, GpuReport } from '../../../../link/messages.js';
import { loadBinding, type Binding, type Llama } from '../binding.js';
import { packagesRemedy } from '../engine-packages.js';
import { GpuRecord } from './gpu-record.js';
import { planGpu } from './gpu-plan.js';
import { backendNames, type GpuSetting } from './gpu-setting.js';
import { readGraphics, type Graphics } from './graphics.js';
import { probeGpu, type ProbeOptions, type ProbeResult } from './probe.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ComputeDeviceOptions {
  readonly setting: GpuSetting;
  /** Packages without a graphics processor; on Apple silicon also with it. */
  readonly directory: string;
  /** Packages for one; undefined where there are none for this backend. */
  readonly gpuDirectory: (backend: GpuBackend) => { readonly directory: string; readonly isInstalled: boolean };
  /** Computed by the probe. */
  readonly probeModel: string | undefined;
  /** Undefined: crashes are not remembered. */
  readonly recordFile: string | undefined;
  readonly maxThreads: number;
  /** Undefined: with a graphics processor, unless that crashes its driver. */
  readonly flashAttention: boolean | undefined;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn', message: string) => void;
  /** A trial of the graphics processor begins, which takes seconds, and longer when its driver compiles for the first time. */
  readonly onTrying?: () => void;
  /** Tests replace it. */
  readonly graphics?: () => Promise<Graphics>;
  readonly probe?: (options: ProbeOptions) => Promise<ProbeResult>;
}

/** llama.cpp, and what it computes on. */
export interface ComputeDevice {
  readonly binding: Binding;
  readonly llama: Llama;
  /** Undefined: the processor computes. */
  readonly gpu: UsedGpu | undefined;
  /** To be called when llama.cpp has been disposed. */
  readonly ended: () => Promise<void>;
}

export interface UsedGpu {
  readonly backend: GpuBackend;
  /** At least one. */
  readonly names: readonly string[];
  readonly totalBytes: number;
  /** The device computes in the memory of the host. */
  readonly unified: boolean;
  readonly flashAttention: boolean;
}

const nothing = (): Promise<void> => Promise.resolve();

/** @throws EngineNotInstalled, or an error of node-llama-cpp */
export async function startComputeDevice(options: ComputeDeviceOptions): Promise<ComputeDevice> {
  const { setting, env, log } = options;
  const graphics = setting === 'off' ? undefined : await (options.graphics ?? (() => readGraphics({ env })))();
  const plan = graphics === undefined ? undefined : planGpu(setting, graphics);
  const next = plan?.next === undefined ? '' : `; ${plan.next}`;
  if (plan?.line !== undefined) log(plan.isProblem === true ? 'warn' : 'info', `${plan.line}${next}`);
  if (plan?.backend !== undefined) {
    const used = await startGpu(options, plan.backend);
    if (typeof used !== 'string') return used;
    log('warn', `${used}; the processor computes`);
  }
  const binding = await loadBinding(options.directory);
  return { binding, llama: await startLlama(binding, false, options), gpu: undefined, ended: nothing };
}

/** @returns why it cannot be used, for people */
async function startGpu(options: ComputeDeviceOptions, backend: GpuBackend): Promise<ComputeDevice | string> {
  const { log, clock } = options;
  const { directory, isInstalled } = options.gpuDirectory(backend);
  if (!isInstalled) return `the packages for ${backendNames[backend]} are not installed: ${packagesRemedy(directory)}`;
  const record = new GpuRecord(options.recordFile, clock);
  const paused = await record.begin();
  if (paused !== undefined) return paused;
  try {
    const entry = createRequire(path.join(path.resolve(directory), 'package.json')).resolve('node-llama-cpp');
    options.onTrying?.();
    const tried = await tryDevice(options, { backend, entry });
    if (!tried.works) {
      await record.ended();
      return `the graphics processor ${tried.reason}`;
    }
    const binding = await loadBinding(directory);
    const llama = await startLlama(binding, backend, options);
    const gpu = await usedGpu(llama, backend, tried.flashAttention);
    if (gpu === undefined) log('warn', 'the graphics processor is not seen by its driver; the processor computes');
    return { binding, llama, gpu, ended: () => record.ended() };
  } catch (error) {
    await record.ended();
    return `the graphics processor cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Tried = Extract<ProbeResult, { works: false }> | { readonly works: true; readonly flashAttention: boolean };

/** Tries flash attention first, then without it, because some drivers crash only with it. */
async function tryDevice(
  { probe = probeGpu, probeModel: modelPath, env, clock, log, flashAttention: configured }: ComputeDeviceOptions,
  { backend, entry }: Pick<ProbeOptions, 'backend' | 'entry'>,
): Promise<Tried> {
  const startedMs = clock.monotonicMs();
  let flashAttention = configured ?? true;
  let result = await probe({ backend, entry, modelPath, flashAttention, env });
  let note = '';
  if (!result.works && result.crashed === true && configured === undefined) {
    const { reason } = result;
    flashAttention = false;
    result = await probe({ backend, entry, modelPath, flashAttention, env });
    note = `, without flash attention, with which it ${reason}`;
  }
  if (!result.works) return result;
  const seconds = ((clock.monotonicMs() - startedMs) / 1_000).toFixed(1);
  log('info', `${result.devices.join(', ')} computes with ${backendNames[backend]}${note}; tried in ${seconds} s`);
  return { works: true, flashAttention };
}

/** Relies on the list of devices: without one, llama.cpp still names the backend and loads no layer onto it. */
async function usedGpu(llama: Llama, backend: GpuBackend, flashAttention: boolean): Promise<UsedGpu | undefined> {
  const names = await llama.getGpuDeviceNames();
  const { total, unifiedSize } = await llama.getVramState();
  return names.length === 0 || total === 0
    ? undefined
    : { backend, names, totalBytes: total, unified: unifiedSize > 0 && unifiedSize >= total, flashAttention };
}

const startLlama = ({ llamaCpp }: Binding, gpu: GpuBackend | false, options: ComputeDeviceOptions): Promise<Llama> =>
  llamaCpp.getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    maxThreads: options.maxThreads,
    // Room is left by Ferry's own check of the memory, which says so.
    ...(gpu !== false && { vramPadding: 0 }),
    logLevel: 'warn',
    logger: (_level, message) => {
      options.log('warn', `llama.cpp: ${message.trim()}`);
    },
  });

/** As STATUS reports it; the memory of several devices is one figure. */
export async function gpuReport(llama: Llama, gpu: UsedGpu): Promise<GpuReport> {
  const { total, free } = await llama.getVramState();
  return {
    name: deviceName(gpu),
    total_bytes: total,
    free_bytes: Math.min(free, total),
    ...(gpu.unified && { unified: true }),
    backend: gpu.backend,
  };
}

export const deviceName = ({ names }: UsedGpu): string => names.join(', ').slice(0, 200);
