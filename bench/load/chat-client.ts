/** Sends the chat completions of the loads. */
import { Client } from '../http1/client.js';
import { StampReader } from '../stamp.js';
import type { Destination } from './load-protocol.js';
import type { Recorder } from './recorder.js';

export interface StreamSpec {
  readonly events: number;
  readonly intervalMs: number;
  readonly padBytes: number;
  /** Its events are not part of the latencies of the others. */
  readonly isProbe?: boolean;
}

const MESSAGE_BYTES = 120;
const FAREWELL = '[DONE]';
/** The end-of-stream event and the whitespace after it. */
const TAIL_BYTES = 16;
const NOTHING = Buffer.alloc(0);

export class ChatClient {
  private readonly client: Client;
  private readonly path: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly wholeBodies = new Map<number, Buffer>();

  constructor(
    { url, headers }: Destination,
    private readonly recorder: Recorder,
  ) {
    const { hostname, port, pathname } = new URL(url);
    this.client = new Client(hostname, Number(port));
    this.path = pathname;
    this.headers = { 'content-type': 'application/json', ...headers };
  }

  /** @param onFirst also called when the request fails before its first byte */
  stream(spec: StreamSpec, dueAtMs = performance.now(), onFirst?: () => void): Promise<void> {
    const { recorder } = this;
    return new Promise((resolve) => {
      let waiting = true;
      let tail: Buffer = NOTHING;
      const stamps = new StampReader(spec.isProbe === true ? recorder.probeEvent : recorder.event);
      const first = (): void => {
        waiting = false;
        onFirst?.();
      };
      this.client.send({
        method: 'POST',
        path: this.path,
        headers: this.headers,
        body: streamBody(spec),
        onBody: (part) => {
          if (waiting) {
            recorder.firstByte(dueAtMs);
            first();
          }
          stamps.push(part);
          tail = part.length >= TAIL_BYTES ? part : Buffer.concat([tail, part]);
        },
        onDone: (failure) => {
          if (waiting) first();
          const whole = tail.includes(FAREWELL, Math.max(0, tail.length - TAIL_BYTES), 'latin1');
          recorder.done(failure ?? (whole ? null : 'ended early'));
          resolve();
        },
      });
    });
  }

  whole(bodyBytes: number): Promise<void> {
    return this.request({ method: 'POST', path: this.path, body: this.wholeBody(bodyBytes) }, performance.now());
  }

  get(path: string, dueAtMs: number): Promise<void> {
    return this.request({ method: 'GET', path, body: NOTHING }, dueAtMs);
  }

  close(): void {
    this.client.close();
  }

  private request(
    request: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body: Buffer },
    dueAtMs: number,
  ): Promise<void> {
    const { recorder } = this;
    return new Promise((resolve) => {
      let waiting = true;
      this.client.send({
        ...request,
        headers: this.headers,
        onBody: () => {
          if (waiting) recorder.firstByte(dueAtMs);
          waiting = false;
        },
        onDone: (failure) => {
          recorder.done(failure);
          resolve();
        },
      });
    });
  }

  private wholeBody(bytes: number): Buffer {
    let body = this.wholeBodies.get(bytes);
    if (body === undefined) this.wholeBodies.set(bytes, (body = chatBody(false, '', bytes)));
    return body;
  }
}

const chatBody = (stream: boolean, spec: string, bytes: number): Buffer =>
  Buffer.from(
    `{"model":"bench","stream":${stream},${spec}"messages":[{"role":"user","content":"hi ${'a'.repeat(Math.max(0, bytes - MESSAGE_BYTES))}"}]}`,
  );

/** Uses a field that every gateway forwards; some drop unknown ones. */
export const streamBody = ({ events, intervalMs, padBytes }: StreamSpec): Buffer =>
  chatBody(true, `"user":"bench ${events} ${intervalMs} ${padBytes}",`, 200);
