/** The client disconnected before it had sent its whole request. No response is possible, and the relay is not at fault. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError';
}
