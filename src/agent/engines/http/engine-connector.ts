import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** A read of the system brings up to 64 KiB whatever this is; with more than this unread, no further one is made. */
const UNREAD_BYTES = 16 * 1024;

/** What Node gives the system to fill. */
const LARGEST_READ_BYTES = 64 * 1024;

/** Connections to an engine that read no more of its answer than what undici has asked for. */
export function engineConnector(timeoutMs: number): buildConnector.connector {
  // An option of the socket that undici passes on and its types leave out.
  const ofSocket = { highWaterMark: UNREAD_BYTES };
  const connect = buildConnector({ timeout: timeoutMs, ...ofSocket });
  return (options, callback) => {
    connect(options, (...result) => {
      if (result[0] === null) readOnDemand(result[1]);
      callback(...result);
    });
  };
}

/**
 * A stream reads ahead as soon as it hands out what it has, and undici gives what it cannot use yet back to the socket when an answer is
 * paused: each pause and resumption would add one more read to what waits there, without a bound. Here the next read begins when undici,
 * which stops asking while an answer is paused, has found the socket empty.
 */
function readOnDemand(socket: Socket): void {
  const take = socket.read.bind(socket);
  const readAhead = socket._read.bind(socket);
  const putBack = socket.unshift.bind(socket);
  let wanted = false;
  /** What waits is kept in one place: whole reads that wait for seconds, one after the other, would be garbage that is collected late. */
  let rest: Buffer | undefined;
  socket._read = () => {
    wanted = true;
  };
  socket.read = (bytes?: number): unknown => {
    const piece: unknown = take(bytes);
    if (wanted && piece === null && socket.readableLength === 0) {
      wanted = false;
      readAhead(UNREAD_BYTES);
    }
    return piece;
  };
  // Only ever called with nothing unread, so whatever was here before has been used.
  socket.unshift = (piece: Buffer): void => {
    if (piece.buffer === rest?.buffer || piece.length > LARGEST_READ_BYTES) {
      putBack(piece);
      return;
    }
    rest ??= Buffer.allocUnsafeSlow(LARGEST_READ_BYTES);
    putBack(rest.subarray(0, piece.copy(rest)));
  };
}
