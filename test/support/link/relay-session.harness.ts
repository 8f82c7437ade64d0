import { helloFacts, openHead, readyFacts, relayHandlers, streamHead } from './link-pair.js';
import { SessionHarness } from './session.harness.js';
import { decodeBody, decodeMessage, decodeWindow } from '../../../src/link/codec/frame-codec.js';
import { CONTROL_STREAM, FrameType, frameName } from '../../../src/link/codec/frame-types.js';
import { defaultLinkLimits } from '../../../src/link/link-limits.js';
import type { ReadyMessage } from '../../../src/link/messages.js';
import { RelayLinkSession, type RelaySessionHandlers } from '../../../src/link/session/relay-session.js';
import type { RelayLinkStream, RelayStreamHandler } from '../../../src/link/stream/relay-stream.js';

/** A relay's session; the test plays the node and may send anything. */
export class RelaySessionHarness extends SessionHarness {
  readonly session: RelayLinkSession;

  constructor(handlers: Partial<RelaySessionHandlers> = {}) {
    super();
    this.session = new RelayLinkSession({
      transport: this.socket,
      clock: this.clock,
      limits: defaultLinkLimits,
      scheduleFlush: this.flushes.schedule,
      handlers: relayHandlers({
        onClosed: (reason, detail) => this.log.push(`closed ${reason}: ${detail}`),
        onHandlerError: (error) => this.errors.push(error),
        ...handlers,
      }),
    });
  }

  static admitted(
    limits: Partial<ReadyMessage['limits']> = {},
    handlers: Partial<RelaySessionHandlers> = {},
  ): RelaySessionHarness {
    const harness = new RelaySessionHarness(handlers);
    harness.say(CONTROL_STREAM, FrameType.hello, helloFacts);
    harness.session.ready({ ...readyFacts, limits: { ...readyFacts.limits, ...limits } });
    harness.sent();
    return harness;
  }

  open(name: string, body: Buffer = Buffer.from('{}'), overrides: Partial<RelayStreamHandler> = {}): RelayLinkStream {
    const log = (line: string): void => {
      this.log.push(`${name} ${line}`);
    };
    return this.session.open(openHead(body.length), body, {
      onAck: () => {
        log('ack');
      },
      onReject: ({ reason }) => {
        log(`reject ${reason}`);
      },
      onHead: () => {
        log('head');
      },
      onData: (bytes, atBoundary) => {
        log(`data ${bytes.length}${atBoundary ? '' : ' more'}`);
      },
      onEnd: ({ outcome }) => {
        log(`end ${outcome}`);
      },
      onLost: (reason) => {
        log(`lost ${reason}`);
      },
      ...overrides,
    });
  }

  answering(name: string, overrides: Partial<RelayStreamHandler> = {}): RelayLinkStream {
    const stream = this.open(name, Buffer.from('{}'), overrides);
    this.say(stream.id, FrameType.ack);
    this.say(stream.id, FrameType.head, streamHead);
    this.sent();
    return stream;
  }

  /** Frames sent since the last call, as `stream TYPE detail`. */
  sent(): string[] {
    this.flushes.run();
    return this.socket.sent.splice(0).flatMap((message) =>
      decodeMessage(message).map(({ stream, type, payload }) => {
        const detail =
          type === FrameType.window
            ? decodeWindow(payload)
            : type === FrameType.body
              ? `${decodeBody(payload).bytes.length}${decodeBody(payload).last ? ' last' : ''}`
              : type === FrameType.reset
                ? (JSON.parse(payload.toString()) as { reason: string }).reason
                : '';
        return `${stream} ${frameName(type)} ${detail}`.trim();
      }),
    );
  }
}
