import { describe, expect, it } from '@jest/globals';
import { renderTable, type Column } from '../../core/output/table.js';
import { memoryColumns } from './model-memory.js';

type Row = Parameters<(typeof memoryColumns)[number]['value']>[0];

const name: Column<Row> = { heading: 'MODEL', value: () => 'qwen3:8b' };
const table = (row: Row, width = 80): string => renderTable([name, ...memoryColumns], [row], false, width);
const whole = { on_gpu: 37, total: 37 };

describe('what a loaded model takes', () => {
  it('is shown apart for graphics processor and computer, with the device', () => {
    const memory = { vram_bytes: 5_400_000_000, ram_bytes: 400_000_000 };
    expect(table({ memory, device: 'NVIDIA H200', gpu_layers: whole })).toBe(
      'MODEL       VRAM       RAM  DEVICE\nqwen3:8b  5.4 GB  400.0 MB  NVIDIA H200',
    );
  });

  it('has the part of its layers that the graphics processor computes, where it is a part', () => {
    const memory = { vram_bytes: 5_400_000_000, ram_bytes: 2_000_000_000 };
    const row = { memory, device: 'NVIDIA H200, processor', gpu_layers: { on_gpu: 20, total: 37 } };
    expect(table(row)).toContain('NVIDIA H200, processor 20/37');
  });

  it('has no column for memory that no model takes', () => {
    const memory = { vram_bytes: 0, ram_bytes: 400_000_000 };
    const text = table({ memory, device: 'processor', gpu_layers: { on_gpu: 0, total: 37 } });
    expect(text).toBe('MODEL          RAM  DEVICE\nqwen3:8b  400.0 MB  processor');
  });

  it('is left out where engine or relay do not say it', () => {
    expect(table({ memory: null, device: null, gpu_layers: null })).toBe('MODEL\nqwen3:8b');
    expect(table({})).toBe('MODEL\nqwen3:8b');
  });
});
