import type { IncomingMessage, ServerResponse } from 'node:http';
import { processTimerWheel } from '../timing/timer-wheel.js';
import { contextOf } from './request-context.js';

/**
 * True while an unread body is still arriving that is too large, or of unknown size, to be received. Node discards a short one and keeps
 * the connection.
 */
export function uploadPending(req: IncomingMessage): boolean {
  if (req.complete) return false;
  if (req.headers['transfer-encoding'] !== undefined) return true;
  const declared = Number(req.headers['content-length'] ?? 0);
  const { linger, awaitsContinue } = contextOf(req);
  return declared > linger.bytes || (awaitsContinue && declared > 0);
}

/**
 * Lingering close of a response that is written but not ended: gives the client time to read it, since a reset of the connection may
 * discard bytes that the client has not read. Reads and discards a little, then stops reading, then destroys the socket.
 */
export function lingerOnUpload(res: ServerResponse): void {
  const { req } = res;
  const { linger } = contextOf(req);
  let discarded = 0;
  const discard = (chunk: Buffer): void => {
    discarded += chunk.byteLength;
    if (discarded > linger.bytes) req.pause();
  };
  const timer = processTimerWheel.schedule(linger.ms, () => res.destroy());
  const end = (): void => void res.end();
  req.on('data', discard).once('end', end).on('error', ignore);
  // The body reader may have paused it.
  req.resume();
  res.once('close', () => {
    timer.cancel();
    req.off('data', discard).off('end', end);
  });
}

const ignore = (): void => undefined;
