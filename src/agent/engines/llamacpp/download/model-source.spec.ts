import { describe, expect, it } from '@jest/globals';
import { OperationFailure } from '../../engine-management.js';
import { parseModelSource } from './model-source.js';

const digest = 'AB'.repeat(32);
const refusal = (source: string, env = {}): string => {
  try {
    parseModelSource(source, env);
  } catch (error) {
    if (error instanceof OperationFailure && error.code === 'invalid_source') return error.message;
    throw error;
  }
  return 'taken';
};

describe('the source of a model', () => {
  it('the source of a model is a file of the hub, also in a folder of the repository', () => {
    const source = parseModelSource('hf:Qwen/Qwen3-8B-GGUF/sub dir/Qwen3-8B-Q4_K_M.gguf', {});
    expect(source.url.href).toBe(
      'https://huggingface.co/Qwen/Qwen3-8B-GGUF/resolve/main/sub%20dir/Qwen3-8B-Q4_K_M.gguf',
    );
    expect(source).toMatchObject({ fileName: 'Qwen3-8B-Q4_K_M.gguf', sha256: null, hub: { token: null } });
  });

  it('the source of a model is on the mirror that HF_ENDPOINT names', () => {
    const { url, hub } = parseModelSource('hf:a/b/c.gguf', {
      HF_ENDPOINT: 'https://mirror.example/hf/',
      HF_TOKEN: 'hf_x',
    });
    expect(url.href).toBe('https://mirror.example/hf/a/b/resolve/main/c.gguf');
    expect(hub).toMatchObject({ origin: 'https://mirror.example', token: 'hf_x' });
    expect(refusal('hf:a/b/c.gguf', { HF_ENDPOINT: 'http://mirror.example' })).toContain('HF_ENDPOINT');
  });

  it('the source of a model is an https address, with a digest behind it or without', () => {
    const source = parseModelSource(`https://example.com/models/x%20y.gguf?signature=secret#sha256=${digest}`, {});
    expect(source).toMatchObject({ fileName: 'x y.gguf', sha256: digest.toLowerCase() });
    expect(source.label).toBe('https://example.com/models/x%20y.gguf');
    expect(source.url.href).toBe('https://example.com/models/x%20y.gguf?signature=secret');
  });

  it('the source of a model may be the page about a file', () => {
    const { url } = parseModelSource('https://huggingface.co/a/b/blob/main/c.gguf', {});
    expect(url.pathname).toBe('/a/b/resolve/main/c.gguf');
  });

  it('the source of a model may use http on loopback only', () => {
    expect(refusal('http://127.0.0.1:8000/x.gguf')).toBe('taken');
    expect(refusal('http://example.com/x.gguf')).toContain('not https');
  });

  it.each([
    'qwen3:8b',
    'file:///etc/x.gguf',
    'hf:owner/repo',
    'hf:owner/../x.gguf',
    'hf:owner/repo/../x.gguf',
    'hf:owner/repo/..%2Fx.txt',
    'https://user:word@example.com/x.gguf',
    'https://example.com/',
    'https://example.com/x.bin',
    'https://example.com/..%2F..%2Fx.gguf',
    'https://example.com/.gguf',
    'https://example.com/-x.gguf',
    'https://example.com/con.gguf',
    'https://example.com/x.gguf#md5=1',
    `https://example.com/${'x'.repeat(300)}.gguf`,
    'https://example.com/x-00001-of-00003.gguf',
  ])('the source of a model is not %s', (source) => {
    expect(refusal(source)).not.toBe('taken');
  });
});
