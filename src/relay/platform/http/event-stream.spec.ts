import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { Loopback, RawClient } from '../../../../test/support/network/loopback.js';
import { eventStreamSuite, timing } from '../../../../test/support/relay/event-stream.harness.js';
import { createWriter } from '../../../../test/support/relay/http-server-options.js';
import { ScriptedResponse } from '../../../../test/support/relay/scripted-response.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { EventStream } from './event-stream.js';

const suite = eventStreamSuite();
const { ask, wait } = suite;

describe('a stream', () => {
  it('sends its head with the first bytes, the bytes unchanged, and ends cleanly', async () => {
    const reader = await ask();
    expect(reader.received).toBe('');
    suite.result.extraHeaders = { 'x-node': 'nd_1', 'content-type': 'text/plain' };
    suite.result.say('data: one\n\n');
    suite.result.say('data: two\n\ndata: three\n\n');
    suite.result.finish();
    await reader.until('0\r\n\r\n');
    const head = reader.received.slice(0, reader.received.indexOf('\r\n\r\n')).toLowerCase();
    expect(head).toMatch(/^http\/1\.1 200 /);
    expect(head).toContain('content-type: text/event-stream; charset=utf-8');
    expect(head).toContain('cache-control: no-cache, no-transform');
    expect(head).toContain('x-accel-buffering: no');
    expect(head).toContain('x-node: nd_1');
    expect(head).not.toContain('content-length');
    expect(head).not.toContain('text/plain');
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: two\n\ndata: three\n\n']);
    expect(await suite.outcome).toBe('sent');
    expect(suite.result.consumedBytes).toBe('data: one\n\ndata: two\n\ndata: three\n\n'.length);
    expect(suite.result.cancelled).toBe(0);
  });

  it('a stream may be read ahead of its bytes at any time, which changes nothing', async () => {
    const readAhead = (): void => {
      expect(suite.result.readBy?.readAhead()).toEqual(expect.any(Number));
    };
    const reader = await ask();
    readAhead();
    expect(suite.response?.headersSent).toBe(false);
    suite.result.say('data: one\n\n');
    readAhead();
    suite.result.say('data: two\n\n');
    readAhead();
    suite.result.finish();
    await reader.until('0\r\n\r\n');
    readAhead();
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: two\n\n']);
  });

  it('keeps the connection for the next request', async () => {
    const reader = await ask();
    suite.result.say('data: one\n\n');
    suite.result.finish();
    await reader.until('0\r\n\r\n');
    suite.result = new ScriptedResponse();
    reader.received = '';
    reader.send('GET / HTTP/1.1\r\nHost: relay\r\n\r\n');
    await eventually('the second request has started', () => suite.result.started === 1);
    suite.result.say('data: two\n\n');
    suite.result.finish();
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual(['data: two\n\n']);
  });
});

describe('a failure', () => {
  it('a failure before the first bytes keeps its status, with nothing written', async () => {
    const reader = await ask();
    suite.result.fail(new FerryError('no_node_for_user'));
    await reader.until('no_node_for_user');
    expect(reader.status).toBe(503);
    expect(reader.received).not.toContain('event-stream');
    expect(await suite.outcome).toBeInstanceOf(FerryError);
  });

  it('a failure before the first bytes, when the source just ends, is not an empty success', async () => {
    const reader = await ask();
    suite.result.finish();
    await reader.until('engine_error');
    expect(reader.status).toBe(503);
  });

  it('a failure after the first bytes is sent inside the stream, which then ends', async () => {
    const reader = await ask();
    suite.result.say('data: one\n\n');
    suite.result.fail(new FerryError('node_disconnected'));
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: node_disconnected req_1\n\n']);
    expect(await suite.outcome).toBe('sent');
  });

  describe('of a protocol that cuts them', () => {
    beforeEach(() => {
      suite.format = { ...suite.format, cutsFailures: true };
    });

    it('a failure of a protocol that cuts them is sent inside the stream, which has no end: a second later the connection closes', async () => {
      const reader = await ask();
      suite.result.say('data: one\n\n');
      suite.result.fail(new FerryError('node_disconnected'));
      await reader.until('data: node_disconnected req_1');
      wait(900);
      expect(reader.ended).toBe(false);
      wait(200);
      await reader.closed;
      expect(reader.chunks).toEqual(['data: one\n\n', 'data: node_disconnected req_1\n\n']);
      expect(reader.received).not.toContain('0\r\n\r\n');
      expect(await suite.outcome).toBe('sent');
    });

    it('closes at once for a client that leaves before', async () => {
      const reader = await ask();
      suite.result.say('data: one\n\n');
      suite.result.fail(new FerryError('node_disconnected'));
      await reader.until('data: node_disconnected req_1');
      reader.destroy();
      expect(await suite.outcome).toBe('sent');
    });

    it('a failure of a protocol that cuts them before the first bytes keeps its status and the connection', async () => {
      const reader = await ask();
      suite.result.fail(new FerryError('no_node_for_user'));
      await reader.until('no_node_for_user');
      expect(reader.status).toBe(503);
      expect(reader.ended).toBe(false);
    });

    it('a failure of a protocol that cuts them is not what an answer gets that has completed', async () => {
      const reader = await ask();
      suite.result.say('data: one\n\n');
      suite.result.finish();
      await reader.until('0\r\n\r\n');
    });

    it('reaches a client that reads late, after all that was sent before', async () => {
      const reader = await ask();
      reader.socket.pause();
      const events = Array.from({ length: 400 }, (_, index) => `data: ${index} ${'x'.repeat(10_000)}\n\n`);
      for (const event of events) suite.result.say(event);
      suite.result.fail(new FerryError('node_disconnected'));
      wait(2_000);
      reader.socket.resume();
      await reader.closed;
      expect(reader.chunks.join('')).toBe([...events, 'data: node_disconnected req_1\n\n'].join(''));
      expect(reader.received).not.toContain('0\r\n\r\n');
    });

    it('disconnects a client that never reads it', async () => {
      const reader = await ask();
      reader.socket.pause();
      await eventually('the client owes', () => {
        suite.result.say(`data: ${'x'.repeat(1_000_000)}\n\n`);
        return (suite.response?.socket?.writableLength ?? 0) > 0;
      });
      suite.result.fail(new FerryError('node_disconnected'));
      wait(61_000);
      expect(await suite.outcome).toBe('sent');
    });
  });

  it('a failure that is unexpected reveals no details to the client', async () => {
    const reader = await ask();
    suite.result.say('data: one\n\n');
    suite.result.fail(new TypeError('secret detail'));
    await reader.until('0\r\n\r\n');
    expect(reader.chunks[1]).toBe('data: internal_error req_1\n\n');
  });

  it('a failure inside an event destroys the socket, so that the stream is seen as truncated', async () => {
    const reader = await ask();
    suite.result.say('data: one\n\n');
    suite.result.boundary = false;
    suite.result.say('data: half of an ev');
    await reader.until('half of an ev');
    suite.result.fail(new FerryError('node_disconnected'));
    await reader.closed;
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: half of an ev']);
    expect(reader.received).not.toContain('0\r\n\r\n');
    expect(await suite.outcome).toBe('sent');
  });

  it('a failure of a source that completes inside an event destroys the socket, too', async () => {
    const reader = await ask();
    suite.result.boundary = false;
    suite.result.say('data: half of an ev');
    suite.result.finish();
    await reader.closed;
    expect(reader.received).not.toContain('0\r\n\r\n');
  });
});

