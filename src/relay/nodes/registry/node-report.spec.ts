import { expect, it } from '@jest/globals';
import type { NodeConnection } from './node-connection.js';
import { NodeInventory } from './node-inventory.js';
import { nodeReport, reportOf } from './node-report.js';
import { modelReport } from '../../../../test/support/link/model-report.js';

const GB = 1_000_000_000;
const connection = (gpus: unknown[]): NodeConnection =>
  ({
    hello: undefined,
    status: { engines: [], gpus },
    problemsSinceMs: new Map(),
    roundTripMs: null,
  }) as unknown as NodeConnection;

it('says how the built-in engine computes on a graphics processor, and null where it does not', () => {
  const gpu = { name: 'NVIDIA H200', total_bytes: 150 * GB, free_bytes: 140 * GB };
  const { gpus } = reportOf(connection([{ ...gpu, backend: 'vulkan' }, gpu]));
  expect(gpus.map(({ name, backend }) => [name, backend])).toEqual([
    ['NVIDIA H200', 'vulkan'],
    ['NVIDIA H200', null],
  ]);
});

it('understands a replica of an older version, which does not say how', () => {
  const gpu = { name: 'GPU', totalBytes: 1, freeBytes: null, unified: false };
  const report = { platform: '', agentVersion: '', roundTripMs: null, engines: [], memory: null, gpus: [gpu] };
  expect(nodeReport.parse(report).gpus).toEqual([{ ...gpu, backend: null }]);
});

it('keeps what a model takes and what computes it', () => {
  const sent = {
    memory: { ram_bytes: 400_000_000, vram_bytes: 5 * GB },
    device: 'NVIDIA H200',
    gpu_layers: { on_gpu: 37, total: 37 },
  };
  const inventory = new NodeInventory(10);
  const models = [modelReport('a', { key: 'a', ...sent }), modelReport('b', { key: 'b' })];
  inventory.apply({ version: 1, full: true, more: false, models, removed: [] });
  expect(inventory.models.get('a')).toMatchObject(sent);
  expect(inventory.models.get('b')).toMatchObject({ memory: undefined, device: undefined, gpu_layers: undefined });
});
