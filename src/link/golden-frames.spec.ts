/** The bytes on the wire, as real sessions send them. A change here breaks every agent in the field. */
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../test/support/clock/manual-clock.js';
import {
  completedEnd,
  FakeTransport,
  FlushQueue,
  helloFacts,
  LinkPair,
  nodeHandlers,
  openHead,
  readyFacts,
  relayHandlers,
  report,
  streamHead,
} from '../../test/support/link/link-pair.js';
import { decodeMessage, encodeFrame } from './codec/frame-codec.js';
import { CONTROL_STREAM, FrameType, frameName } from './codec/frame-types.js';
import { defaultLinkLimits } from './link-limits.js';
import type { CommandMessage } from './messages.js';
import { NodeLinkSession } from './session/node-session.js';
import type { NodeLinkStream } from './stream/node-stream.js';
import { RelayLinkSession } from './session/relay-session.js';

const quiet = { onAck() {}, onReject() {}, onHead() {}, onData() {}, onEnd() {}, onLost() {} };

/** Everything that one session says, frame by frame, as hex. */
class Recorder {
  readonly clock = new ManualClock();
  readonly flushes = new FlushQueue();
  readonly transport = new FakeTransport();
  get options() {
    return {
      clock: this.clock,
      limits: defaultLinkLimits,
      transport: this.transport,
      scheduleFlush: this.flushes.schedule,
    };
  }
  hex(): string {
    this.flushes.run();
    return Buffer.concat(this.transport.sent.splice(0)).toString('hex');
  }
}

const text = (json: string): string => Buffer.from(json).toString('hex');
const frame = (stream: number, type: FrameType, payload: string): Buffer =>
  encodeFrame(stream, type, Buffer.from(payload));
const HELLO =
  '{"protocol_versions":[1],"agent_version":"0.1.0","process_id":"p1","node_name":"desk","platform":"linux-x64",' +
  '"engines":[{"name":"llamacpp","kind":"llamacpp","version":null}],"features":[]}';
const READY =
  '{"protocol_version":1,"relay_version":"0.1.0","epoch":7,"relay_time_ms":1700000000000,"limits":{"max_streams":64,' +
  '"to_node_window_bytes":262144,"to_relay_window_bytes":65536,"max_outstanding_bytes":8388608},"features":[],"node_name":"desk",' +
  `"replica":{"id":"rep_${'0'.repeat(32)}","link_address":null,"max_links":1},"replicas":{"live":1,"link_addresses":[]}}`;
const OPEN =
  '{"request_id":"req_1","dialect":"chat","model_key":"llamacpp/tiny","public_model":"tiny","stream":true,' +
  '"deadline_ms":900000,"body_bytes":2,"scope":"s","headers":{},"traceparent":null}';
const INVENTORY =
  '{"version":1,"full":true,"more":false,"models":[{"key":"m","engine":"llamacpp","engine_model":"m","display_name":"m",' +
  '"canonical_name":"m","digest":null,"quantization":null,"size_bytes":null,"context_length":null,"state":"loaded",' +
  '"dialects":["chat"],"inputs":["text"],"tools":null,"reasoning":null,"embedding":false}],"removed":[]}';
const STATUS =
  '{"engines":[{"name":"llamacpp","slots_total":4,"slots_used":1,"queue_depth":0}],"paused":false,"draining":false,' +
  '"memory_free_bytes":null}';
const END =
  '{"outcome":"completed","failure":null,"usage":null,"timings":{"first_event_ms":1,"total_ms":2},"dropped":[]}';
const GOAWAY = '{"reason":"draining","reconnect_in_ms":1500}';

