/** The part of a Postgres server that a pool of connections depends on: sessions with transactions, and no data. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** As TypeORM asks for them when it connects. */
const ROW = { version: 'PostgreSQL 15.0', current_database: 'fake', current_schema: 'public' };

export class FakePostgres {
  /** Statements in sessions that were in another state than their client can have meant. */
  readonly misplaced: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
      const session = new Session(socket, this.misplaced);
      socket.on('data', (bytes: Buffer) => {
        session.receive(bytes);
      });
    });
  }

  static async start(): Promise<FakePostgres> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakePostgres(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

const HEADER_BYTES = 5;

class Session {
  private unread: Buffer = Buffer.alloc(0);
  private started = false;
  private inTransaction = false;
  private statement = '';

  constructor(
    private readonly socket: Socket,
    private readonly misplaced: string[],
  ) {}

  receive(bytes: Buffer): void {
    this.unread = Buffer.concat([this.unread, bytes]);
    for (;;) {
      // The startup message has no type.
      const header = this.started ? HEADER_BYTES : HEADER_BYTES - 1;
      if (this.unread.length < header) return;
      const length = this.unread.readInt32BE(header - 4) + header - 4;
      if (this.unread.length < length) return;
      const message = this.unread.subarray(0, length);
      this.unread = this.unread.subarray(length);
      this.handle(this.started ? String.fromCharCode(message[0] ?? 0) : 'startup', message.subarray(header));
    }
  }

  private handle(type: string, body: Buffer): void {
    switch (type) {
      case 'startup':
        this.started = true;
        this.write('R', int32(0));
        this.ready();
        return;
      case 'Q':
        // As if somebody else had the lock.
        if (text(body).startsWith('LOCK')) return;
        this.execute(text(body));
        this.ready();
        return;
      case 'P':
        // After the name of the statement.
        this.statement = text(body.subarray(body.indexOf(0) + 1));
        this.write('1');
        return;
      case 'B':
        this.write('2');
        return;
      case 'E':
        this.execute(this.statement);
        return;
      case 'S':
        this.ready();
        return;
      case 'X':
        this.socket.end();
        return;
      default:
    }
  }

  private execute(statement: string): void {
    const [word = ''] = statement.split(' ');
    if (word === 'START' && this.inTransaction) this.misplaced.push('START TRANSACTION within a transaction');
    if (statement.includes('autocommit') && this.inTransaction) this.misplaced.push('a query within a transaction');
    if (word === 'START') this.inTransaction = true;
    if (word === 'COMMIT' || word === 'ROLLBACK') this.inTransaction = false;
    if (word === 'SELECT') this.row();
    this.write('C', Buffer.from(`${word} 1\0`));
  }

  private row(): void {
    const names = Object.keys(ROW).map((name) =>
      Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]),
    );
    const values = Object.values(ROW).map((value) => Buffer.concat([int32(value.length), Buffer.from(value)]));
    this.write('T', int16(names.length), ...names);
    this.write('D', int16(values.length), ...values);
  }

  private ready(): void {
    this.write('Z', Buffer.from(this.inTransaction ? 'T' : 'I'));
  }

  private write(type: string, ...parts: readonly Buffer[]): void {
    const body = Buffer.concat(parts);
    if (this.socket.writable) this.socket.write(Buffer.concat([Buffer.from(type), int32(body.length + 4), body]));
  }
}

const text = (body: Buffer): string => body.subarray(0, body.indexOf(0)).toString();

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
