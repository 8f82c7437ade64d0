import { Subject, type Observable } from 'rxjs';
import type { OpenMessage } from '../../link/messages.js';
import type { NodeLinkStream, NodeStreamHandler } from '../../link/stream/node-stream.js';
import { BodyBudget } from './body-budget.js';
import { RecentRequests } from './recent-requests.js';
import { serveRequest, type ServingContext } from './serve-request.js';

interface RequestServerOptions extends Omit<
  ServingContext,
  'recentRequests' | 'bodies' | 'closedToWork' | 'onAccepted'
> {
  /** Bounds all requests together. */
  readonly bodiesInMemoryBytes: number;
}

/** Serves the requests of all links, counts the running ones, and closes once. */
export class RequestServer {
  private readonly context: ServingContext;
  private readonly closedSubject = new Subject<void>();
  private isClosed = false;
  private running = 0;
  private readonly whenIdle: (() => void)[] = [];

  constructor(options: RequestServerOptions) {
    const { bodiesInMemoryBytes, ...context } = options;
    this.context = {
      ...context,
      recentRequests: new RecentRequests(options.clock),
      bodies: new BodyBudget(bodiesInMemoryBytes),
      closedToWork: () => this.isClosed,
      onAccepted: () => this.accepted(),
    };
  }

  get active(): number {
    return this.running;
  }

  get closed(): boolean {
    return this.isClosed;
  }

  get closed$(): Observable<void> {
    return this.closedSubject;
  }

  /** @param replica of the relay, through which the request came */
  readonly serve = (head: OpenMessage, stream: NodeLinkStream, replica = ''): NodeStreamHandler =>
    serveRequest(head, stream, this.context, replica);

  /** Rejects new requests from now on; running ones continue. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.closedSubject.next();
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.whenIdle.push(resolve);
    });
  }

  private accepted(): () => void {
    this.running += 1;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.running -= 1;
      if (this.running === 0) for (const resolve of this.whenIdle.splice(0)) resolve();
    };
  }
}