describe('silence', () => {
  it('silence before the first bytes commits the head with a keep-alive; a failure is in-stream from then on', async () => {
    const reader = await ask();
    wait(9_000);
    expect(suite.response?.headersSent).toBe(false);
    wait(2_000);
    await reader.until(': keep-alive');
    expect(reader.status).toBe(200);
    suite.result.fail(new FerryError('engine_timeout'));
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual([': keep-alive\n\n', 'data: engine_timeout req_1\n\n']);
  });

  it('gets a keep-alive after each 15 seconds from the last bytes', async () => {
    const reader = await ask();
    suite.result.say('data: one\n\n');
    wait(14_000);
    suite.result.say('data: two\n\n');
    wait(14_000);
    suite.result.say('data: three\n\n');
    wait(49_000);
    suite.result.finish();
    await reader.until('0\r\n\r\n');
    expect(reader.chunks.slice(3)).toEqual([': keep-alive\n\n', ': keep-alive\n\n', ': keep-alive\n\n']);
    // Nobody gets credit for a keep-alive.
    expect(suite.result.consumedBytes).toBe('data: one\n\ndata: two\n\ndata: three\n\n'.length);
  });

  it('silence is counted from the last bytes, within a few ticks', async () => {
    const reader = await ask();
    suite.result.say('data: one\n\n');
    wait(7_310);
    suite.result.say('data: two\n\n');
    wait(14_980);
    suite.result.say('data: three\n\n');
    wait(15_100);
    suite.result.finish();
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual(['data: one\n\n', 'data: two\n\n', 'data: three\n\n', ': keep-alive\n\n']);
  });

  it('silence inside an event gets none until the event is complete', async () => {
    const reader = await ask();
    suite.result.boundary = false;
    suite.result.say('data: begin');
    wait(40_000);
    suite.result.boundary = true;
    suite.result.say(' end\n\n');
    wait(16_000);
    suite.result.finish();
    await reader.until('0\r\n\r\n');
    expect(reader.chunks).toEqual(['data: begin', ' end\n\n', ': keep-alive\n\n']);
  });
});

describe('a client that leaves', () => {
  it('a client that leaves before the first byte cancels the request', async () => {
    const reader = await ask();
    reader.destroy();
    await eventually('the request is cancelled', () => suite.result.cancelled === 1);
    expect(await suite.outcome).toBe('sent');
  });

  it('midway cancels the request', async () => {
    const reader = await ask();
    suite.result.say('data: one\n\n');
    await reader.until('data: one');
    reader.destroy();
    await eventually('the request is cancelled', () => suite.result.cancelled === 1);
    suite.result.say('data: two\n\n');
    expect(await suite.outcome).toBe('sent');
  });

  it('a client that leaves before its request was started never starts it', async () => {
    await suite.loopback.close();
    suite.loopback = await Loopback.start((_req, res) => {
      res.once('close', () => {
        suite.outcome = new EventStream(suite.result, suite.format, timing, suite.wheel)
          .send(res, 200, createWriter)
          .then(() => 'sent' as const);
      });
    });
    const reader = await RawClient.request(suite.loopback.port, ['GET / HTTP/1.1', 'Host: relay']);
    reader.destroy();
    await eventually('it was tried', () => suite.outcome);
    expect(await suite.outcome).toBe('sent');
    expect(suite.result.started).toBe(0);
  });
});
