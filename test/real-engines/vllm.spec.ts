// Own engine: the program that FERRY_TEST_VLLM names.
import { expect, it } from '@jest/globals';
import type { RealDeployment } from './deployment.js';
import { withProgram } from './programs/named-program.js';
import { runVllm, VLLM_START_MS } from './programs/vllm.js';
import { bodyOf, hello } from './questions.js';
import { servesThroughFerry } from './serves-through-ferry.js';

/** Beyond its start: what Ferry does until the model is public. */
const START_MS = VLLM_START_MS + 60_000;

withProgram('FERRY_TEST_VLLM', 'vLLM', (program) => {
  servesThroughFerry({
    name: 'vLLM',
    kind: 'vllm',
    lacks: {
      load: { operation: 'unsupported' },
      unload: { operation: 'unsupported' },
      // No parser of vLLM reads the blocks of `tiny` by their tags alone.
      reasoning: { nothing: 'no reasoning parser is set' },
    },
    startMs: START_MS,
    begin: () => runVllm(program),
    also: readsLimitsAndWords,
  });
});

function readsLimitsAndWords(current: () => RealDeployment): void {
  const refusal = async (asked: Promise<Response>): Promise<{ status: number; error: object }> => {
    const response = await asked;
    const { error } = (await response.json()) as { error: object };
    return { status: response.status, error };
  };

  it.each(['chat', 'completions'] as const)('answers %s with a limit that it refuses itself', async (route) => {
    const body = bodyOf(route, { ...hello, maxTokens: 10_000_000 });
    expect((await refusal(current().askDirectly(route, body))).status).toBe(400);
    const response = await current().ask(route, body);
    expect({ status: response.status, dropped: response.headers.get('x-ferry-translation') }).toEqual({
      status: 200,
      dropped: expect.stringContaining('max_tokens'),
    });
  });

  it('refuses in words for people, with the field as the protocol writes it', async () => {
    const body = { ...bodyOf('chat', hello), logit_bias: 'none' };
    const own = await refusal(current().askDirectly('chat', body));
    expect(own).toMatchObject({ status: 400, error: { param: 'body.logit_bias' } });
    const through = await refusal(current().ask('chat', body));
    expect(through).toMatchObject({ status: 400, error: { param: 'logit_bias' } });
    expect(JSON.stringify(through)).not.toMatch(/validation error|'loc'/);
  });
}
