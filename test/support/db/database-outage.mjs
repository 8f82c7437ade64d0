/**
 * Loaded into a relay with `--import`: its embedded database is unreachable while the file `DATABASE_OUTAGE` exists. Breaks the
 * connections between `pg` and the database as a lost server does; the database itself does not notice.
 */
import { existsSync } from 'node:fs';

const file = process.env['DATABASE_OUTAGE'];
const { EmbeddedConnection } = await import('../../../dist/relay/platform/database/embedded-connection.js');
const { connect, _write, _writev } = EmbeddedConnection.prototype;

const lost = (code) => Object.assign(new Error(`the test took the database away: ${code}`), { code });

EmbeddedConnection.prototype.connect = function connectUnlessLost() {
  if (!existsSync(file)) return connect.call(this);
  process.nextTick(() => this.destroy(lost('ECONNREFUSED')));
  return this;
};
EmbeddedConnection.prototype._write = function writeUnlessLost(chunk, encoding, done) {
  if (existsSync(file)) done(lost('ECONNRESET'));
  else _write.call(this, chunk, encoding, done);
};
EmbeddedConnection.prototype._writev = function writeAllUnlessLost(chunks, done) {
  if (existsSync(file)) done(lost('ECONNRESET'));
  else _writev.call(this, chunks, done);
};
