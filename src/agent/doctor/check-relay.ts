/** Checks the path to the relay step by step; the first failing step is the one to repair. */
import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import { request, type Dispatcher } from 'undici';
import { isJsonObject, parseJson } from '../../kernel/json-object.js';
import type { Clock } from '../../kernel/clock.js';
import { networkFailure } from '../connection/network-failure.js';
import { addressText, relayPath } from '../connection/relay-address.js';
import { checkCertificate } from './check-certificate.js';
import { ok, problem, type Finding } from './finding.js';
import { hostOf, opened, portOf, STEP_TIMEOUT_MS } from './opened-socket.js';

const ROUND_TRIPS = 3;
const RESPONSE_LIMIT_CHARACTERS = 10_000;

interface CheckRelayOptions {
  readonly relay: URL;
  readonly dispatcher: Dispatcher;
  readonly ca: string[] | undefined;
  /** Set when a proxy makes the connection: then DNS, TCP and TLS are not checked from here. */
  readonly proxyHost: string | undefined;
  readonly userAgent: string;
  readonly clock: Clock;
}

/** `relay_dns`, `relay_tcp`, `relay_tls`, `relay_http`, `relay_version` and `clock`, up to the first failure. */
export async function checkRelay(options: CheckRelayOptions): Promise<Finding[]> {
  const { proxyHost } = options;
  const findings: Finding[] = [];
  for (const step of proxyHost === undefined ? [checkDns, checkTcp, checkTls] : []) {
    const finding = await step(options);
    if (finding !== undefined) findings.push(finding);
    if (finding?.verdict === 'fail') return findings;
  }
  return [...findings, ...(await checkHttp(options))];
}

async function checkDns({ relay }: CheckRelayOptions): Promise<Finding | undefined> {
  const host = hostOf(relay);
  if (isIP(host) !== 0) return undefined;
  try {
    const addresses = (await lookup(host, { all: true })).map(({ address }) => address);
    return ok('relay_dns', `${host} is ${addresses.join(', ')}`, { host, addresses });
  } catch (error) {
    const next = `check the name of the relay (${addressText(relay)}) and this computer's network`;
    return problem('fail', 'relay_dns', `${host} is not known (${networkFailure(error)})`, next, { host });
  }
}

async function checkTcp({ relay }: CheckRelayOptions): Promise<Finding> {
  const [host, port] = [hostOf(relay), portOf(relay)];
  const facts = { host, port };
  try {
    await opened(connectTcp({ host, port }), 'connect');
    return ok('relay_tcp', `port ${port} is open`, facts);
  } catch (error) {
    const next = 'check that the relay is running, and any firewalls in between';
    return problem(
      'fail',
      'relay_tcp',
      `no connection to ${host}, port ${port} (${networkFailure(error)})`,
      next,
      facts,
    );
  }
}

const checkTls = async ({ relay, ca }: CheckRelayOptions): Promise<Finding | undefined> =>
  relay.protocol === 'https:' ? checkCertificate(relay, ca) : undefined;

interface RelayResponse {
  readonly status: number;
  readonly date: string | undefined;
  /** Set only by a redirection. */
  readonly location: string | undefined;
  readonly text: string;
  readonly roundTripMs: number;
  /** This computer's time at the middle of the round trip. */
  readonly wallMs: number;
}

async function checkHttp(options: CheckRelayOptions): Promise<Finding[]> {
  const { relay, proxyHost } = options;
  const way = proxyHost === undefined ? '' : ` through the proxy ${proxyHost}`;
  const responses: RelayResponse[] = [];
  try {
    for (let index = 0; index < ROUND_TRIPS; index += 1) responses.push(await get(options, '/livez'));
  } catch (error) {
    const summary = `no answer from ${addressText(relay)}${way} (${networkFailure(error)})`;
    return [problem('fail', 'relay_http', summary, 'check the address of the relay, and that it is running')];
  }
  const last = responses.at(-1);
  if (last?.location !== undefined) return [redirected(relay, last.location)];
  if (last?.status !== 200) {
    const summary = `${addressText(relay)}${way} answers ${last?.status ?? 'nothing'} to /livez`;
    return [
      problem(
        'fail',
        'relay_http',
        summary,
        'check that the address is that of a Ferry relay, and that its proxy forwards /livez',
      ),
    ];
  }
  const roundTripMs = Math.round(Math.min(...responses.map((response) => response.roundTripMs)) * 10) / 10;
  const facts = { relay_url: addressText(relay), round_trip_ms: roundTripMs, proxy: proxyHost ?? null };
  return [
    ok('relay_http', `${addressText(relay)} is alive${way}, round trip ${roundTripMs} ms`, facts),
    ...(await checkVersion(options)),
    checkClock(last),
  ];
}

function redirected(relay: URL, location: string): Finding {
  const target = URL.canParse(location, relay.href) ? new URL(location, relay.href) : undefined;
  const origin = target === undefined ? 'another address' : target.origin;
  const next = `use the address that it redirects to: ${origin}`;
  return problem('fail', 'relay_http', `${addressText(relay)} redirects to ${origin}`, next, { location: origin });
}

/** Older relays do not report their version; that is not a problem. */
async function checkVersion(options: CheckRelayOptions): Promise<Finding[]> {
  try {
    const { status, text } = await get(options, '/agent/version.json');
    const value = status === 200 ? parseJson(text) : undefined;
    const version = isJsonObject(value) ? value['version'] : undefined;
    if (typeof version !== 'string') return [];
    return [ok('relay_version', `the relay is version ${version.slice(0, 100)}`, { relay_version: version })];
  } catch {
    return [];
  }
}

/** Only matters for comparing logs of two computers. The Date header has a resolution of one second. */
const CLOCK_TOLERANCE_SECONDS = 60;

export function checkClock({ date, wallMs }: Pick<RelayResponse, 'date' | 'wallMs'>): Finding {
  const theirs = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirs)) return ok('clock', 'the relay does not report its time', { difference_seconds: null });
  const difference = Math.round((wallMs - theirs) / 1_000);
  const facts = { difference_seconds: difference };
  const amount = `${Math.abs(difference)} s ${difference < 0 ? 'behind' : 'ahead of'} the relay`;
  if (Math.abs(difference) <= CLOCK_TOLERANCE_SECONDS)
    return ok('clock', `${Math.abs(difference)} s difference from the relay`, facts);
  return problem(
    'warn',
    'clock',
    `this computer's clock is ${amount}`,
    'synchronize the clocks of both computers (NTP)',
    facts,
  );
}

async function get({ relay, dispatcher, userAgent, clock }: CheckRelayOptions, path: string): Promise<RelayResponse> {
  const startedMs = clock.monotonicMs();
  const startedWallMs = clock.wallMs();
  const { statusCode, headers, body } = await request(relayPath(relay, path), {
    dispatcher,
    headers: { accept: 'application/json', 'user-agent': userAgent },
    signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
  });
  const roundTripMs = clock.monotonicMs() - startedMs;
  const text = (await body.text()).slice(0, RESPONSE_LIMIT_CHARACTERS);
  const { date, location } = headers;
  return {
    status: statusCode,
    location:
      statusCode >= 300 && statusCode < 400 && typeof location === 'string' ? location.slice(0, 1_000) : undefined,
    date: typeof date === 'string' ? date : undefined,
    text,
    roundTripMs,
    wallMs: startedWallMs + roundTripMs / 2,
  };
}
