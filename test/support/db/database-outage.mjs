/**
 * Loaded into a relay with `--import`: its embedded database is unreachable while the file `DATABASE_OUTAGE` exists, and answers nothing
 * while one with `.frozen` behind its name does. Breaks the connections between `pg` and the database as a lost server does, or delays what
 * they carry as a frozen one; the database itself does not notice.
 */
import { existsSync } from 'node:fs';

const file = process.env['DATABASE_OUTAGE'];
const { EmbeddedConnection } = await import('../../../dist/relay/platform/database/embedded-connection.js');
const { connect, _write, _writev } = EmbeddedConnection.prototype;

const LOOKS_AGAIN_MS = 20;

/** A connection that was given up meanwhile has nothing more to say. */
function onceThawed(connection, send) {
  if (connection.destroyed) return;
  if (existsSync(`${file}.frozen`)) setTimeout(onceThawed, LOOKS_AGAIN_MS, connection, send);
  else send();
}

const lost = (code) => Object.assign(new Error(`the test took the database away: ${code}`), { code });

EmbeddedConnection.prototype.connect = function connectUnlessLost() {
  if (!existsSync(file)) return connect.call(this);
  process.nextTick(() => this.destroy(lost('ECONNREFUSED')));
  return this;
};
EmbeddedConnection.prototype._write = function writeUnlessLost(chunk, encoding, done) {
  if (existsSync(file)) done(lost('ECONNRESET'));
  else onceThawed(this, () => _write.call(this, chunk, encoding, done));
};
EmbeddedConnection.prototype._writev = function writeAllUnlessLost(chunks, done) {
  if (existsSync(file)) done(lost('ECONNRESET'));
  else onceThawed(this, () => _writev.call(this, chunks, done));
};
