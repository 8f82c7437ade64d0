import { helloFacts, nodeHandlers, openHead, readyFacts, streamHead } from './link-pair.js';
import { SessionHarness } from './session.harness.js';
import { decodeMessage, decodeWindow } from '../../../src/link/codec/frame-codec.js';
import { CONTROL_STREAM, FrameType, frameName } from '../../../src/link/codec/frame-types.js';
import { defaultLinkLimits } from '../../../src/link/link-limits.js';
import type { ReadyMessage } from '../../../src/link/messages.js';
import { NodeLinkSession, type NodeSessionHandlers } from '../../../src/link/session/node-session.js';
import type { NodeLinkStream } from '../../../src/link/stream/node-stream.js';

/** A node's session; the test plays the relay. */
export class NodeSessionHarness extends SessionHarness {
  readonly session: NodeLinkSession;
  readonly streams = new Map<number, NodeLinkStream>();

  constructor(handlers: Partial<NodeSessionHandlers> = {}) {
    super();
    this.session = new NodeLinkSession({
      transport: this.socket,
      clock: this.clock,
      limits: defaultLinkLimits,
      scheduleFlush: this.flushes.schedule,
      handlers: nodeHandlers({
        onReady: ({ epoch }) => this.log.push(`ready ${epoch}`),
        onOpen: (_head, stream) => {
          this.streams.set(stream.id, stream);
          return {
            onBody: (chunk, last) => this.log.push(`${stream.id} body ${chunk.length}${last ? ' last' : ''}`),
            onReset: (reason) => this.log.push(`${stream.id} reset ${reason}`),
          };
        },
        onGoAway: ({ reason }) => this.log.push(`goaway ${reason}`),
        onClosed: (reason, detail) => this.log.push(`closed ${reason}: ${detail}`),
        onHandlerError: (error) => this.errors.push(error),
        ...handlers,
      }),
    });
  }

  static admitted(
    limits: Partial<ReadyMessage['limits']> = {},
    handlers: Partial<NodeSessionHandlers> = {},
  ): NodeSessionHarness {
    const harness = new NodeSessionHarness(handlers);
    harness.session.hello(helloFacts);
    harness.say(CONTROL_STREAM, FrameType.ready, { ...readyFacts, limits: { ...readyFacts.limits, ...limits } });
    harness.log.length = 0;
    harness.sent();
    return harness;
  }

  open(id: number, bodyBytes = 2): NodeLinkStream {
    this.say(id, FrameType.open, openHead(bodyBytes));
    const stream = this.streams.get(id);
    if (stream === undefined) throw new Error('the node did not take the stream');
    return stream;
  }

  answering(id: number): NodeLinkStream {
    const stream = this.open(id);
    stream.ack();
    stream.head(streamHead);
    this.sent();
    return stream;
  }

  body(id: number, size: number, last = false): void {
    this.say(id, FrameType.body, Buffer.concat([Buffer.from([last ? 1 : 0]), Buffer.alloc(size, 'b')]));
  }

  sent(): string[] {
    this.flushes.run();
    return this.socket.sent.splice(0).flatMap((message) =>
      decodeMessage(message).map(({ stream, type, payload }) => {
        const isData = type === FrameType.data || type === FrameType.dataMore;
        const detail = type === FrameType.window ? decodeWindow(payload) : isData ? payload.length : payload.toString();
        return `${stream} ${frameName(type)} ${detail}`.trim();
      }),
    );
  }
}
