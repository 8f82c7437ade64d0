import { beforeEach, describe, expect, it } from '@jest/globals';
import { installOf, OperationsHarness } from '../../../test/support/agent/operations.harness.js';
import { OperationFailure } from '../engines/engine-management.js';

let harness: OperationsHarness;
const invalid = (message: string): OperationFailure => new OperationFailure('invalid_source', message);

beforeEach(async () => {
  harness = new OperationsHarness();
  harness.engines.addEngine('vllm', 'vllm', []);
  harness.engines.addEngine('other', 'other');
  harness.engines.addEngine('builtin', 'llamacpp');
  harness.engines.addEngine('ollama@host', 'ollama');
  await harness.operations.start();
  harness.operations.attach(harness.outlet);
});

describe('an install without an engine', () => {
  it.each([
    ['hf:owner/repo/file.gguf', 'builtin'],
    ['https://example.com/file.gguf', 'builtin'],
    ['qwen3:8b', 'ollama@host'],
    ['llama3.2', 'ollama@host'],
  ])('an install without an engine of %s goes to %s first', async (source, engine) => {
    await harness.take(installOf(1, source));
    expect(harness.engines.operations.map((operation) => operation.engine)).toEqual([engine]);
  });

  it('tries the next engine while engines reject the source', async () => {
    await harness.take(installOf(1, 'qwen3:8b'));
    await harness.engines.operations[0]?.fail(invalid('not mine'));
    await harness.engines.operations[1]?.fail(invalid('nor mine'));
    await harness.engines.operations[2]?.finish('qwen3');
    expect(harness.engines.operations.map((operation) => operation.engine)).toEqual([
      'ollama@host',
      'builtin',
      'other',
    ]);
    expect(harness.outlet.said().at(-1)).toBe('1 succeeded other/qwen3');
  });

  it('fails with the message of the likeliest engine when none accepts it', async () => {
    await harness.take(installOf(1, 'qwen3:8b'));
    for (const index of [0, 1, 2]) await harness.engines.operations[index]?.fail(invalid(`no ${index}`));
    expect(harness.file.current?.finished[0]?.result.failure).toEqual({ code: 'invalid_source', message: 'no 0' });
  });

  it.each([
    ['has begun', invalid('after all not'), true],
    ['fails at something else', new OperationFailure('disk_full', 'no room'), false],
  ])('an install without an engine does not try another engine when one %s', async (_name, failure, begun) => {
    await harness.take(installOf(1, 'qwen3:8b'));
    if (begun) await harness.engines.operations[0]?.report('downloading');
    await harness.engines.operations[0]?.fail(failure);
    expect(harness.engines.operations).toHaveLength(1);
    expect(harness.outlet.said().at(-1)).toBe(`1 failed ${failure.code}`);
  });

  it('an install without an engine is refused without an engine that installs', async () => {
    harness = new OperationsHarness();
    harness.engines.addEngine('vllm', 'vllm', []);
    await harness.operations.start();
    harness.operations.attach(harness.outlet);
    await harness.take(installOf(1, 'qwen3:8b'));
    await harness.clock.advanceAndSettle(60_000);
    expect(harness.outlet.said().at(-1)).toBe('1 failed unsupported');
  });
});

it('an install with an engine uses that one only', async () => {
  await harness.take(installOf(1, 'qwen3:8b', 'builtin'));
  await harness.engines.operations[0]?.fail(invalid('not mine'));
  expect(harness.engines.operations.map((operation) => operation.engine)).toEqual(['builtin']);
  expect(harness.outlet.said().at(-1)).toBe('1 failed invalid_source');
});
