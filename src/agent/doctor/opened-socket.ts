import type { Socket } from 'node:net';

/** Bounds one step of a check. */
export const STEP_TIMEOUT_MS = 5_000;

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** Resolves when the event comes, and closes the socket then. @throws what ended the socket before */
export async function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      socket.setTimeout(STEP_TIMEOUT_MS, () => {
        reject(new Error(`no answer within ${STEP_TIMEOUT_MS / 1_000} s`));
      });
      socket.once(event, () => {
        resolve();
      });
      socket.once('error', reject);
      socket.once('close', () => {
        reject(new Error('the connection was closed'));
      });
    });
  } finally {
    socket.on('error', () => undefined);
    socket.destroy();
  }
}
