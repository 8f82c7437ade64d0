/** A keep-alive HTTP client of minimal cost, because it shares the machine with the target. */
import { connect, type Socket } from 'node:net';
import { MessageReader } from './message-reader.js';

export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Parts of the body of a response with status 200. */
  readonly onBody: (part: Buffer) => void;
  /** Called once. @param failure null when the response is complete and its status was 200 */
  readonly onDone: (failure: string | null) => void;
}

export class Client {
  private readonly idle: Connection[] = [];
  private readonly open = new Set<Connection>();

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  send(exchange: Exchange): void {
    const connection = this.idle.pop() ?? this.connect();
    const lines = Object.entries(exchange.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = exchange.method === 'GET' ? '' : `content-length: ${exchange.body.length}\r\n`;
    connection.send(
      `${exchange.method} ${exchange.path} HTTP/1.1\r\nhost: ${this.host}:${this.port}\r\n${lines.join('')}${length}\r\n`,
      exchange,
    );
  }

  close(): void {
    for (const connection of this.open) connection.socket.destroy();
  }

  private connect(): Connection {
    const connection: Connection = new Connection(connect({ host: this.host, port: this.port, noDelay: true }), {
      onFree: () => this.idle.push(connection),
      onClosed: () => {
        this.open.delete(connection);
        const at = this.idle.indexOf(connection);
        if (at !== -1) this.idle.splice(at, 1);
      },
    });
    this.open.add(connection);
    return connection;
  }
}

class Connection {
  private exchange: Exchange | undefined;
  private status = 0;
  private reusable = true;
  private readonly reader = new MessageReader('response', {
    head: (text) => {
      this.status = Number(text.slice(9, 12));
      this.reusable = !text.includes('\r\nconnection: close');
    },
    body: (part) => {
      if (this.status === 200) this.exchange?.onBody(part);
    },
    end: () => {
      const { exchange } = this;
      this.exchange = undefined;
      if (this.reusable) this.owner.onFree();
      else this.socket.destroy();
      exchange?.onDone(this.status === 200 ? null : `status ${this.status}`);
    },
  });

  constructor(
    readonly socket: Socket,
    private readonly owner: { readonly onFree: () => void; readonly onClosed: () => void },
  ) {
    let why = 'connection closed early';
    socket.on('data', (part: Buffer) => {
      this.reader.push(part);
    });
    socket.on('error', (error) => (why = error.message));
    socket.on('close', () => {
      this.reusable = false;
      this.reader.closed();
      this.owner.onClosed();
      this.exchange?.onDone(why);
      this.exchange = undefined;
    });
  }

  send(head: string, exchange: Exchange): void {
    this.exchange = exchange;
    if (exchange.body.length === 0) {
      this.socket.write(head, 'latin1');
      return;
    }
    this.socket.cork();
    this.socket.write(head, 'latin1');
    this.socket.write(exchange.body);
    this.socket.uncork();
  }
}
