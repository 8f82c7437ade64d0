import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { ResponseBody, type BodySender, type BodyChunks } from './response-body.js';

/** A connection that notes what is asked of it. */
class Connection implements BodySender {
  paused = false;
  closed = false;
  readonly body = new ResponseBody(this);

  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  abort(reason: Error): void {
    if (this.closed) return;
    this.closed = true;
    this.body.fail(reason);
  }
  push(...texts: string[]): void {
    for (const text of texts) this.body.push(Buffer.from(text));
  }
}

/** Takes everything at once, up to a piece that satisfies it. */
const collecting = (last?: string): BodyChunks & { readonly seen: string[] } => {
  const seen: string[] = [];
  return {
    seen,
    get satisfied() {
      return last !== undefined && seen.at(-1) === last;
    },
    take(chunk) {
      seen.push(chunk.toString());
      return undefined;
    },
  };
};

const thrown = (): never => {
  throw new Error('full');
};

const turn = (): Promise<void> => new Promise(setImmediate);

describe('the body of an answer', () => {
  it('yields every piece in order, including those before the reader attached, then the end', async () => {
    const connection = new Connection();
    const reader = collecting();
    connection.push('one', 'two');
    const piped = connection.body.pipe(reader);
    connection.push('three');
    connection.body.end();
    await piped;
    expect(reader.seen).toEqual(['one', 'two', 'three']);
  });

  it('the body of an answer that was complete before its reader attached is still delivered', async () => {
    const connection = new Connection();
    connection.push('all');
    connection.body.end();
    await expect(connection.body.text(100)).resolves.toBe('all');
  });

  it('yields nothing while a piece is being consumed, and pauses the engine when too much is buffered', async () => {
    const connection = new Connection();
    const seen: number[] = [];
    let taken: () => void = () => undefined;
    void connection.body.pipe({
      satisfied: false,
      take: (chunk) => {
        seen.push(chunk.length);
        return new Promise((resolve) => (taken = resolve));
      },
    });
    connection.push('one', 'two', 'three');
    expect({ seen, paused: connection.paused }).toEqual({ seen: [3], paused: false });
    connection.body.push(Buffer.alloc(64 * 1024));
    expect({ seen, paused: connection.paused }).toEqual({ seen: [3], paused: true });
    for (let step = 0; step < 20; step += 1) {
      taken();
      await turn();
    }
    expect(seen.reduce((sum, bytes) => sum + bytes)).toBe('onetwothree'.length + 64 * 1024);
    expect(connection.paused).toBe(false);
  });

  it('pauses the engine without a reader', async () => {
    const connection = new Connection();
    connection.body.push(Buffer.alloc(8 * 1024));
    expect(connection.paused).toBe(false);
    connection.body.push(Buffer.alloc(1));
    expect(connection.paused).toBe(true);
    void connection.body.pipe(collecting());
    await turn();
    expect(connection.paused).toBe(false);
  });

  it('fails after the pieces that came before the failure', async () => {
    const connection = new Connection();
    const reader = collecting();
    connection.push('one');
    connection.body.fail(new Error('reset'));
    await expect(connection.body.pipe(reader)).rejects.toThrow('reset');
    expect(reader.seen).toEqual(['one']);
  });

  it.each([
    ['throws', thrown],
    ['rejects', () => Promise.reject(new Error('full'))],
  ])('closes the connection when the reader %s', async (_how, take) => {
    const connection = new Connection();
    const piped = connection.body.pipe({ satisfied: false, take });
    connection.push('one');
    await expect(piped).rejects.toThrow('full');
    expect(connection.closed).toBe(true);
  });

  it('longer than allowed is rejected, and closes the connection', async () => {
    const connection = new Connection();
    const text = connection.body.text(5);
    connection.push('four', 'more');
    await expect(text).resolves.toBeUndefined();
    expect(connection.closed).toBe(true);
  });
});

describe('data after the wanted part', () => {
  const satisfied = async (): Promise<Connection> => {
    const connection = new Connection();
    const piped = connection.body.pipe(collecting('done'));
    connection.push('done');
    await piped;
    return connection;
  };

  it('data after the wanted part is dropped, and the connection is kept for the next request', async () => {
    const connection = await satisfied();
    connection.push('after');
    connection.body.dropRest();
    connection.push('more');
    connection.body.end();
    expect(connection.closed).toBe(false);
  });

  it('closes the connection when it is long', async () => {
    const connection = await satisfied();
    connection.body.dropRest();
    connection.body.push(Buffer.alloc(16 * 1024));
    expect(connection.closed).toBe(false);
    connection.push('x');
    expect(connection.closed).toBe(true);
  });

  it('closes the connection when it does not end within a second', async () => {
    const connection = await satisfied();
    connection.body.dropRest();
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(connection.closed).toBe(false);
    await eventually('it is closed', () => connection.closed);
  });
});
