import type { Socket } from 'node:net';

/**
 * Ties the two connections of a proxied client together: when one closes, the other is destroyed.
 * @param open holds both while they are open
 * @param survives called when a socket closes: true keeps the other one open
 */
export function joinSockets(
  client: Socket,
  upstream: Socket,
  open: Set<Socket>,
  survives: (closed: Socket) => boolean = () => false,
): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      if (!survives(socket)) other.destroy();
    });
  }
}
