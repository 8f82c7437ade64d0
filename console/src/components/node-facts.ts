/** A computer in words: its state, what it is, what it has. */
import type { Schemas } from '../api/management-api.types';
import { fit, neededBytes, room, type ComputerMemory, type Fit } from './fits';
import { bytes, count, decimal } from './format';
import { compareValues } from './sort-rows';
import type { State } from './state-dot';

export type Node = Schemas['Node'];
export type NodeModel = Node['models'][number];

export interface StateInWords {
  readonly state: State;
  readonly label: string;
}

/** @param isGone it is known to have lost its connection, rather than to have been stopped */
export function nodeState(node: Node, isGone = false): StateInWords {
  if (node.status === 'pending') return { state: 'attention', label: 'waits for confirmation' };
  if (node.status === 'revoked') return { state: 'off', label: 'revoked' };
  if (!node.online)
    return isGone ? { state: 'attention', label: 'lost its connection' } : { state: 'off', label: 'offline' };
  if (node.problem !== null) return { state: 'attention', label: 'needs attention' };
  if (node.paused) return { state: 'off', label: 'paused' };
  if (node.health === 'suspect') return { state: 'attention', label: 'requests fail' };
  return { state: 'serving', label: 'online' };
}

export const needsAttention = (node: Node, isGone = false): boolean =>
  isGone || node.problem !== null || node.status === 'pending' || (node.online && node.health === 'suspect');

const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };
const processors: Readonly<Record<string, string>> = { x64: 'x64', arm64: 'ARM' };

/** `linux-x64` as people say it. */
export function platformText(platform: string): string {
  const [system = '', processor = ''] = platform.split('-');
  const name = systems[system];
  if (name === undefined) return platform;
  if (system === 'darwin') return processor === 'arm64' ? 'macOS · Apple silicon' : 'macOS · Intel';
  return processor === '' ? name : `${name} · ${processors[processor] ?? processor}`;
}

const engineNames: Readonly<Record<string, string>> = {
  llamacpp: 'built-in engine',
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  'llama-server': 'llama-server',
  vllm: 'vLLM',
  sglang: 'SGLang',
  localai: 'LocalAI',
  'openai-compatible': 'OpenAI-compatible',
};

export const engineName = (kind: string): string => engineNames[kind] ?? kind;

type NamedEngine = Pick<Node['engines'][number], 'kind' | 'name'>;

/** With the address where the kind says only which API it has, as one computer may have several of those: `openai@127.0.0.1:9000`. */
export const engineTitle = ({ kind, name }: NamedEngine): string => {
  const [, address] = name.split('@');
  return kind === 'openai-compatible' && address !== undefined ? `${engineName(kind)} at ${address}` : engineName(kind);
};

export const engineText = (engine: NamedEngine & { readonly version: string | null }): string =>
  engine.version === null ? engineTitle(engine) : `${engineTitle(engine)} ${engine.version}`;

/** The built-in engine's version is that of Ferry, as far as anybody needs to know in a list. */
export const shortEngineText = (engine: NamedEngine & { readonly version: string | null }): string =>
  engine.kind === 'llamacpp' ? engineName(engine.kind) : engineText(engine);

export const GIBIBYTE = 2 ** 30;

/** A megabyte is the least that matters. */
const MOST_DIGITS = 3;

/** Two sizes without their unit: in powers of two, as memory is sold. What is below ten has a decimal, and where the total is, both have. */
function gibibytes(used: number, total: number): readonly [used: string, total: string] {
  const usual = (value: number): number => (value < 10 * GIBIBYTE ? 1 : 0);
  const inDigits = (least: number): readonly [string, string] => {
    const text = (value: number): string => decimal(value / GIBIBYTE, Math.max(least, usual(value)));
    return [text(used), text(total)];
  };
  let digits = usual(total);
  // Two different sizes do not look the same.
  while (used !== total && digits < MOST_DIGITS && new Set(inDigits(digits)).size === 1) digits += 1;
  return inDigits(digits);
}

const WRITTEN_AS_TEN = 9.95;

/** `41 of 64 GB` */
export function memoryText(used: number, total: number): string {
  const [usedGb, totalGb] = gibibytes(used, total);
  // "2.0", as "2.3": the figure does not jump while it changes.
  const hasDecimal = used > 0 && used < WRITTEN_AS_TEN * GIBIBYTE && total >= 10 * GIBIBYTE;
  return `${hasDecimal ? decimal(used / GIBIBYTE, 1, 1) : usedGb} of ${totalGb} GB`;
}

/** `5.4 GB`, in the same powers of two. */
export const memorySize = (value: number): string => `${gibibytes(value, value)[0]} GB`;

