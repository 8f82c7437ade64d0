import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** `HTTPParser.kOnExecute`: what the parser calls with the number of bytes that it has read of a piece. */
const ON_EXECUTE = 5;

/** Node's parser of a connection whose bytes go to it directly. */
interface Parser {
  [ON_EXECUTE]?: ((read: unknown) => void) | undefined;
  getCurrentBuffer?(): Buffer | null;
  execute?(bytes: Buffer): unknown;
  /** The latest request. */
  incoming?: IncomingMessage | null;
}

/** Node gives a parser that another connection had, with a function of its own. */
const keeping = new WeakSet<object>();

/**
 * For a request whose `Upgrade` header is ignored: the parser stops behind it, because another protocol might begin there, and Node drops the
 * rest of the piece, in which the next requests of the connection may be.
 */
export function keepPipelinedRest(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null };
  const onExecute = parser?.[ON_EXECUTE];
  if (parser == null || onExecute === undefined || keeping.has(onExecute)) return;
  const keepRest = function (this: Parser, read: unknown): void {
    // Bytes behind a CONNECT are for another server.
    const isForOther = parser.incoming?.method === 'CONNECT';
    let rest = isForOther ? undefined : restOf(parser.getCurrentBuffer?.() ?? null, read);
    onExecute.call(this, read);
    while (rest !== undefined && (socket as { parser?: unknown }).parser === parser && !socket.destroyed) {
      const more = parser.execute?.(rest);
      rest = restOf(rest, more);
      onExecute.call(this, more);
    }
  };
  keeping.add(keepRest);
  parser[ON_EXECUTE] = keepRest;
}

/** Undefined when all was read, or the parser has failed. A copy: the piece is in memory that the next read overwrites. */
const restOf = (chunk: Buffer | null, read: unknown): Buffer | undefined =>
  chunk !== null && typeof read === 'number' && read < chunk.length ? Buffer.from(chunk.subarray(read)) : undefined;
