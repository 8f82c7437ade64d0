import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { MAX_WINDOW_BYTES } from './connection/credit-window.js';
import {
  FrameType,
  frameName,
  isControlFrame,
  MAX_FRAME_PAYLOAD_BYTES,
  MAX_LINK_MESSAGE_BYTES,
  MAX_WHOLE_BODY_BYTES,
} from './codec/frame-types.js';
import { LinkCloseCode } from './link-errors.js';
import * as messages from './messages.js';
import { MAX_ACK_HELD_MS } from './stream/held-acks.js';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/internals/link-protocol.md'), 'utf8');
/** Cells of the table rows whose first cell matches. */
const rows = (first: RegExp): string[][] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
    .filter(([cell]) => cell !== undefined && first.test(cell));

describe('docs/internals/link-protocol.md', () => {
  it('lists every frame type with its number and its kind of stream', () => {
    const listed = rows(/^\d{1,2}$/).map(([number, name, , stream]) => [Number(number), name, stream === '0']);
    expect(listed).toEqual(Object.values(FrameType).map((type) => [type, frameName(type), isControlFrame(type)]));
  });

  it('describes every close code', () => {
    const listed = rows(/^\d{4}/).flatMap(([codes]) => (codes ?? '').split(', ').map(Number));
    expect(listed).toEqual(expect.arrayContaining(Object.values(LinkCloseCode)));
  });

  it('lists the reasons of RESET, REJECT and GOAWAY and the failures of operations', () => {
    const reasons = [
      ...messages.resetReasons,
      ...messages.rejectReasons,
      ...messages.goAwayMessage.shape.reason.options,
      ...messages.operationFailureCodes,
    ];
    expect(reasons.filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
  });

  it.each<[string, z.ZodObject]>([
    ['HELLO', messages.helloMessage],
    ['READY', messages.readyMessage],
    ['INVENTORY', messages.inventoryMessage],
    ['a model', messages.modelReport],
    ['STATUS', messages.statusMessage],
    ['OPEN', messages.openMessage],
    ['REJECT', messages.rejectMessage],
    ['HEAD', messages.headMessage],
    ['END', messages.endMessage],
    ['a failure', messages.nodeFailure],
    ['usage', messages.usageReport],
    ['PROGRESS', messages.progressMessage],
    ['RESULT', messages.resultMessage],
    ['GOAWAY', messages.goAwayMessage],
  ])('describes every field of %s', (_name, schema) => {
    const missing = Object.keys(schema.shape).filter((field) => !new RegExp(`\\b${field}\\b`).test(page));
    expect(missing).toEqual([]);
  });

  it('says how long an ACK is held', () => {
    expect(page).toContain(`at most ${MAX_ACK_HELD_MS} ms`);
  });

  it('describes every COMMAND', () => {
    const words = messages.commandMessage.options.flatMap(({ shape }) => [...shape.verb.values, ...Object.keys(shape)]);
    expect(words.filter((word) => !page.includes(`\`${word}`))).toEqual([]);
  });

  it('states the limits of the code', () => {
    const limits = [MAX_FRAME_PAYLOAD_BYTES, MAX_LINK_MESSAGE_BYTES, MAX_WHOLE_BODY_BYTES, MAX_WINDOW_BYTES].map(
      (limit) => `${limit.toLocaleString('en-US')} bytes`,
    );
    expect(limits.filter((limit) => !page.includes(limit))).toEqual([]);
  });
});
