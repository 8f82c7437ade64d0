/** What of the Helm chart can be checked without Helm; `npm test -- helm` renders it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { relaySettings } from '../../src/relay/platform/config/relay-settings.js';

const chart = path.resolve(import.meta.dirname, '../../deploy/helm/ferry');
const read = (file: string): string => readFileSync(path.join(chart, file), 'utf8');

describe('the Helm chart', () => {
  const values = parse(read('values.yaml')) as Record<string, unknown>;
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')) as object);

  it('the Helm chart has a schema for its values, which refuses unknown ones', () => {
    expect(isValid(values)).toBe(true);
    expect(isValid({ ...values, baseUrl: 'https://relay.example/v1' })).toBe(false);
    expect(isValid({ ...values, replica: 3 })).toBe(false);
    expect(isValid({ ...values, settings: { QUEUE_TIMEOUT: '1' } })).toBe(false);
    expect(isValid({ ...values, settings: { FERRY_QUEUE_TIMEOUT_MS: 1 } })).toBe(false);
  });

  it('sets only settings that the relay has', () => {
    const known = new Set(Object.values(relaySettings).map(({ env }) => env));
    const templates = readdirSync(path.join(chart, 'templates')).map((file) => read(path.join('templates', file)));
    const used = new Set(
      templates.flatMap((text) => [...text.matchAll(/\bname: (FERRY_\w+|NATS_URL)/g)].map(([, name]) => name)),
    );
    expect(used.size).toBeGreaterThan(5);
    // The directory is read before the settings.
    expect([...used].filter((name) => name !== undefined && !known.has(name))).toEqual(['FERRY_DATA_DIR']);
  });

  it('the Helm chart has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(path.join(chart, '../../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });
});
