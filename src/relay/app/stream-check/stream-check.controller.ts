import type { StreamFormat } from '../../../dialects/stream-format.js';
import { Get, Inject } from '@nestjs/common';
import { concat, defer, delay, finalize, of, throwError, type Observable } from 'rxjs';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { Public } from '../../platform/access/access.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { ResponseSource } from '../../platform/http/response-source.js';
import { serializeManagementError } from '../../platform/http/errors/management-error.js';
import { EventStream } from '../../platform/http/event-stream.js';
import { ApiAlternatives, ApiErrors } from '../../platform/openapi/responses.js';

/** Long compared with network jitter, short enough to wait for. */
const STREAM_CHECK_INTERVAL_MS = 750;
/** Limit of concurrent checks from all addresses; the rate per address is limited as for all of `/api`. */
const MAX_CONCURRENT = 64;

const encode = (event: string, data: object): Buffer =>
  Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

const format: StreamFormat = {
  keepAlive: Buffer.from(': keep-alive\n\n'),
  terminal: (error, requestId) =>
    Buffer.from(`event: error\ndata: ${serializeManagementError(error, requestId).body}\n\n`),
};

/** Two events with a pause between them, sent like the response of an inference request. */
@ManagementController('stream-check', 'Description')
export class StreamCheckController {
  private open = 0;

  constructor(@Inject(RELAY_CONFIG) private readonly config: RelayConfig) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'checkStream',
    summary: 'Check that responses are streamed',
    description:
      'The second event is sent `next_in_ms` after the first one. If both arrive together, a proxy between relay and client buffers ' +
      'responses, which delays streamed responses in the same way. Used by `ferry doctor`.',
  })
  @ApiResponse({ status: 200, description: 'Server-sent events.' })
  @ApiErrors('overloaded')
  @ApiAlternatives({
    'text/event-stream': `event: first\ndata: {"next_in_ms":${STREAM_CHECK_INTERVAL_MS}}\n\nevent: second\ndata: {}\n\n`,
  })
  check(): EventStream {
    const { streamHeartbeatMs, slowClientTimeoutMs } = this.config.settings;
    return new EventStream(new TwoEvents(this.bounded(twoEvents)), format, {
      commitMs: streamHeartbeatMs,
      heartbeatMs: streamHeartbeatMs,
      slowClientTimeoutMs,
    });
  }

  private bounded(bytes$: Observable<Uint8Array>): Observable<Uint8Array> {
    return defer(() => {
      if (this.open >= MAX_CONCURRENT) {
        return throwError(
          () => new FerryError('overloaded', 'Too many stream checks are open.', { retryAfterSeconds: 2 }),
        );
      }
      this.open += 1;
      return bytes$.pipe(
        finalize(() => {
          this.open -= 1;
        }),
      );
    });
  }
}

const twoEvents: Observable<Uint8Array> = concat(
  of(encode('first', { next_in_ms: STREAM_CHECK_INTERVAL_MS })),
  of(encode('second', {})).pipe(delay(STREAM_CHECK_INTERVAL_MS)),
);

class TwoEvents implements ResponseSource {
  constructor(readonly bytes$: Observable<Uint8Array>) {}

  atBoundary(): boolean {
    return true;
  }

  contentLength(): null {
    return null;
  }

  headers(): Readonly<Record<string, string>> {
    return {};
  }

  consumed(): void {
    // Two events of a few bytes need no flow control.
  }
}