describe('frames of a node', () => {
  const recorder = new Recorder();
  let stream: NodeLinkStream | undefined;
  const node = new NodeLinkSession({
    ...recorder.options,
    handlers: nodeHandlers({
      onOpen: (_head, opened) => {
        stream = opened;
        return {
          onBody: (chunk) => {
            opened.bodyTaken(chunk.length);
          },
          onReset() {},
        };
      },
    }),
  });
  const opened = (id: number, body: Buffer): void => {
    const head = { ...openHead(body.length), body_bytes: 262_144 };
    node.receive(frame(id, FrameType.open, JSON.stringify(head)), true);
    node.receive(encodeFrame(id, FrameType.body, body), true);
  };

  it('HELLO', () => {
    node.hello(helloFacts);
    expect(recorder.hex()).toBe(`00000000010000bc${text(HELLO)}`);
  });

  it('INVENTORY and STATUS', () => {
    node.receive(frame(CONTROL_STREAM, FrameType.ready, READY), true);
    node.sendInventory({ version: 1, full: true, more: false, models: [report('m')], removed: [] });
    expect(recorder.hex()).toBe(`000000000300014a${text(INVENTORY)}`);
    node.sendStatus({
      engines: [{ name: 'llamacpp', slots_total: 4, slots_used: 1, queue_depth: 0 }],
      paused: false,
      draining: false,
      memory_free_bytes: null,
    });
    expect(recorder.hex()).toBe(`0000000004000089${text(STATUS)}`);
  });

  it('ACK, HEAD, DATA and END', () => {
    opened(1, Buffer.from([0, 0x7b]));
    stream?.ack();
    expect(recorder.hex()).toBe('0000000107000000');
    stream?.head(streamHead);
    expect(recorder.hex()).toBe(
      `0000000109000047${text('{"status":200,"content_type":"text/event-stream","content_length":null}')}`,
    );
    expect(stream?.write(Buffer.from('data: 1\n\n'))).toBeUndefined();
    expect(recorder.hex()).toBe('000000010a000009646174613a20310a0a');
    stream?.end(completedEnd);
    expect(recorder.hex()).toBe(`000000010c00006c${text(END)}`);
  });

  it('HEAD of a translated answer', () => {
    opened(2, Buffer.from([0, 0x7b]));
    stream?.ack();
    recorder.hex();
    stream?.head({ ...streamHead, translation: { native: false, dropped: ['container'] } });
    const json =
      '{"status":200,"content_type":"text/event-stream","content_length":null,' +
      '"translation":{"native":false,"dropped":["container"]}}';
    expect(recorder.hex()).toBe(`000000020900007e${text(json)}`);
    stream?.end({ ...completedEnd, outcome: 'failed' });
    recorder.hex();
  });

  it('DATA_MORE for the part of an event that its credit covers', () => {
    opened(3, Buffer.from([0, 0x7b]));
    stream?.ack();
    stream?.head(streamHead);
    recorder.hex();
    stream?.write(Buffer.alloc(65_537, 0x61))?.catch(() => undefined);
    expect(recorder.hex().slice(0, 18)).toBe('000000030b01000061');
    node.receive(encodeFrame(3, FrameType.window, Buffer.from('00000001', 'hex')), true);
    expect(recorder.hex()).toBe('000000030a00000161');
  });

  it('REJECT with its reason', () => {
    opened(0x01020304, Buffer.from([0, 0x7b]));
    stream?.reject('not_loaded');
    expect(recorder.hex()).toBe(`0102030408000026${text('{"reason":"not_loaded","message":null}')}`);
  });

  it('WINDOW for half of the body window', () => {
    opened(0x01020305, Buffer.from([0, 0x7b]));
    for (const size of [65_535, 65_534]) {
      node.receive(encodeFrame(0x01020305, FrameType.body, Buffer.alloc(size + 1)), true);
      expect(recorder.hex()).toBe('');
    }
    node.receive(encodeFrame(0x01020305, FrameType.body, Buffer.alloc(3)), true);
    expect(recorder.hex()).toBe('010203050d00000400020000');
  });

  it('STREAMS and GOAWAY', () => {
    for (let second = 0; second < 30; second += 1) {
      recorder.clock.advance(1_000);
      node.ponged();
      node.tick();
    }
    const heldCredit = '000000030d00000400000001';
    expect(recorder.hex()).toBe(`${heldCredit}0000000012000018${text('{"streams":[3,16909061]}')}`);
    node.goAway({ reason: 'draining', reconnect_in_ms: 1_500 });
    expect(recorder.hex()).toBe(`000000001300002c${text(GOAWAY)}`);
  });
});

