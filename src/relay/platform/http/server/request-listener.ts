/** What happens to every request before the framework sees it: the parts that Node leaves to the application (reliability §2.5). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { serializeOpenAiError } from '../errors/openai-error.js';
import { headerValues } from '../header-values.js';
import { attachContext, createContext, type LingerLimits } from '../request-context.js';
import { assignRequestId } from '../request-id.js';
import { sendWhole } from '../send-whole.js';
import { uploadPending } from '../unread-upload.js';
import { answerCors } from './cors.js';

export interface RequestListenerOptions {
  readonly maxHeaderPairs: number;
  readonly linger: LingerLimits;
}

export function createRequestListener(application: RequestListener, options: RequestListenerOptions): RequestListener {
  const listen: RequestListener = (req, res) => {
    // A pipelined request waits for its turn: until then nobody would notice that its client has left.
    if (res.socket === null) {
      res.once('socket', () => {
        listen(req, res);
      });
      return;
    }
    const requestId = assignRequestId(res);
    const context = createContext(requestId, options.linger);
    context.awaitsContinue = expectsContinue(req);
    attachContext(req, context);
    // Sockets break at any time; without a listener the error would end the process.
    res.on('error', ignore);
    req.on('error', ignore);

    if (req.rawHeaders.length / 2 > options.maxHeaderPairs) {
      refuse(res, 431, `The request has more than ${options.maxHeaderPairs} headers.`);
    } else if (headerValues(req, 'host').length > 1) {
      refuse(res, 400, 'The request has more than one Host header.');
    } else {
      // Nobody reads a body here, and Node would throw it away to its end.
      if (isBodyless(req.method) && uploadPending(req)) res.shouldKeepAlive = false;
      if (answerCors(req, res)) return;
      application(req, res);
    }
  };
  return listen;
}

/** These are not worth keeping the connection for: whoever sends them may disagree with us about where the request ends. */
function refuse(res: ServerResponse, status: 400 | 431, message: string): void {
  const error = new FerryError('invalid_request', message, { status });
  const serialized = serializeOpenAiError(error, String(res.getHeader('x-request-id')));
  sendWhole(res, { ...serialized, headers: { ...serialized.headers, connection: 'close' } });
}

const isBodyless = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

const expectsContinue = (req: IncomingMessage): boolean =>
  req.httpVersion === '1.1' && req.headers.expect?.toLowerCase() === '100-continue';

const ignore = (): void => undefined;
