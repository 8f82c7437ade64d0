import { beforeEach, describe, expect, it } from '@jest/globals';
import { installOf, OperationsBench } from '../../../test/support/agent/operations.harness.js';
import { OperationFailure } from '../engines/engine-management.js';

let bench: OperationsBench;
const invalid = (message: string): OperationFailure => new OperationFailure('invalid_source', message);

beforeEach(async () => {
  bench = new OperationsBench();
  bench.engines.addEngine('vllm', 'vllm', []);
  bench.engines.addEngine('other', 'other');
  bench.engines.addEngine('builtin', 'llamacpp');
  bench.engines.addEngine('ollama@host', 'ollama');
  await bench.operations.start();
  bench.operations.attach(bench.outlet);
});

describe('an install without an engine', () => {
  it.each([
    ['hf:owner/repo/file.gguf', 'builtin'],
    ['https://example.com/file.gguf', 'builtin'],
    ['qwen3:8b', 'ollama@host'],
    ['llama3.2', 'ollama@host'],
  ])('of %s goes to %s first', async (source, engine) => {
    await bench.take(installOf(1, source));
    expect(bench.engines.jobs.map((job) => job.engine)).toEqual([engine]);
  });

  it('goes on to the next engine while they say that the source is not theirs', async () => {
    await bench.take(installOf(1, 'qwen3:8b'));
    await bench.engines.jobs[0]?.fail(invalid('not mine'));
    await bench.engines.jobs[1]?.fail(invalid('nor mine'));
    await bench.engines.jobs[2]?.finish('qwen3');
    expect(bench.engines.jobs.map((job) => job.engine)).toEqual(['ollama@host', 'builtin', 'other']);
    expect(bench.outlet.said().at(-1)).toBe('1 succeeded other/qwen3');
  });

  it('fails in the words of the likeliest engine when none takes it', async () => {
    await bench.take(installOf(1, 'qwen3:8b'));
    for (const index of [0, 1, 2]) await bench.engines.jobs[index]?.fail(invalid(`no ${index}`));
    expect(bench.file.current?.finished[0]?.result.failure).toEqual({ code: 'invalid_source', message: 'no 0' });
  });

  it.each([
    ['has begun', invalid('after all not'), true],
    ['fails at something else', new OperationFailure('disk_full', 'no room'), false],
  ])('stays with the engine that %s', async (_name, failure, begun) => {
    await bench.take(installOf(1, 'qwen3:8b'));
    if (begun) await bench.engines.jobs[0]?.report('downloading');
    await bench.engines.jobs[0]?.fail(failure);
    expect(bench.engines.jobs).toHaveLength(1);
    expect(bench.outlet.said().at(-1)).toBe(`1 failed ${failure.code}`);
  });

  it('is refused where no engine installs anything', async () => {
    bench = new OperationsBench();
    bench.engines.addEngine('vllm', 'vllm', []);
    await bench.operations.start();
    bench.operations.attach(bench.outlet);
    await bench.take(installOf(1, 'qwen3:8b'));
    await bench.clock.advanceAndSettle(60_000);
    expect(bench.outlet.said().at(-1)).toBe('1 failed unsupported');
  });
});

it('an install with an engine asks that one only', async () => {
  await bench.take(installOf(1, 'qwen3:8b', 'builtin'));
  await bench.engines.jobs[0]?.fail(invalid('not mine'));
  expect(bench.engines.jobs.map((job) => job.engine)).toEqual(['builtin']);
  expect(bench.outlet.said().at(-1)).toBe('1 failed invalid_source');
});
