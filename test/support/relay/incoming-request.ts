import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** A request of which only the headers matter. `rawHeaders` as in Node: name, value, name, value, … */
export const incomingRequest = (rawHeaders: readonly string[]): IncomingMessage =>
  Object.assign(new IncomingMessage(new Socket()), { rawHeaders: [...rawHeaders] });