describe('frames of a relay', () => {
  const recorder = new Recorder();
  const relay = new RelayLinkSession({ ...recorder.options, handlers: relayHandlers() });

  it('READY', () => {
    relay.receive(frame(CONTROL_STREAM, FrameType.hello, HELLO), true);
    relay.ready(readyFacts);
    expect(recorder.hex()).toBe(`0000000002000173${text(READY)}`);
  });

  it('OPEN and BODY, WINDOW and RESET', () => {
    const stream = relay.open(openHead(2), Buffer.from('{}'), quiet);
    expect(recorder.hex()).toBe(`00000001050000b7${text(OPEN)}` + '0000000106000003' + '017b7d');
    relay.receive(frame(1, FrameType.ack, ''), true);
    relay.receive(frame(1, FrameType.head, JSON.stringify(streamHead)), true);
    relay.receive(frame(1, FrameType.data, 'x'.repeat(40_000)), true);
    stream.consumed(40_000);
    expect(recorder.hex()).toBe('000000010d00000400009c40');
    stream.reset('cancelled');
    expect(recorder.hex()).toBe(`000000010e000016${text('{"reason":"cancelled"}')}`);
  });

  it('GOAWAY', () => {
    relay.goAway({ reason: 'draining', reconnect_in_ms: 1_500 });
    expect(recorder.hex()).toBe(`000000001300002c${text(GOAWAY)}`);
  });
});

describe('operations', () => {
  const operation_id = `op_${'0a'.repeat(16)}`;
  const commands: string[] = [];
  const reports: string[] = [];
  const pair = new LinkPair({
    node: { onCommand: (message) => commands.push(JSON.stringify(message)) },
    relay: {
      onProgress: (message) => reports.push(JSON.stringify(message)),
      onResult: (message) => reports.push(JSON.stringify(message)),
    },
  });
  const hex = (socket: FakeTransport): string => {
    pair.flushes.run();
    return Buffer.concat(socket.sent).toString('hex');
  };

  it.each<[CommandMessage, string, string]>([
    [
      { verb: 'install', operation_id, engine: null, source: 'hf:org/repo/file.gguf' },
      '000076',
      `{"verb":"install","operation_id":"${operation_id}","engine":null,"source":"hf:org/repo/file.gguf"}`,
    ],
    [
      { verb: 'load', operation_id, model_key: 'llamacpp/tiny', context_tokens: 4_096 },
      '000076',
      `{"verb":"load","operation_id":"${operation_id}","model_key":"llamacpp/tiny","context_tokens":4096}`,
    ],
    [{ verb: 'cancel', operation_id }, '000046', `{"verb":"cancel","operation_id":"${operation_id}"}`],
  ])('COMMAND $verb', (command, length, json) => {
    expect(pair.relay.sendCommand(command)).toBe(true);
    expect(hex(pair.relaySocket)).toBe(`000000000f${length}${text(json)}`);
    pair.settle();
    expect(commands.splice(0)).toEqual([json]);
  });

  it('PROGRESS and RESULT', () => {
    const progress =
      `{"operation_id":"${operation_id}","state":"running","phase":"downloading",` +
      '"completed_bytes":1048576,"total_bytes":null}';
    pair.node.sendProgress({
      operation_id,
      state: 'running',
      phase: 'downloading',
      completed_bytes: 1_048_576,
      total_bytes: null,
    });
    expect(hex(pair.nodeSocket)).toBe(`000000001000008b${text(progress)}`);
    pair.settle();
    const result =
      `{"operation_id":"${operation_id}","outcome":"failed",` +
      '"failure":{"code":"disk_full","message":"no room"},"model_key":null}';
    pair.node.sendResult({
      operation_id,
      outcome: 'failed',
      failure: { code: 'disk_full', message: 'no room' },
      model_key: null,
    });
    expect(hex(pair.nodeSocket)).toBe(`000000001100008d${text(result)}`);
    pair.settle();
    expect(reports).toEqual([progress, result]);
  });
});

