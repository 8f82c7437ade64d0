import { describe, expect, it } from '@jest/globals';
import { chunk, set, streamOf } from '../../../test/support/agent/inference.harness.js';

describe('a translated request', () => {
  const body = '{"model":"public","max_tokens":5,"container":"c","messages":[{"role":"user","content":"hi"}]}';

  it.each([true, false])('reports dropped fields in HEAD and END (stream: %s)', async (stream) => {
    const whole = { choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] };
    const { ended, calls } = set(() =>
      stream ? streamOf([chunk({ content: 'a' }, 'stop')]) : { kind: 'whole', object: whole },
    );
    const response = await ended({ dialect: 'messages', stream }, body.replace('}]}', `}],"stream":${stream}}`));
    expect(calls[0]).toMatchObject({ route: 'chat', stream });
    expect(response.headMessage?.translation).toEqual({ native: false, dropped: ['container'] });
    expect(response.ended).toMatchObject({ outcome: 'completed', dropped: ['container'] });
    expect(response.text).toContain('"type":"message"');
  });

  it('a translated request that is malformed fails with the field at fault, before the engine is called', async () => {
    const { ended, calls } = set(() => streamOf());
    const response = await ended({ dialect: 'messages' }, body.replace('5', '-1'));
    expect(response.ended).toMatchObject({
      outcome: 'failed',
      failure: { code: 'invalid_request', status: 400, param: 'max_tokens' },
    });
    expect(calls).toEqual([]);
  });
});

describe('a continued response', () => {
  it('a continued response is found only for the account that it belongs to', async () => {
    const { ended, calls } = set(() => streamOf([chunk({ content: 'Hello' }, 'stop')]));
    const requesting = { dialect: 'responses', scope: 'acc_a', response_id: 'resp_1' } as const;
    const first = await ended(requesting, '{"model":"public","input":"hi","stream":true}');
    expect(first.text).toContain('"id":"resp_1"');
    expect(first.headMessage?.translation).toEqual({ native: false, dropped: [] });

    const more = '{"model":"public","input":"and?","previous_response_id":"resp_1","stream":true}';
    const foreign = await ended({ ...requesting, scope: 'acc_b', response_id: 'resp_2' }, more);
    expect(foreign.ended).toMatchObject({
      outcome: 'failed',
      failure: { code: 'previous_response_not_found', status: 404, param: 'previous_response_id' },
    });
    expect(calls).toHaveLength(1);
    const second = await ended({ ...requesting, response_id: 'resp_3' }, more);
    expect(second.ended).toMatchObject({ outcome: 'completed' });
    expect(calls[1]!.body.toString()).toContain('Hello');
  });
});
