import { Injectable, type PipeTransform } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { JsonBodyReader } from './json-body-reader.js';
import type { ParsedBody } from './parsed-body.js';

/** A request whose body is still unread, with the response that must be told when it is refused. */
export interface UnreadExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Reads the body of an inference request. A pipe runs after every guard: nothing is read for a client that is not known (design §5.1).
 * It is not an interceptor because Nest builds a chain of Observables for those, a tenth of what a small request costs.
 */
@Injectable()
export class JsonBodyPipe implements PipeTransform<UnreadExchange, Promise<ParsedBody>> {
  constructor(private readonly reader: JsonBodyReader) {}

  /** @throws FerryError with the status of what is wrong with the body · ClientGoneError */
  transform({ request, response }: UnreadExchange): Promise<ParsedBody> {
    return this.reader.read(request, response);
  }
}
