/** How an engine ends its response, in whatever words, on every route (docs/reference/engines.md#what-engines-send). */
import { describe, expect, it } from '@jest/globals';
import { hear, inferenceRoutes } from '../support/client/received-response.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import { DONE, shareFakeEngine, streams, wholeOf } from '../support/engine/shared-fake-engine.js';
import type { Tenant } from '../support/process/tenant.js';

let relay: Tenant;
let engine: FakeEngine;

shareFakeEngine((tenant, started) => {
  relay = tenant;
  engine = started;
});

describe.each(inferenceRoutes)('a response through %s', (route) => {
  const notYet = ['null', 'None', 'NULL', '', ' none ', 'FINISH_REASON_UNSPECIFIED'];

  it.each(notYet)('that is cut while it says %j fails, with all of its text', async (word) => {
    engine.respond = streams({ text: 'Half of', finish: word }, { text: ' the ans', finish: word });
    const heard = await hear(relay, route, true);
    expect(heard).toMatchObject({ status: 200, ended: 'failed' });
    if (route !== 'responses') expect(heard.text).toBe('Half of the ans');
    expect(heard.raw).toContain('engine');
    if (route !== 'responses') expect(heard.raw).not.toContain('[DONE]');
    expect(heard.raw).not.toMatch(/response\.completed|end_turn|message_stop/);
  });

  it.each(notYet)('that says %j until its end is complete', async (word) => {
    engine.respond = streams({ text: 'All', finish: word }, { text: ' of it', finish: word }, { finish: 'stop' }, DONE);
    expect(await hear(relay, route, true)).toMatchObject({ text: 'All of it', ended: 'stop' });
  });

  it('a response that has nothing but "null" before [DONE] is not complete', async () => {
    engine.respond = streams({ text: 'Half', finish: 'null' }, DONE);
    expect(await hear(relay, route, true)).toMatchObject({ ended: 'failed' });
  });

  const outcomes: readonly [string, string][] = [
    ['STOP', 'stop'],
    ['eos_token', 'stop'],
    ['endTurn', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['max_output_tokens', 'length'],
    ['Length', 'length'],
    ['model_length', 'length'],
    ['SAFETY', 'content_filter'],
  ];

  it.each(outcomes)('that ends with %s ends with %s', async (word, ended) => {
    for (const stream of [true, false]) {
      engine.respond = (call) =>
        stream
          ? streams({ text: 'Hi' }, { finish: word }, DONE)(call)
          : call.json(200, wholeOf(call, 'Hi', { finish_reason: word }));
      expect(await hear(relay, route, stream)).toMatchObject({ text: 'Hi', ended });
    }
  });

  it('a JSON response without a finish reason is complete', async () => {
    for (const word of [null, undefined, 'null', '']) {
      engine.respond = (call) => call.json(200, wholeOf(call, 'All', { finish_reason: word }));
      expect(await hear(relay, route, false)).toMatchObject({ status: 200, text: 'All', ended: 'stop' });
    }
  });

  it('an aborted JSON response fails', async () => {
    engine.respond = (call) => call.json(200, wholeOf(call, 'Half', { finish_reason: 'ABORT' }));
    expect(await hear(relay, route, false)).toMatchObject({ status: 503, ended: 'failed' });
  });

  it('a stream with its finish reason twice, or in every chunk, ends once', async () => {
    engine.respond = streams({ text: 'a', finish: 'stop' }, { text: 'b', finish: 'stop' }, { finish: 'stop' }, DONE);
    expect(await hear(relay, route, true)).toMatchObject({ text: 'ab', ended: 'stop' });
  });

  it('a truncated response does not look complete, whichever end comes last', async () => {
    for (const ends of [
      ['length', 'stop'],
      ['stop', 'length'],
    ]) {
      engine.respond = streams({ text: 'a' }, ...ends.map((finish) => ({ finish })), DONE);
      expect(await hear(relay, route, true)).toMatchObject({ text: 'a', ended: 'length' });
    }
  });

  it('a response that goes on behind its end and is then cut has all of its text', async () => {
    engine.respond = streams({ text: 'a', finish: 'stop' }, { text: 'b' });
    expect(await hear(relay, route, true)).toMatchObject({ text: 'ab', ended: 'stop' });
  });

  it('a response that fails behind its end does not look complete', async () => {
    engine.respond = streams(
      { text: 'a' },
      { text: 'b', finish: 'stop' },
      'data: {"error":{"message":"out of memory"}}\n\n',
    );
    const heard = await hear(relay, route, true);
    expect(heard.ended).toBe('failed');
    expect(heard.raw).toContain('out of memory');
  });
});
