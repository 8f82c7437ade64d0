import { describe, expect, it } from '@jest/globals';
import { OperationFailure, type OperationProgress } from '../engine-management.js';
import { PullReader } from './pull-reader.js';

const line = (report: object): string => `${JSON.stringify(report)}\n`;
const linesOf = (...reports: object[]): string => reports.map(line).join('');

/** Everything that is reported for these bytes, cut into pieces of `size`. */
function read(text: string, size = 1_000): { reports: OperationProgress[]; reader: PullReader } {
  const reader = new PullReader();
  const bytes = Buffer.from(text);
  const reports: OperationProgress[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const progress = reader.feed(bytes.subarray(at, at + size));
    if (progress !== undefined) reports.push(progress);
  }
  return { reports, reader };
}
const failureIn = (text: string): OperationFailure => {
  try {
    read(text).reader.end();
  } catch (error) {
    expect(error).toBeInstanceOf(OperationFailure);
    return error as OperationFailure;
  }
  throw new Error('nothing failed');
};

const download = linesOf(
  { status: 'pulling manifest' },
  { status: 'pulling 6a0746a1ec1a', digest: 'sha256:a', total: 100 },
  { status: 'pulling 6a0746a1ec1a', digest: 'sha256:a', total: 100, completed: 60 },
  { status: 'pulling 6a0746a1ec1a', digest: 'sha256:a', total: 100, completed: 100 },
  { status: 'pulling 4fa551d4f938', digest: 'sha256:b', total: 20, completed: 20 },
  { status: 'verifying sha256 digest' },
  { status: 'writing manifest' },
  { status: 'success' },
);

describe('a download that Ollama reports', () => {
  it('counts its bytes over all layers', () => {
    const { reports, reader } = read(download, 1);
    expect(reports.map(({ phase, completedBytes, totalBytes }) => [phase, completedBytes, totalBytes])).toEqual([
      ['pulling manifest', null, null],
      ['downloading', 0, 100],
      ['downloading', 60, 100],
      ['downloading', 100, 100],
      ['downloading', 120, 120],
      ['verifying', 120, 120],
      ['writing manifest', 120, 120],
      ['success', 120, 120],
    ]);
    expect(reader.succeeded).toBe(true);
    expect(() => {
      reader.end();
    }).not.toThrow();
  });

  it.each([1, 7, 64, 10_000])('ends in the same way in pieces of %d bytes', (size) => {
    const { reports, reader } = read(download, size);
    expect(reports.at(-1)).toEqual({ phase: 'success', completedBytes: 120, totalBytes: 120 });
    expect(reader.succeeded).toBe(true);
  });

  it('a download that Ollama reports is complete without a trailing newline', () => {
    const { reader } = read(download.trimEnd());
    reader.end();
    expect(reader.succeeded).toBe(true);
  });

  it('a download that Ollama reports is incomplete when the connection ends', () => {
    expect(failureIn(linesOf({ status: 'pulling a', digest: 'a', total: 100, completed: 99 }))).toMatchObject({
      code: 'network',
    });
  });

  it.each([
    ['pull model manifest: file does not exist', 'unknown_model'],
    ['unauthorized: access denied', 'unknown_model'],
    ['invalid model name', 'invalid_source'],
    ['write /root/.ollama/models/blobs/sha256-a-partial: no space left on device', 'disk_full'],
    ['write C:\\blobs\\a: There is not enough space on the disk.', 'disk_full'],
    ['Get "https://registry.ollama.ai/v2/": dial tcp: lookup registry.ollama.ai: no such host', 'network'],
    ['max retries exceeded: EOF', 'network'],
    ['pull model manifest: 500: oops', 'network'],
    ['pull model manifest: realm host "" does not match original host "127.0.0.1:21440"', 'network'],
    ['digest mismatch, file must be downloaded again: want sha256:a, got sha256:b', 'checksum_mismatch'],
    ['pull model manifest: 412: this model requires a newer version of Ollama', 'engine_error'],
  ])('fails with "%s" in the middle of a 200 as %s', (error, code) => {
    const failure = failureIn(linesOf({ status: 'pulling manifest' }, { error }));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(error.slice(0, 20));
  });

  it('advises what fits: nothing is kept of a download that has not begun', () => {
    const refused = { error: 'pull model manifest: Get "https://127.0.0.1:21499/v2/": dial tcp: connection refused' };
    expect(failureIn(linesOf(refused)).message).toContain('reaches the registry');
    expect(failureIn(linesOf({ error: 'max retries exceeded: EOF' })).message).toContain('partial download is kept');
  });

  it('fails on any other answer', () => {
    expect(failureIn('<html>502</html>\n').code).toBe('engine_error');
    expect(failureIn('"text"\n').code).toBe('engine_error');
    expect(failureIn('x'.repeat(100_000)).code).toBe('engine_error');
  });

  it('ignores malformed figures', () => {
    const { reports } = read(linesOf({ status: 'pulling a', digest: 'a', total: -1, completed: 'much' }));
    expect(reports).toEqual([{ phase: 'downloading', completedBytes: 0, totalBytes: 0 }]);
  });
});
