import { describe, expect, it } from '@jest/globals';
import {
  contextText,
  deviceText,
  engineTitle,
  fitOf,
  loadedNames,
  memorySize,
  memoryText,
  modelMemoryText,
  modelState,
  needsAttention,
  nodeState,
  platformText,
  slotsOf,
  vramOf,
  type Node,
} from './node-facts';

const node = (members: Partial<Node>): Node =>
  ({
    status: 'active',
    online: true,
    problem: null,
    paused: false,
    health: 'healthy',
    engines: [],
    ...members,
  }) as Node;

describe('the state of a computer', () => {
  it.each<[Partial<Node>, string, string]>([
    [{}, 'serving', 'online'],
    [{ online: false }, 'off', 'offline'],
    [{ paused: true }, 'off', 'paused'],
    [{ problem: 'Engine a cannot be reached.' }, 'attention', 'needs attention'],
    [{ health: 'suspect' }, 'attention', 'requests fail'],
    [{ status: 'pending', online: false }, 'attention', 'waits for confirmation'],
  ])('the state of a computer with %j is %s, "%s"', (members, state, label) => {
    expect(nodeState(node(members))).toEqual({ state, label });
  });

  it('a computer that lost its connection needs attention, and one that was stopped does not', () => {
    const stopped = node({ online: false });
    expect(nodeState(stopped, true)).toEqual({ state: 'attention', label: 'lost its connection' });
    expect([needsAttention(stopped, true), needsAttention(stopped)]).toEqual([true, false]);
  });
});

describe('the facts of a computer', () => {
  it('the facts of a computer are written in readable units', () => {
    expect(platformText('linux-x64')).toBe('Linux · x64');
    expect(platformText('darwin-arm64')).toBe('macOS · Apple silicon');
    expect(platformText('sunos-sparc')).toBe('sunos-sparc');
    expect(memoryText(41 * 2 ** 30, 64 * 2 ** 30)).toBe('41 of 64 GB');
    expect(memoryText(2.1 * 2 ** 30, 24 * 2 ** 30)).toBe('2.1 of 24 GB');
    expect(memoryText(2.01 * 2 ** 30, 24 * 2 ** 30)).toBe('2.0 of 24 GB');
    expect(memoryText(9.96 * 2 ** 30, 24 * 2 ** 30)).toBe('10 of 24 GB');
    expect(memorySize(41 * 2 ** 30)).toBe('41 GB');
    expect(memorySize(5.44 * 2 ** 30)).toBe('5.4 GB');
    expect(contextText(4_096)).toBe('4,096 tokens of context');
  });

  it('the facts of a computer include its loaded models by name, each once', () => {
    const model = (display_name: string, state = 'loaded', reason: string | null = null) =>
      ({ display_name, state, reason }) as Node['models'][number];
    const models = [
      model('relay-tiny'),
      model('fake'),
      model('fake'),
      model('a', 'installed'),
      model('b', 'loaded', 'engine_unreachable'),
    ];
    expect(loadedNames({ models })).toEqual(['fake', 'relay-tiny']);
    expect(loadedNames({ models: models.toReversed() })).toEqual(['fake', 'relay-tiny']);
  });

  it('the facts of a computer include the slots of all engines that report them', () => {
    const engine = (total: number | null, used: number | null) => ({ slots_total: total, slots_used: used });
    expect(slotsOf({ engines: [engine(4, 1), engine(null, null), engine(2, 2)] } as unknown as Node)).toEqual({
      used: 3,
      total: 6,
    });
    expect(slotsOf({ engines: [] })).toBeNull();
  });
});

describe('the title of an engine', () => {
  it.each([
    ['ollama', 'ollama@127.0.0.1:11434', 'Ollama'],
    ['openai-compatible', 'openai@127.0.0.1:9000', 'OpenAI-compatible at 127.0.0.1:9000'],
    ['openai-compatible', 'mine', 'OpenAI-compatible'],
  ])('of kind %s and with the name %s is %s', (kind, name, title) => {
    expect(engineTitle({ kind, name })).toBe(title);
  });
});

describe('the state of a model', () => {
  it('the state of a model is that of its engine first', () => {
    expect(modelState({ state: 'installed', reason: 'engine_unreachable' }).label).toBe('engine unreachable');
    expect(modelState({ state: 'loaded', reason: null })).toEqual({ state: 'serving', label: 'loaded' });
    expect(modelState({ state: 'loading', reason: null }).state).toBe('working');
  });
});

describe('what computes a model, and what it takes', () => {
  it('names the part of the layers only where the processor has others', () => {
    expect(deviceText({ device: 'NVIDIA H200', gpu_layers: { on_gpu: 37, total: 37 } })).toBe('NVIDIA H200');
    expect(deviceText({ device: 'NVIDIA H200', gpu_layers: { on_gpu: 20, total: 37 } })).toBe(
      'NVIDIA H200, 20 of 37 layers',
    );
    expect(deviceText({ device: 'processor', gpu_layers: { on_gpu: 0, total: 37 } })).toBe('processor');
    expect(deviceText({ device: null, gpu_layers: null })).toBeNull();
  });

  it('keeps memory of graphics processors and of the computer apart', () => {
    const split = { vram_bytes: 5_400_000_000, ram_bytes: 400_000_000 };
    expect(modelMemoryText({ device: 'NVIDIA H200', memory: split })).toBe('5.4 GB VRAM · 400 MB RAM');
    const inRam = { ...split, vram_bytes: 0 };
    expect(modelMemoryText({ device: null, memory: inRam })).toBe('400 MB RAM');
    // The device says it.
    expect(modelMemoryText({ device: 'processor', memory: inRam })).toBe('400 MB');
    expect(modelMemoryText({ device: 'processor', memory: null })).toBeNull();
  });
});

describe('whether a model fits, in words', () => {
  const computer = (totalGiB: number, freeGiB: number) => ({
    memory: { total_bytes: totalGiB * 2 ** 30, free_bytes: freeGiB * 2 ** 30 },
  });

  it('whether a model fits says what it needs of what there is', () => {
    expect(fitOf(40 * 2 ** 30, computer(24, 20))).toEqual({ fit: 'does_not_fit', text: 'does not fit: 44 of 22 GB' });
    expect(fitOf(10 * 2 ** 30, computer(24, 6))).toEqual({ fit: 'fits_when_free', text: 'needs 11.5 GB, 6 GB free' });
    // Never twice the same number.
    expect(fitOf(18.4 * 2 ** 30, computer(24, 20.68)).text).toBe('needs 20.71 GB, 20.68 GB free');
    expect(fitOf(2 * 2 ** 30, computer(24, 20))).toEqual({ fit: 'fits', text: 'fits' });
    expect(fitOf(null, computer(24, 20)).text).toBe('');
  });
});

it('graphics memory is that of processors which do not share the memory of the computer', () => {
  const gpu = (members: object) => ({
    name: 'GPU',
    total_bytes: 24,
    free_bytes: 4,
    unified: false,
    backend: null,
    ...members,
  });
  expect(vramOf({ gpus: [gpu({}), gpu({ total_bytes: 8 })] })).toEqual({ total: 32, used: 24 });
  expect(vramOf({ gpus: [gpu({ unified: true })] })).toBeNull();
  expect(vramOf({ gpus: [gpu({ free_bytes: null })] })).toBeNull();
});
