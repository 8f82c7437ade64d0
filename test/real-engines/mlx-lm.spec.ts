// Own engine: the program that FERRY_TEST_MLX_LM names.
import { expect, it } from '@jest/globals';
import type { RealDeployment } from './deployment.js';
import { runMlxLm } from './programs/mlx-lm.js';
import { withProgram } from './programs/named-program.js';
import { bodyOf, hello } from './questions.js';
import { servesThroughFerry } from './serves-through-ferry.js';

/** Tokens with which the template of `tiny` begins every prompt, with some of the text. */
const TEMPLATE_START_TOKENS = 6;

withProgram('FERRY_TEST_MLX_LM', "mlx-lm's server", (program) => {
  servesThroughFerry({
    name: 'mlx-lm',
    kind: 'mlx-lm',
    lacks: {
      load: { operation: 'unsupported' },
      unload: { operation: 'unsupported' },
      requiredTool: { dropped: 'tool_choice' },
      schema: { dropped: 'response_format' },
      contextLimit: { nothing: 'it has no limit of its own' },
    },
    begin: () => runMlxLm(program),
    also: hasItsOwnWays,
  });
});

function hasItsOwnWays(current: () => RealDeployment): void {
  it('ignores that several answers are wanted, which is reported', async () => {
    const response = await current().ask('chat', { ...bodyOf('chat', hello), n: 2 });
    expect(await response.json()).toMatchObject({ choices: [{ index: 0 }] });
    expect(response.headers.get('x-ferry-translation')).toMatch(/\bn\b/);
  });

  it('tells how long a new prompt is while it reads it', async () => {
    const question = { prompt: 'Is it colder in Oslo than in Paris?', maxTokens: 8 };
    const response = await current().ask('messages', bodyOf('messages', { ...question, stream: true }));
    const start = /^data: (\{"type":"message_start".*\})$/m.exec(await response.text())?.[1] ?? '{}';
    const promptTokens = (await current().ownAnswer('chat', question)).promptTokens ?? 0;
    expect(promptTokens).toBeGreaterThan(10);
    // mlx-lm does not count the first tokens of the template when it kept them of another prompt, and does not say so in its progress.
    const { usage } = (JSON.parse(start) as { message: { usage: Record<string, number> } }).message;
    const reported = (usage['input_tokens'] ?? 0) + (usage['cache_read_input_tokens'] ?? 0);
    expect(reported).toBeLessThanOrEqual(promptTokens);
    expect(reported).toBeGreaterThanOrEqual(promptTokens - TEMPLATE_START_TOKENS);
  });

  it('mlx-lm is offline once its only thread has died, and serves again after a restart', async () => {
    const { program } = current().running;
    const deadly = current().askDirectly(
      'completions',
      { prompt: ['one', 'two'] },
      { signal: AbortSignal.timeout(5_000) },
    );
    await deadly.catch(() => undefined);
    await current().residentWhen(({ state, reason }) => state !== 'loaded' && reason === 'engine_unreachable');
    const refused = await current().ask('chat', bodyOf('chat', hello));
    expect([refused.status, refused.headers.get('x-ferry-reason')]).toEqual([503, 'engine_unreachable']);
    await program?.kill();
    await program?.restart();
    await current().residentWhen(({ state }) => state === 'loaded');
    expect((await current().respond('chat', hello)).finish).toBe('stop');
  }, 120_000);
}
