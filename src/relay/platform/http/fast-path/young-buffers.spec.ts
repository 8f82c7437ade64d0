import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { YoungBuffers } from './young-buffers.js';

const MIB = 1024 * 1024;

/** With memory that the test sets. @param freed what a collection leaves; none: it frees nothing */
function watched(memory: number, freed?: number) {
  const state = { memory, collections: 0 };
  const buffers = new YoungBuffers(
    () => {
      state.collections += 1;
      state.memory = freed ?? state.memory;
    },
    () => state.memory,
  );
  const look = (): void => {
    buffers.passed(4 * MIB);
  };
  return { state, buffers, look };
}

describe('buffers of link messages', () => {
  test('buffers of link messages are collected when they have grown by 24 MiB, looked at after every 4 MiB', () => {
    const { state, buffers } = watched(100 * MIB, 100 * MIB);
    const receive = (mib: number): void => {
      for (let at = 0; at < mib; at += 1) {
        state.memory += MIB;
        buffers.passed(MIB);
      }
    };
    receive(24);
    expect(state.collections).toBe(0);
    receive(4);
    expect(state.collections).toBe(1);
    receive(24);
    expect(state.collections).toBe(2);
  });

  test('link messages that a collection does not free cause no further one', () => {
    const { state, look } = watched(0);
    look();
    state.memory = 40 * MIB;
    for (let at = 0; at < 10; at += 1) look();
    expect(state.collections).toBe(1);
  });

  test('link messages that V8 freed by itself are not counted again', () => {
    const { state, look } = watched(200 * MIB);
    look();
    state.memory = 20 * MIB;
    look();
    state.memory = 43 * MIB;
    look();
    expect(state.collections).toBe(0);
    state.memory = 44 * MIB;
    look();
    expect(state.collections).toBe(1);
  });

  test('buffers of link messages are freed in V8 without collections of the old generation', () => {
    // 20 on Node 24, none on Node 20, whose V8 counts them towards the young generation.
    if (Number.parseInt(process.versions.node) >= 24) expect(fullCollections('off')).toBeGreaterThan(8);
    expect(fullCollections('on')).toBeLessThan(5);
  });
});

/** In a process of its own, whose socket reads 1.5 GB. */
const program = `
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { PerformanceObserver, constants } from 'node:perf_hooks';
import { YoungBuffers } from '${pathToFileURL(path.join(import.meta.dirname, 'young-buffers.ts')).href}';

let full = 0;
const count = (entries) => {
  for (const { detail } of entries) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full += 1;
};
const observer = new PerformanceObserver((list) => count(list.getEntries()));
observer.observe({ entryTypes: ['gc'] });
const buffers = process.env.WATCHED === 'on' ? new YoungBuffers() : undefined;
const piece = Buffer.alloc(65_536);
const server = createServer((socket) => {
  let left = 1_500_000_000 / piece.length;
  const write = () => {
    while (left-- > 0) if (!socket.write(piece)) return;
    socket.end();
  };
  socket.on('drain', write);
  write();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const socket = connect(server.address().port, '127.0.0.1');
socket.on('data', (bytes) => buffers?.passed(bytes.length));
await once(socket, 'close');
server.close();
await new Promise(setImmediate);
console.log(full);
`;

function fullCollections(watched: 'on' | 'off'): number {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { encoding: 'utf8', env: { ...process.env, WATCHED: watched } },
  );
  expect(stderr).toBe('');
  return Number(stdout);
}