/** `needs 21 GB, 20 GB free` */
export function neededText(needed: number, free: number): string {
  const [neededGb, freeGb] = gibibytes(needed, free);
  return `needs ${neededGb} GB, ${freeGb} GB free`;
}

export interface FitInWords {
  readonly fit: Fit;
  /** Empty: not known. */
  readonly text: string;
}

/** `does not fit: 43 of 22 GB`. @param sizeBytes of the model's file */
export function fitOf(sizeBytes: number | null | undefined, computer: ComputerMemory): FitInWords {
  const verdict = fit(sizeBytes, computer);
  const place = room(computer);
  if (sizeBytes === null || sizeBytes === undefined || place === null) return { fit: verdict, text: '' };
  const needed = neededBytes(sizeBytes);
  switch (verdict) {
    case 'fits':
      return { fit: verdict, text: 'fits' };
    case 'fits_in_part':
      return { fit: verdict, text: 'fits in part, slower' };
    case 'fits_when_free':
      return { fit: verdict, text: neededText(needed, place.free ?? place.total) };
    case 'does_not_fit':
      return { fit: verdict, text: `does not fit: ${memoryText(needed, place.total)}` };
    case 'unknown':
      return { fit: verdict, text: '' };
  }
}

export interface Slots {
  readonly used: number;
  readonly total: number;
}

/** Of all engines together; null: none has reported any. */
export function slotsOf({ engines }: Pick<Node, 'engines'>): Slots | null {
  const known = engines.filter(({ slots_total }) => slots_total !== null && slots_total > 0);
  if (known.length === 0) return null;
  return {
    used: known.reduce((sum, { slots_used }) => sum + (slots_used ?? 0), 0),
    total: known.reduce((sum, { slots_total }) => sum + (slots_total ?? 0), 0),
  };
}

export const slotsText = ({ used, total }: Slots): string => `${count(used)} of ${count(total)}`;

export function modelState({ state, reason }: Pick<NodeModel, 'state' | 'reason'>): StateInWords {
  if (reason === 'engine_unreachable') return { state: 'attention', label: 'engine unreachable' };
  switch (state) {
    case 'loaded':
      return { state: 'serving', label: 'loaded' };
    case 'loading':
    case 'unloading':
      return { state: 'working', label: state };
    case 'failed':
      return { state: 'failed', label: 'failed' };
    default:
      return { state: 'off', label: 'installed' };
  }
}

/** Names of the models that answer requests there. Engines list them in another order each time. */
export const loadedNames = ({ models }: Pick<Node, 'models'>): readonly string[] =>
  [
    ...new Set(
      models
        .filter(({ state, reason }) => state === 'loaded' && reason === null)
        .map(({ display_name }) => display_name),
    ),
  ].toSorted(compareValues);

/** Loads of it can be asked for. */
export const isLoadable = ({ state, reason }: Pick<NodeModel, 'state' | 'reason'>): boolean =>
  reason === null && (state === 'installed' || state === 'failed');

/** Memory of all graphics processors that do not share the computer's; null: none, or a driver does not say what is free. */
export function vramOf({ gpus }: Pick<Node, 'gpus'>): { readonly used: number; readonly total: number } | null {
  const own = gpus.filter(({ unified }) => !unified);
  if (own.length === 0 || own.some(({ free_bytes }) => free_bytes === null)) return null;
  const total = own.reduce((sum, { total_bytes }) => sum + total_bytes, 0);
  return { total, used: total - own.reduce((sum, { free_bytes }) => sum + (free_bytes ?? 0), 0) };
}

/** `4,096 tokens of context` */
export const contextText = (tokens: number): string => `${count(tokens)} tokens of context`;

/** `NVIDIA H200`, and which part of a model it computes where the processor computes the rest; null: the engine does not say. */
export function deviceText({ device, gpu_layers: layers }: Pick<NodeModel, 'device' | 'gpu_layers'>): string | null {
  if (device === null) return null;
  const isSplit = layers !== null && layers.on_gpu > 0 && layers.on_gpu < layers.total;
  return isSplit ? `${device}, ${layers.on_gpu} of ${layers.total} layers` : device;
}

/** `5.4 GB VRAM · 400 MB RAM`; of what the processor computes, in the only memory that it has, `400 MB`. null: not loaded, or not known. */
export function modelMemoryText({ memory, device }: Pick<NodeModel, 'memory' | 'device'>): string | null {
  if (memory === null) return null;
  const { vram_bytes: vram, ram_bytes: ram } = memory;
  if (device === 'processor' && vram === 0) return bytes(ram);
  const parts = [...(vram > 0 ? [`${bytes(vram)} VRAM`] : []), ...(ram > 0 ? [`${bytes(ram)} RAM`] : [])];
  return parts.join(' · ');
}
