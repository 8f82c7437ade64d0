/** Fills the request log of a stopped relay, because thousands of real requests would take minutes. */
import path from 'node:path';
import { DataSource } from 'typeorm';
import { openDatabase, type DatabaseLocation } from '../../../src/relay/platform/database/open-database.js';
import type { TestRelay } from '../process/test-relay.js';

const LIMITS = { queryTimeoutMs: 60_000, connectTimeoutMs: 10_000, poolSize: 1 };

const locationOf = ({ dataDirectory, serveEnv }: TestRelay): DatabaseLocation => {
  const url = serveEnv['DATABASE_URL'];
  return url === undefined ? { embedded: { dataDir: path.join(dataDirectory, 'relay', 'pgdata') } } : { url };
};

/** One request every half minute until now; every tenth failed. The hourly sums are written as metering writes them. */
const FILL = `
  WITH filled AS (
    INSERT INTO request_log (account_id, id, started_at, key_id, node_id, cluster_id, model, model_name, dialect, stream, outcome,
                             code, attempts, retried, input_tokens, cached_tokens, output_tokens, reasoning_tokens, source,
                             queue_ms, ttft_ms, duration_ms)
    SELECT $1, 'req_' || lpad(to_hex(n), 32, '0'), now() - n * interval '30 seconds',
           CASE WHEN n % 3 = 0 THEN 'key_bbbbbbbbbbbb' ELSE 'key_aaaaaaaaaaaa' END, NULL, $2,
           'mdl_' || lpad(to_hex(n % $4), 16, '0'), 'model ' || (n % $4), 'chat', true,
           CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'completed' END, CASE WHEN n % 10 = 0 THEN 'engine_error' END,
           1, false, 400 + n % 700, 0, 100 + n % 300, 0, 'engine', n % 40,
           CASE WHEN n % 10 = 0 THEN NULL ELSE 120 + n % 200 END, 3000 + n % 5000
    FROM generate_series(1, $3::int) AS n
    RETURNING *
  )
  INSERT INTO usage_hour (account_id, hour, key_id, node_id, cluster_id, model, dialect, requests, completed, failed, cancelled,
                          timed_out, rejected, input_tokens, cached_tokens, output_tokens, reasoning_tokens, estimated_requests)
  SELECT account_id, date_trunc('hour', started_at, 'UTC'), key_id, '', cluster_id, model, dialect, count(*),
         count(*) FILTER (WHERE outcome = 'completed'), count(*) FILTER (WHERE outcome = 'failed'), 0, 0, 0,
         sum(input_tokens), 0, sum(output_tokens), 0, 0
  FROM filled GROUP BY 1, 2, 3, 4, 5, 6, 7`;

export async function fillRequestLog(relay: TestRelay, requests: number, models = 3): Promise<void> {
  await relay.process.stop();
  const database = await openDatabase(locationOf(relay), LIMITS);
  const source = await new DataSource({ ...database.options, entities: [] }).initialize();
  try {
    const { account_id: account, cluster_id: cluster } = relay.credentials;
    await source.query(FILL, [account, cluster, requests, models]);
  } finally {
    await source.destroy();
    await database.close();
  }
  await relay.restart();
}
