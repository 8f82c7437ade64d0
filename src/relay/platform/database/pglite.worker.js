/**
 * Owns PGlite and speaks the Postgres wire protocol over its message port. Plain JavaScript, so that Jest can start it from source.
 *
 * In:  { open: id } · { id, bytes } · { close: id } · 'stop'
 * Out: 'ready' · { id, bytes } · { id, failed } · 'stopped'
 *
 * PGlite is one session. Connections take turns: every response carries the id of the connection that asked, and what a
 * connection left behind (an open transaction, advisory locks, settings) is thrown away when it closes, as a server does.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { keepFirstTier } from './webassembly-tiers.js';

/** Postgres reserves 128 MB by default, inside the memory of WebAssembly, where they stay resident. The system caches the files anyway. */
const SMALL_BUFFERS = ['-c', 'shared_buffers=4MB'];
/**
 * Memory for locks and sessions is reserved at the start, for 100 connections and their helpers by default, where there is one session: 4 MB.
 * One transaction still may lock more than a thousand tables and indexes.
 */
const ONE_SESSION = [
  'max_connections=1',
  'superuser_reserved_connections=0',
  'max_wal_senders=0',
  'max_replication_slots=0',
  'autovacuum_worker_slots=1',
  'autovacuum_max_workers=1',
  'max_locks_per_transaction=512',
].flatMap((setting) => ['-c', setting]);
/** Of the log, after a checkpoint, files that are kept to be written again; by default 80 MB at least. */
const SHORT_LOG = ['-c', 'min_wal_size=32MB', '-c', 'max_wal_size=128MB'];

/** Its clients speak the protocol, and read arrays themselves. To read the types of arrays was a fifth of what the database takes to start. */
class Database extends PGlite {
  async _initArrayTypes() {}
}

keepFirstTier();
const database = new Database({
  ...workerData,
  startParams: [...PGlite.defaultStartParams, ...SMALL_BUFFERS, ...ONE_SESSION, ...SHORT_LOG],
});
await database.waitReady;
let current;
let queue = Promise.resolve();

async function forget(id) {
  if (current !== id) return;
  current = undefined;
  await database.exec('ROLLBACK');
  await database.exec('DISCARD ALL');
}

async function handle(message) {
  if (message === 'stop') {
    await database.close();
    parentPort.postMessage('stopped');
    parentPort.close();
  } else if (message.open !== undefined) {
    await forget(current);
    current = message.open;
  } else if (message.close !== undefined) {
    await forget(message.close);
  } else if (message.id === current) {
    const { id } = message;
    await database.runExclusive(() =>
      database.execProtocolRawStream(message.bytes, {
        onRawData(data) {
          const bytes = data.slice();
          parentPort.postMessage({ id, bytes }, [bytes.buffer]);
        },
      }),
    );
  }
}

parentPort.on('message', (message) => {
  queue = queue
    .then(() => handle(message))
    .catch((error) => {
      parentPort.postMessage({ id: message.id, failed: String(error) });
    });
});
parentPort.postMessage('ready');
