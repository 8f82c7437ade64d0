/**
 * The client of NATS, imported when there is a bus. A module of its own, because in the bundle a dynamic import of a CommonJS package has its
 * functions on `default` only.
 */
export { connect, RequestError, TimeoutError } from '@nats-io/transport-node';
