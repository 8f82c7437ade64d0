import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { BodyPieces } from './body-pieces.js';

const text = async (pieces: BodyPieces): Promise<string | undefined> => (await pieces.next())?.toString();

test('hands over every piece in order, whether somebody waits for it or not, and then the end', async () => {
  const body = new PassThrough();
  const pieces = new BodyPieces(body);
  const first = text(pieces);
  body.write('one');
  expect(await first).toBe('one');
  body.write('two');
  body.end('three');
  await new Promise(setImmediate);
  expect([await text(pieces), await text(pieces), await text(pieces), await text(pieces)]).toEqual([
    'two',
    'three',
    undefined,
    undefined,
  ]);
});

test('holds the sender up when nobody reads, and lets it go on', async () => {
  const body = new PassThrough({ highWaterMark: 1_024 });
  const pieces = new BodyPieces(body);
  let written = 0;
  while (written < 10_000_000 && body.write(Buffer.alloc(16_384))) {
    written += 16_384;
    await new Promise(setImmediate);
  }
  expect(written).toBeLessThan(200_000);
  body.end('end');
  let last: string | undefined;
  for (let piece = await text(pieces); piece !== undefined; piece = await text(pieces)) last = piece;
  expect(last).toBe('end');
});

test('fails after the pieces that came before the failure', async () => {
  const body = new PassThrough();
  const pieces = new BodyPieces(body);
  body.write('one');
  await new Promise(setImmediate);
  body.destroy(new Error('reset'));
  await new Promise(setImmediate);
  expect(await text(pieces)).toBe('one');
  await expect(pieces.next()).rejects.toThrow('reset');
});

test('a body that is closed without an end has failed', async () => {
  const body = new PassThrough();
  const pieces = new BodyPieces(body);
  const waiting = pieces.next();
  body.destroy();
  await expect(waiting).rejects.toThrow('closed before its end');
});

test('leaves nothing of itself on the body', () => {
  const body = new PassThrough();
  const before = body.eventNames().length;
  new BodyPieces(body).detach();
  expect(body.listenerCount('data') + body.listenerCount('end') + body.eventNames().length).toBe(before);
});
