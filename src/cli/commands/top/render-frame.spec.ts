import { describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { withinRows } from './live-top.js';
import { renderFrame } from './render-frame.js';
import type { TopFrame } from './top-frame.shape.js';

const node: TopFrame['nodes'][number] = {
  node_id: 'nd_1',
  name: 'the computer of the studio upstairs',
  online: true,
  accepts_work: true,
  loaded: ['qwen3:8b', 'gemma3:4b', '日本語のモデル'],
  slots_used: 2,
  slots_total: 4,
  tokens_per_second: 83.1,
  queue: 0,
  memory_used_bytes: 41e9,
  memory_total_bytes: 64e9,
  vram_used_bytes: 5e9,
  vram_total_bytes: 24e9,
  round_trip_ms: 4.2,
  problem: null,
};
const request: TopFrame['requests'][number] = {
  object: 'request',
  id: 'req_9f2c1a7e9a7d4f6889e2c4b7d0a1f352',
  key: 'codex',
  model: 'qwen3:8b',
  node: 'studio',
  state: 'decode',
  output_events: 412,
  tokens_per_second: 41.5,
  age_ms: 10_000,
};
const frame: TopFrame = {
  object: 'top',
  at: '2026-11-22T14:02:31.000Z',
  nodes: [node, { ...node, name: 'vm', online: false, loaded: [], memory_total_bytes: null, slots_total: null }],
  requests: Array.from({ length: 40 }, () => request),
  errors: [{ at: '2026-11-22T13:58:00.000Z', subject: 'vm', message: 'Ollama does not answer\u001b[2J' }],
};
const view = { rows: 24, colors: false, selected: 'req_9f2c1a7e9a7d4f6889e2c4b7d0a1f352' };

describe('a frame of ferry top', () => {
  it.each([200, 120, 80, 60, 40, 20])('fits into %d columns and 24 rows', (columns) => {
    const lines = renderFrame(frame, { ...view, columns });
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    expect(lines.join('\n')).toContain('…a1f352');
  });

  it('shows memory of the graphics processors beside that of the computer where there is room', () => {
    const text = renderFrame(frame, { ...view, columns: 120 }).join('\n');
    expect(text).toMatch(/^ {2}NODE .*LOADED .*SLOTS .*TOK\/S .*QUEUE .*MEMORY .*VRAM .*RTT$/m);
    expect(text).toContain('5 of 22 GB');
  });

  it('shows everything at 80 columns where there is no graphics processor', () => {
    const plain = {
      ...frame,
      nodes: frame.nodes.map((row) => ({ ...row, vram_used_bytes: null, vram_total_bytes: null })),
    };
    const text = renderFrame(plain, { ...view, columns: 80 }).join('\n');
    expect(text).toMatch(/^ {2}NODE .*LOADED .*SLOTS .*TOK\/S .*QUEUE .*MEMORY .*RTT$/m);
    expect(text).toMatch(/^ {2}REQUEST .*KEY .*MODEL .*NODE .*STATE .*TOKENS .*TOK\/S .*AGE$/m);
    expect(text).toContain('↑↓ select · Enter explain · k stop · q quit');
  });

  it('keeps the errors and the keys where there are more requests than lines', () => {
    const lines = renderFrame(frame, { ...view, columns: 80, rows: 12 });
    expect(lines).toHaveLength(12);
    expect(lines.slice(-2).join('\n')).toMatch(/vm: Ollama does not answer.*\n.*q quit/);
  });

  it('shows the selected request wherever it is in a long list', () => {
    const requests = frame.requests.map((row, index) => ({ ...row, id: `req_${String(index).padStart(8, '0')}` }));
    for (const selected of ['req_00000000', 'req_00000020', 'req_00000039']) {
      const lines = renderFrame({ ...frame, requests }, { ...view, columns: 80, selected });
      expect(lines).toHaveLength(24);
      expect(lines.filter((line) => line.startsWith(`> ${selected}`))).toHaveLength(1);
    }
  });

  it('leaves half of the lines to the requests where there are many nodes', () => {
    const lines = renderFrame({ ...frame, nodes: Array.from({ length: 40 }, () => node) }, { ...view, columns: 80 });
    expect(lines).toHaveLength(24);
    expect(lines.filter((line) => line.includes('codex')).length).toBeGreaterThan(6);
    expect(lines.join('\n')).toMatch(/^ {2}\d+ more: ferry nodes$/m);
  });

  it('leaves one line to requests where none runs', () => {
    const nodes = Array.from({ length: 10 }, () => node);
    // Title, two headings, an empty line, the sentence that no request runs, and the keys.
    const lines = renderFrame({ ...frame, nodes, requests: [], errors: [] }, { ...view, columns: 160, rows: 16 });
    expect(lines.filter((line) => line.includes('qwen3:8b'))).toHaveLength(10);
    expect(lines.at(-2)).toBe('no request is running');
  });

  it('removes control characters from names', () => {
    expect(renderFrame(frame, { ...view, columns: 80 }).join('')).not.toContain('\u001b');
  });
});

it('keeps the line that says how to leave an explanation, where that is longer than the screen', () => {
  const lines = ['first', 'second', 'third', 'any key: back'];
  expect(withinRows(lines, 4)).toEqual(lines);
  expect(withinRows(lines, 3)).toEqual(['first', 'second', 'any key: back']);
});