/** The node's side keeps the streams that it serves. */
function servingPair(): { readonly pair: LinkPair; readonly served: readonly NodeLinkStream[] } {
  const served: NodeLinkStream[] = [];
  const pair = new LinkPair({
    node: {
      onOpen: (_head, stream) => {
        served.push(stream);
        return { onBody() {}, onReset() {} };
      },
    },
  });
  return { pair, served };
}

describe('a short JSON answer', () => {
  it('a short JSON answer is one frame without an ACK', () => {
    const { pair, served } = servingPair();
    pair.relay.open({ ...openHead(2), stream: false }, Buffer.from('{}'), quiet);
    pair.settle();
    const body = Buffer.from('{"id":"a"}');
    served[0]?.ack();
    served[0]?.whole(
      {
        status: 200,
        content_type: 'application/json',
        content_length: body.length,
        translation: { native: true, dropped: [] },
      },
      body,
      {
        ...completedEnd,
        timings: { first_event_ms: 1, total_ms: 258 },
        usage: { input_tokens: 7, output_tokens: 3, cached_tokens: 2, reasoning_tokens: null, source: 'counted' },
      },
    );
    pair.flushes.run();
    const numbers = '00000001' + '00000102' + '00000007' + '00000003' + '00000002' + '00000000';
    expect(Buffer.concat(pair.nodeSocket.sent).toString('hex')).toBe(
      `0000000115000023` + '37' + numbers + text('{"id":"a"}'),
    );
  });
});

describe('a cancelled request', () => {
  it('a cancelled request is answered with END behind its RESET', () => {
    const { pair, served } = servingPair();
    const stream = pair.relay.open(openHead(2), Buffer.from('{}'), quiet);
    pair.settle();
    served[0]?.ack();
    pair.settle();
    stream.reset('cancelled', () => undefined);
    pair.flushes.run();
    expect(Buffer.concat(pair.relaySocket.sent).toString('hex')).toBe(
      `000000010e000016${text('{"reason":"cancelled"}')}`,
    );
    pair.settle();
    const usage = {
      input_tokens: 7,
      output_tokens: 3,
      cached_tokens: 0,
      reasoning_tokens: 0,
      source: 'engine',
    } as const;
    served[0]?.end({ ...completedEnd, outcome: 'cancelled', usage });
    pair.flushes.run();
    const json =
      '{"outcome":"cancelled","failure":null,"usage":{"input_tokens":7,"output_tokens":3,"cached_tokens":0,' +
      '"reasoning_tokens":0,"source":"engine"},"timings":{"first_event_ms":1,"total_ms":2},"dropped":[]}';
    expect(Buffer.concat(pair.nodeSocket.sent).toString('hex')).toBe(`000000010c0000c5${text(json)}`);
  });
});

describe('frames of the other side', () => {
  it.each([
    [FrameType.command, '000000000f0000027b7d'],
    [FrameType.progress, '00000000100000027b7d'],
    [FrameType.result, '00000000110000027b7d'],
  ])('type %i is known to the codec, and refused by the side that sends it', (type, hex) => {
    expect(encodeFrame(CONTROL_STREAM, type, Buffer.from('{}')).toString('hex')).toBe(hex);
    expect(decodeMessage(Buffer.from(hex, 'hex'))[0]?.type).toBe(type);
    const pair = new LinkPair();
    const [side, socket] =
      type === FrameType.command ? ([pair.relay, pair.relaySocket] as const) : ([pair.node, pair.nodeSocket] as const);
    side.receive(Buffer.from(hex, 'hex'), true);
    const receiver = type === FrameType.command ? 'the relay' : 'a node';
    expect(socket.closedWith).toEqual({ code: 1002, reason: `${frameName(type)} is not for ${receiver}` });
  });
});
