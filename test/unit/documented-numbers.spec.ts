/** Amounts in the pages of `docs/` are the defaults of the settings that they name. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { agentSettings } from '../../src/agent/agent-settings.js';
import { withoutUnit, withUnit } from '../../src/kernel/settings/quantity.js';
import { relaySettings } from '../../src/relay/platform/config/relay-settings.js';
import { ATTEMPT_SHARE } from '../../src/relay/platform/database/serving-client.js';
import { repositoryRoot } from '../support/process/ferry-process.js';

const fallbacks = new Map<string, string>(
  [...Object.values(relaySettings), ...Object.values(agentSettings)].flatMap(({ env, fallback }) =>
    fallback === undefined ? [] : [[env, fallback] as const],
  ),
);

/** Decisions are of their day, and the page of the settings is generated. */
const pages = execFileSync('git', ['ls-files', 'docs', 'README.md'], { cwd: repositoryRoot, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.md') && !/decisions\/|operate\/configuration\.md$/.test(file));
const read = (page: string): string => readFileSync(path.join(repositoryRoot, page), 'utf8').replaceAll(/\s+/g, ' ');

const words: Readonly<Record<string, string>> = {
  a: '1',
  an: '1',
  once: '1',
  one: '1',
  two: '2',
  three: '3',
  five: '5',
  seven: '7',
  ten: '10',
  half: '0.5',
};
const symbols: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
};
const NUMBER = String.raw`(?<number>\d[\d,]*(?:\.\d+)?|\b(?:once an?|half an?|${Object.keys(words).join('|')})\b)`;
const UNIT = String.raw`(?:[ -]?(?<unit>ms|s|min|h|d|%|[KMG]iB|(?:second|minute|hour|day)s?)(?![\w]))`;

/** Nearer to the setting than an article, which is none then. */
const LATER = String.raw`\b(?:one|two|three|five|seven|ten)\b`;

/** As the setting would be written; `undefined` for what cannot be an amount of it. */
function amountOf(env: string, { number = '', unit = '' }: Readonly<Record<string, string | undefined>>): string {
  const word = number.split(' ')[0] ?? '';
  const plain = (words[word] ?? word).replaceAll(',', '');
  return withoutUnit(env, `${plain}${symbols[unit.replace(/s$/, '')] ?? unit}`);
}

interface Mention {
  readonly place: string;
  readonly env: string;
  readonly amount: string;
}

const HAS_UNIT = /_(?:MS|BYTES|PERCENT|DAYS|HOURS)$/;

/** `30 s (`NAME`)`, with a few words between them, and `NAME` (30 s): the amount is that of the setting. */
function mentionsIn(page: string): readonly Mention[] {
  const text = read(page);
  const before = new RegExp(
    String.raw`${NUMBER}${UNIT}?(?:(?!${LATER})[^.|;(${'`'}\d]){0,60}\(${'`'}(?<env>FERRY_\w+)${'`'}`,
    'g',
  );
  const after = new RegExp(String.raw`${'`'}(?<env>FERRY_\w+)${'`'}(?:\)? ?\(|, )${NUMBER}${UNIT}?(?=[),])`, 'g');
  return [...text.matchAll(before), ...text.matchAll(after)].flatMap((match) => {
    const groups: Readonly<Record<string, string | undefined>> = match.groups ?? {};
    const { env = '', unit } = groups;
    // Without its unit, it counts something else.
    if (!fallbacks.has(env) || HAS_UNIT.test(env) !== (unit !== undefined)) return [];
    return [{ place: `${page}: ${match[0]}`, env, amount: amountOf(env, groups) }];
  });
}

const mentions = pages.flatMap(mentionsIn);

describe('an amount beside the name of a setting', () => {
  it('an amount beside the name of a setting is found in many pages', () => {
    expect(mentions.length).toBeGreaterThan(25);
    expect(new Set(mentions.map(({ env }) => env)).size).toBeGreaterThan(20);
  });

  it.each(mentions.map((mention) => [mention.place, mention] as const))('is its default in %s', (_place, mention) => {
    const { env, amount } = mention;
    expect(withUnit(env, Number(amount))).toBe(withUnit(env, Number(fallbacks.get(env))));
  });
});

const ms = (setting: { readonly fallback?: string | undefined }, share = 1): string =>
  `${String((Number(setting.fallback) * share) / 1_000)} s`;
const plain = ({ fallback = '' }: { readonly fallback?: string | undefined }): string =>
  Number(fallback).toLocaleString('en');
const { databaseQueryTimeoutMs, databaseConnectTimeoutMs, usageFlushMs, usageBatchRequests, usageQueueRequests } =
  relaySettings;

/** What pages say without the name. `…` stands for the amount. */
const statements: readonly (readonly [page: string, statement: string, amount: string])[] = [
  ['docs/reference/failures.md', 'Query timeout …, statement', ms(databaseQueryTimeoutMs)],
  ['docs/reference/failures.md', 'connect timeout … (an attempt', ms(databaseConnectTimeoutMs)],
  ['docs/reference/failures.md', '(an attempt …)', ms(databaseConnectTimeoutMs, ATTEMPT_SHARE)],
  ['docs/operate/scaling.md', 'queries fail after … with 503', ms(databaseQueryTimeoutMs)],
  ['docs/operate/scaling.md', 'and new connections after …. All', ms(databaseConnectTimeoutMs, ATTEMPT_SHARE)],
  ['docs/guide/usage.md', 'every … or when', `${ms(usageFlushMs).replace(' s', ' seconds')},`],
  ['docs/guide/usage.md', 'or when … wait.', plain(usageBatchRequests)],
  ['docs/guide/usage.md', 'up to … requests wait', plain(usageQueueRequests)],
  ['docs/reference/failures.md', 'fresh …, stale', ms(relaySettings.keyCacheFreshMs)],
];

it.each(statements)('%s says “%s” with the amount of the setting', (page, statement, amount) => {
  expect(read(page)).toContain(statement.replace('…', amount));
});
