import type { IncomingMessage, ServerResponse } from 'node:http';
import { isoTime } from '../../../kernel/iso-time.js';
import type { RequestContext } from '../http/request-context.js';

/** The matched route, set by Express. Never the requested path, which may contain anything. */
type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/** A request that is over. */
interface LoggedRequest {
  readonly req: RoutedRequest;
  readonly res: ServerResponse;
  readonly context: RequestContext;
  readonly outcome: RequestContext['outcome'];
  readonly level: 'debug' | 'info';
  /** Monotonic. */
  readonly nowMs: number;
}

/** Nearly all lines of one node share these, as values and as text. */
interface SharedFields {
  readonly method: string | undefined;
  readonly path: unknown;
  readonly status: number | null;
  readonly account: string | undefined;
  readonly key: string | undefined;
  readonly cluster: string | undefined;
  readonly model: string | undefined;
  readonly outcome: RequestContext['outcome'];
  readonly text: string;
}

/** Nodes whose latest line is remembered. */
const REMEMBERED_NODES = 1_000;

/**
 * One line per request, with only the fields of this list (docs/reference/security.md#logs): no headers and no body, so that no prompt and
 * no credential is logged. Written as text: pino takes several times as long for an object. Of few parts, because the text is assembled
 * when it is written: what the latest line of the same node said, too, is one part.
 */
export class RequestLines {
  private readonly latest = new Map<string | undefined, SharedFields>();
  private start = '';
  private startMs = 0;
  private startLevel: LoggedRequest['level'] = 'info';

  of(request: LoggedRequest): string {
    const { req, context, nowMs } = request;
    const { firstByteAtMs, arrivedAtMs } = context;
    const bytes = req.socket.bytesWritten - context.bytesWrittenBefore;
    const firstByte = firstByteAtMs === undefined ? '' : `,"ttfb_ms":${Math.round(firstByteAtMs - arrivedAtMs)}`;
    const durationMs = Math.round(nowMs - arrivedAtMs);
    return `${this.startOf(request.level)}${context.requestId}${this.sharedOf(request)}${bytes}${firstByte},"duration_ms":${durationMs},"msg":"request"}\n`;
  }

  /** Many requests end in one millisecond. */
  private startOf(level: LoggedRequest['level']): string {
    const nowMs = Date.now();
    if (nowMs === this.startMs && level === this.startLevel) return this.start;
    this.startMs = nowMs;
    this.startLevel = level;
    return (this.start = ['{"level":"', level, '","time":"', isoTime(nowMs), '","req_id":"'].join(''));
  }

  /** From the end of the request id to the bytes. */
  private sharedOf({ req, res, context, outcome }: LoggedRequest): string {
    const { accountId: account, apiKeyId: key, clusterId: cluster, nodeId: node, model } = context;
    const { method } = req;
    const path = req.route?.path;
    const status = res.headersSent ? res.statusCode : null;
    const latest = this.latest.get(node);
    if (
      latest !== undefined &&
      latest.key === key &&
      latest.model === model &&
      latest.path === path &&
      latest.status === status &&
      latest.outcome === outcome &&
      latest.account === account &&
      latest.cluster === cluster &&
      latest.method === method
    )
      return latest.text;
    // Joined, which makes one flat string: lines that contain it are copied faster.
    const text = [
      '"',
      plainField('method', method),
      `,"route":${typeof path === 'string' ? JSON.stringify(path) : 'null'},"status":${status ?? 'null'}`,
      plainField('account', account),
      plainField('key', key),
      plainField('cluster', cluster),
      plainField('node', node),
      model === undefined ? '' : `,"model":${JSON.stringify(model)}`,
      plainField('outcome', outcome),
      ',"bytes":',
    ].join('');
    if (this.latest.size >= REMEMBERED_NODES) this.latest.clear();
    this.latest.set(node, { method, path, status, account, key, cluster, model, outcome, text });
    return text;
  }
}

/** @param value a method that Node knows, an id that a relay made, or an outcome: nothing that JSON escapes */
const plainField = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;
