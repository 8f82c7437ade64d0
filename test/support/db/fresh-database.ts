/**
 * A new database per relay. Embedded: a copy of a data directory that was migrated once, which saves seconds per suite.
 * With DATABASE_URL: a new database on that server, dropped afterwards.
 */
import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { fileExists } from '../../../src/kernel/file-exists.js';
import { leaveBehind } from '../process/at-exit.js';
import { repositoryRoot } from '../process/ferry-process.js';
import { workersOfRelays } from '../process/workers-of-relays.js';

const template = path.join(repositoryRoot, '.test-artifacts/relay-template');

/** The socket of the lock cannot be copied, and replicas with the id of one data directory count as one. */
const isCopied = (file: string): boolean => !file.endsWith('.sock') && path.basename(file) !== 'instance-id';

export interface TestDatabase {
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
  /** For the end of a process, where nothing can be awaited. */
  dropAtExit(): void;
}

const onServer = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** `embedded` when a test is about the embedded database itself, independent of DATABASE_URL. */
export async function freshDatabase(
  dataDirectory: string,
  kind: 'default' | 'embedded' = 'default',
): Promise<TestDatabase> {
  const { DATABASE_URL: url } = process.env;
  const server = kind === 'embedded' ? undefined : url;
  if (server === undefined) {
    // Programs outside the test suite, such as the bench, have no template: their relays migrate an empty directory.
    if (await fileExists(template))
      await cp(template, path.join(dataDirectory, 'relay'), { recursive: true, filter: isCopied });
    return { env: {}, drop: () => Promise.resolve(), dropAtExit: () => undefined };
  }
  const name = `ferry_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const dropping = `DROP DATABASE ${name} WITH (FORCE)`;
  const own = new URL(server);
  own.pathname = `/${name}`;
  return {
    env: {
      DATABASE_URL: own.href,
      FERRY_SECRET: 'a secret of the test suite, long enough',
      ...workersOfRelays(),
    },
    drop: () => onServer(server, dropping),
    dropAtExit: () => {
      const program = `import pg from 'pg'; const client = new pg.Client({ connectionString: process.argv[1] });
        await client.connect(); await client.query(process.argv[2]); await client.end();`;
      leaveBehind(process.execPath, '--input-type=module', '--eval', program, server, dropping);
    },
  };
}
