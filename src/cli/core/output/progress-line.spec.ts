import { describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { drawBar, layoutProgress, withElapsed, type ProgressState } from './progress-line.js';

const state: ProgressState = {
  label: 'Installing on studio',
  subject: 'Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf',
  fraction: 0.4,
  detail: '2.1/5.2 GB  88.0 MB/s  00:36',
  origin: 'https://huggingface.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF/resolve/main/Qwen3-Coder.gguf',
};

describe('a line of progress', () => {
  it.each([200, 120, 80])('shows percent, speed and time left in %d columns', (width) => {
    const line = layoutProgress(state, width);
    expect(stringWidth(line)).toBeLessThanOrEqual(width);
    for (const part of ['Installing on studio', ' 40%', '88.0 MB/s', '00:36']) expect(line).toContain(part);
  });

  it('shortens the file in the middle, before it leaves out a figure', () => {
    const line = layoutProgress(state, 80);
    expect(line).toMatch(/ {2}Qwen3.*….*gguf {2} 40% {2}2\.1\/5\.2 GB {2}88\.0 MB\/s {2}00:36$/);
  });

  it('shows the source last, and only when it fits completely', () => {
    expect(layoutProgress(state, 120)).not.toContain('https');
    expect(layoutProgress(state, 300)).toMatch(/ 40% .* 00:36 {2}━{8}╌{12} {2}https:\/\/\S+\.gguf$/);
  });

  it('shows how long a step has taken that is not counted, as most engines load', () => {
    const loading = { ...state, label: 'Loading on studio', subject: 'qwen3:8b', fraction: null, detail: 'loading' };
    expect(layoutProgress(withElapsed(loading, 2_000), 80)).toBe('Loading on studio  qwen3:8b  loading');
    expect(layoutProgress(withElapsed(loading, 12_400), 80)).toBe('Loading on studio  qwen3:8b  loading  12 s');
    expect(withElapsed(state, 12_400)).toBe(state);
  });

  it('draws a bar that is full only at the end', () => {
    expect(drawBar(0.5, 20)).toBe(`${'━'.repeat(10)}${'╌'.repeat(10)}`);
    expect(drawBar(0.999, 20)).toContain('╌');
    expect(drawBar(1, 20)).toBe('━'.repeat(20));
    expect(drawBar(null, 20)).toBe('');
  });
});
