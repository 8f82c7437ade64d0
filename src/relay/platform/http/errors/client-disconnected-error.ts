/** The client left before it had sent its whole request. There is nobody to answer, and nothing is wrong with the relay. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientDisconnectedError';
}
