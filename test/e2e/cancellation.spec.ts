// Own relay: what runs there is counted.
/** A client that disconnects stops the engine within a second, on a computer with a free core, in every phase (docs/reference/request-lifecycle.md#cancellation). */
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { cutTextOf, eventsOf } from '../support/client/event-stream.js';
import { timeFactor } from '../runner/time-factor.js';
import type { FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
import { deploy } from '../support/process/deploy.js';
import type { TestRelay } from '../support/process/test-relay.js';

const hello = { model: 'fake', messages: [{ role: 'user', content: 'hi' }] };
const SLOTS = 2;
const STOPS_WITHIN_MS = 1_000 * timeFactor;

describe('a client that disconnects', () => {
  let relay: TestRelay;
  let engine: FakeEngine;

  deploy({ engine: { slots: SLOTS } }, (started) => {
    ({ relay, engine } = started);
  });

  /** Disconnects when `untilLeaving` resolves, and returns how long the engine continued. */
  const engineStopsAfter = async (
    stream: boolean,
    prefill: (call: FakeCall) => void,
    untilLeaving: (response: Promise<Response>) => Promise<unknown>,
  ): Promise<number> => {
    engine.respond = prefill;
    const arrived = engine.nextCall();
    const client = new AbortController();
    const response = relay.chat({ ...hello, stream }, { signal: client.signal });
    response.catch(() => undefined);
    const call = await arrived;
    await untilLeaving(response);
    const left = performance.now();
    client.abort();
    return (await call.aborted) - left;
  };

  const nothing = (): void => undefined;

  /** Running and queued. */
  const unfinished = async (): Promise<readonly { readonly id: string }[]> =>
    (await relay.manage<{ data: { id: string }[] }>('GET', '/requests/running')).data;

  it('a client that disconnects in prefill of a stream', async () => {
    expect(await engineStopsAfter(true, nothing, () => delay(100))).toBeLessThan(STOPS_WITHIN_MS);
  });

  it('a client that disconnects in prefill of a response without streaming', async () => {
    expect(await engineStopsAfter(false, nothing, () => delay(100))).toBeLessThan(STOPS_WITHIN_MS);
  });

  it('a client that disconnects during a stream', async () => {
    const endless = async (call: FakeCall): Promise<void> => {
      call.startStream();
      let gone = false;
      void call.aborted.then(() => (gone = true));
      while (!gone) {
        call.chunk({ content: 'and ' });
        await delay(5);
      }
    };
    const took = await engineStopsAfter(
      true,
      (call) => void endless(call),
      async (response) => {
        let seen = 0;
        for await (const event of eventsOf(await response)) {
          if (event.text !== '' && (seen += 1) >= 10) break;
        }
      },
    );
    expect(took).toBeLessThan(STOPS_WITHIN_MS);
  });

  it('a client that disconnects is not required: a user of the account stops the request, and the audit trail names the user', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'Once' });
    };
    const arrived = engine.nextCall();
    const response = await relay.chat({ ...hello, stream: true });
    const call = await arrived;
    const running = await unfinished();
    expect(running.map(({ id }) => id)).toEqual([response.headers.get('x-request-id')]);
    const cancel = `/requests/${running[0]?.id ?? ''}/cancel`;
    expect(await relay.manage('POST', cancel)).toMatchObject({ id: running[0]?.id, state: 'decode' });
    expect(await cutTextOf(response)).toMatch(/Once.*request_stopped/s);
    await call.aborted;
    await expect(relay.manage('POST', cancel)).rejects.toThrow('404');
    const { data: events } = await relay.manage<{ data: object[] }>('GET', '/audit?action=request.cancel');
    expect(events).toMatchObject([
      { actor: { kind: 'cli-token' }, target: { kind: 'request', id: running[0]?.id }, detail: { model: 'fake' } },
    ]);
  });

  describe('while it waits for a slot', () => {
    let held: FakeCall[];

    beforeEach(() => {
      held = [];
      engine.respond = (call) => void held.push(call);
    });

    it('is removed: the engine is never called, and the slot goes to the next request', async () => {
      const before = engine.calls.length;
      const running = Array.from({ length: SLOTS }, () => relay.chat(hello));
      await eventually('the slots are full', () => held.length === SLOTS);
      const client = new AbortController();
      const impatient = relay.chat(hello, { signal: client.signal });
      impatient.catch(() => undefined);
      await eventually('it waits', async () => (await unfinished()).length === SLOTS + 1);
      const patient = relay.chat(hello);
      await eventually('the next one waits', async () => (await unfinished()).length === SLOTS + 2);
      client.abort();
      await eventually('it is removed', async () => (await unfinished()).length === SLOTS + 1);
      for (const call of held.splice(0)) call.completion('done');
      await eventually('the patient one is served', () => held.length === 1);
      held[0]!.completion('done');
      const responses = await Promise.all([...running, patient]);
      expect(responses.map((response) => response.status)).toEqual([200, 200, 200]);
      expect(engine.calls.length - before).toBe(SLOTS + 1);
    });
  });

  it('leaks no slot, whenever it disconnects', async () => {
    engine.respond = async (call) => {
      call.startStream();
      for (let index = 0; index < 20; index += 1) {
        call.chunk({ content: 'x' });
        await delay(2);
      }
      call.finish();
    };
    await Promise.all(
      Array.from({ length: 40 }, async (_unused, index) => {
        const client = new AbortController();
        setTimeout(() => client.abort(), index * 3);
        await relay
          .chat({ ...hello, stream: true }, { signal: client.signal })
          .then((response) => response.text())
          .catch(() => undefined);
      }),
    );
    engine.respond = (call) => call.completion('still here');
    const responses = await Promise.all(Array.from({ length: SLOTS }, () => relay.chat(hello)));
    expect(responses.map((response) => response.status)).toEqual(Array.from({ length: SLOTS }, () => 200));
  }, 30_000);
});
