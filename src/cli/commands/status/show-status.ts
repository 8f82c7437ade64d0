import { configDirectory, dataDirectory } from '../../../kernel/data-directory.js';
import { connect } from '../../core/api/connect.js';
import { knownConnection, notSignedIn, type KnownConnection, type Sourced } from '../../core/api/find-connection.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData } from '../../core/output/print-data.js';
import { drawMark, renderTable, type Mark } from '../../core/output/table.js';
import type { Terminal } from '../../core/output/terminal.js';
import { printable } from '../../../kernel/printable.js';
import type { SourcedValue, Status } from './status.shape.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** Prints what is known before it fails. @throws CliError unreachable (3), not signed in (4) */
export async function showStatus(invocation: Invocation): Promise<void> {
  const known = await knownConnection(invocation);
  const { who, failure } = await queryRelay(known);
  const status = statusOf(invocation, known, who, failure);
  const { terminal } = invocation;
  await printData(invocation, status, () => {
    terminal.print(headlineOf(status, terminal));
    terminal.print('');
    terminal.print(renderFacts(factsOf(status), terminal.stdoutColors));
    terminal.print('');
    terminal.print(renderTable(columns, Object.entries(status.settings), terminal.stdoutColors, terminal.columns));
  });
  if (failure !== undefined) throw failure;
}

interface StatusSources {
  readonly who?: Schemas['WhoAmI'];
  readonly failure?: CliError;
}

async function queryRelay({ baseUrl, token, signedInTo }: KnownConnection): Promise<StatusSources> {
  if (baseUrl === undefined) return { failure: notSignedIn('not signed in to any relay') };
  const api = new ManagementApi({ baseUrl: baseUrl.value, token: token?.value });
  try {
    return { who: await api.get('/api/whoami') };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const elsewhere = signedInTo === undefined ? '' : ` (but to ${signedInTo})`;
    const none = token === undefined && error.exitCode === exitCodes.notSignedIn;
    return { failure: none ? notSignedIn(`not signed in to ${baseUrl.value}${elsewhere}`, baseUrl.value) : error };
  }
}

function statusOf(
  { env, global }: Invocation,
  known: KnownConnection,
  who: Schemas['WhoAmI'] | undefined,
  failure: CliError | undefined,
): Status {
  const silent = known.baseUrl === undefined || failure?.exitCode === exitCodes.unreachable;
  return {
    object: 'status',
    relay: { reachable: !silent, version: who?.service.version ?? null, problem: failure?.message ?? null },
    signed_in: who !== undefined,
    account_id: who?.account_id ?? null,
    user: who?.user?.email ?? null,
    role: who?.role ?? null,
    settings: {
      profile: known.profile,
      base_url: known.baseUrl ?? unset,
      token: masked(known.token),
      api_key: masked(known.apiKey),
      data_dir:
        global.dataDir === undefined
          ? directory(dataDirectory(env), 'FERRY_DATA_DIR', env['FERRY_DATA_DIR'])
          : { value: dataDirectory(env), source: 'flag', from: '--data-dir' },
      config_dir: directory(configDirectory(env), 'FERRY_CONFIG_DIR', env['FERRY_CONFIG_DIR']),
      output: {
        value: global.output,
        source: global.output === 'table' ? 'default' : 'flag',
        from: global.output === 'table' ? null : '--output',
      },
    },
  };
}

/** Most people only need this line: whether it is worth looking any further. */
function headlineOf({ relay, signed_in: signedIn, settings }: Status, { columns, stdoutColors }: Terminal): string {
  const url = settings.base_url.value;
  const version = relay.version === null ? '' : ` (Ferry ${relay.version})`;
  const [mark, text]: readonly [Mark, string] =
    url === null
      ? ['off', 'No relay is known: ferry up starts one here, ferry login URL signs in to one']
      : !relay.reachable
        ? ['failed', `The relay does not answer: ${url}`]
        : signedIn
          ? ['serving', `The relay answers: ${url}${version}`]
          : ['attention', `The relay answers, and does not know you: ${url}`];
  return columns === undefined ? printable(text) : `${drawMark(mark, stdoutColors)} ${printable(text)}`;
}

const unset: SourcedValue = { value: null, source: 'default', from: null };

const masked = (secret: Sourced<string> | undefined): SourcedValue =>
  secret === undefined ? unset : { ...secret, value: `…${secret.value.slice(-4)}` };

const directory = (value: string, variable: string, set: string | undefined): SourcedValue =>
  set === undefined ? { value, source: 'default', from: null } : { value, source: 'environment', from: variable };

const columns = [
  { heading: 'SETTING', value: ([name]: readonly [string, SourcedValue]) => name, whole: true },
  { heading: 'VALUE', value: ([, { value }]: readonly [string, SourcedValue]) => value ?? '' },
  { heading: 'SOURCE', value: ([, { source }]: readonly [string, SourcedValue]) => source, whole: true },
  { heading: 'FROM', value: ([, { from }]: readonly [string, SourcedValue]) => from ?? '' },
] as const;

const factsOf = (status: Status): [string, string | null][] => [
  ['Relay', status.settings.base_url.value],
  ['Reachable', status.relay.reachable ? 'yes' : 'no'],
  ['Version', status.relay.version],
  ['Signed in', signedInText(status)],
  ['Account', status.account_id],
  ['User', status.signed_in && status.user === null ? 'none: this is the token of the relay' : status.user],
  ['Role', status.role],
];

/** Only a relay that answers knows whether a token is good. */
function signedInText({ relay, signed_in: signedIn, settings }: Status): string {
  if (signedIn) return 'yes';
  return relay.reachable || settings.token.value === null ? 'no' : 'not known: the relay does not answer';
}

export async function showWhoAmI(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const who = await api.get('/api/whoami');
  const { terminal } = invocation;
  await printData(invocation, who, () => {
    const facts = [
      ['Account', who.account_id],
      ['User', who.user?.email ?? 'none: this is the token of the relay'],
      ['Role', who.role],
      [
        'Credential',
        `${who.credential.name} (${who.credential.kind === 'cli_token' ? 'CLI token' : who.credential.kind} ${who.credential.id})`,
      ],
      ['Relay', `${who.service.name} ${who.service.version}`],
    ] as const;
    terminal.print(renderFacts(facts, terminal.stdoutColors));
  });
}
