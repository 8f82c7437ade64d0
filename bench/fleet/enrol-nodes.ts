/** Inserts nodes into the database of a stopped relay, because enrolling ten thousand with join tokens would take hours. */
import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type * as nodeKeys from '../../src/agent/enrolment/node-key.js';
import type * as openDatabaseModule from '../../src/relay/platform/database/open-database.js';
import { builtProgram } from '../built-program.js';

export interface EnrolledNodes {
  readonly ids: readonly string[];
  /** PKCS #8 PEM. All nodes share one key, which does not change the cost of verifying a signature. */
  readonly privateKey: string;
}

const LIMITS = { queryTimeoutMs: 60_000, connectTimeoutMs: 10_000, poolSize: 1 };

/** @param place URL or folder of the database of a relay that has run once, so that an account and a cluster exist */
export async function enrolNodes(place: string, count: number): Promise<EnrolledNodes> {
  const { openDatabase } = await builtProgram<typeof openDatabaseModule>('relay/platform/database/open-database.js');
  const { createNodeKey } = await builtProgram<typeof nodeKeys>('agent/enrolment/node-key.js');
  Logger.overrideLogger(false);
  const key = createNodeKey();
  const ids = Array.from({ length: count }, () => `nd_${randomBytes(16).toString('hex')}`);
  const location = place.startsWith('postgres:') ? { url: place } : { embedded: { dataDir: place } };
  const database = await openDatabase(location, LIMITS);
  try {
    const source = await new DataSource(database.options).initialize();
    await source.query(
      `INSERT INTO node (account_id, id, cluster_id, name, public_key, state, platform, agent_version)
       SELECT cluster.account_id, nodes.id, cluster.id, 'idle-' || place, $2, 'active', 'linux-x64', '0.0.0'
       FROM unnest($1::text[]) WITH ORDINALITY AS nodes (id, place),
            (SELECT account_id, id FROM cluster LIMIT 1) AS cluster`,
      [ids, Buffer.from(key.publicKey, 'base64url')],
    );
    await source.destroy();
  } finally {
    await database.close();
  }
  return { ids, privateKey: key.exportPrivateKey() };
}
