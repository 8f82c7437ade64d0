import { identify, type Identification } from '../engines/discovery/identify.js';
import { loopbackTargets } from '../engines/discovery/search-targets.js';
import type { TargetResponse } from '../engines/discovery/target-probe.js';
import type { EngineEntry } from '../engines/engine-entry.js';
import type { EngineContext } from '../engines/engine-kind.js';
import type { FoundBefore } from '../engines/last-known/last-known-models.js';
import { ok, problem, type Finding } from './finding.js';

const GENERIC = 'openai-compatible';

export interface CheckEnginesOptions {
  /** Engines of the engines file, or the defaults without one. */
  readonly entries: readonly EngineEntry[];
  readonly ports: readonly number[];
  /** Whether the node serves discovered engines. */
  readonly discovers: boolean;
  /** Describes how to install the built-in engine; undefined when it is installed. */
  readonly builtInRemedy?: string | undefined;
  /** Engines that the node found, and whose models it still lists. */
  readonly foundBefore?: readonly FoundBefore[];
  readonly get: (base: URL, path: string) => Promise<TargetResponse>;
}

/** One `engine` finding per configured or discovered engine, and an `engines` summary. Uses GETs only, like discovery. */
export async function checkEngines(options: CheckEnginesOptions): Promise<Finding[]> {
  const { entries, ports, discovers, builtInRemedy, foundBefore = [], get } = options;
  const identifyAt = (url: URL): Promise<Identification> => identify((path) => get(url, path));
  const named = entries.flatMap(({ address, kind, namesResident }) =>
    address === undefined ? [] : [{ address, kind, namesResident }],
  );
  const configured = await Promise.all(
    named.map(async ({ address, kind, namesResident }) => {
      const identification = await identifyAt(address);
      const isResidencyKnown =
        namesResident || kind !== GENERIC || identification.seen !== 'engine' || !identification.residencyUnknown;
      return configuredFinding(address, kind, identification, isResidencyKnown);
    }),
  );
  const places = loopbackTargets(
    ports,
    named.map(({ address }) => address),
  );
  const found = await Promise.all(
    places.map(async ({ urls }) => {
      const identifications = await Promise.all(
        urls.map(async (url) => ({ url, identification: await identifyAt(url) })),
      );
      const before = foundBefore.find(({ url: known }) => urls.some((url) => url.href === known));
      const place =
        identifications.find(({ identification }) => identification.seen === 'engine') ?? identifications[0];
      return place === undefined ? [] : foundFinding(place.url, place.identification, discovers, before);
    }),
  );
  const findings = [...configured, ...found.flat()];
  return [summaryOf(findings, entries, ports, builtInRemedy), ...findings];
}

/** @param isResidencyKnown whether it is known which of its models are in memory */
function configuredFinding(
  address: URL,
  kind: string,
  identification: Identification,
  isResidencyKnown: boolean,
): Finding {
  const facts = { address: address.href, configured: true, kind };
  const at = `${kind} at ${address.href}`;
  switch (identification.seen) {
    case 'engine': {
      const summary = `${at}: ${described(identification)}`;
      const all = { ...facts, ...factsOf(identification) };
      return isResidencyKnown ? ok('engine', summary, all) : unknownResidency(summary, all);
    }
    case 'starting':
      return problem('warn', 'engine', `${at} is still starting`, 'wait, then run this again', facts);
    case 'other':
      // With `api_key_env` the node has a credential that is not used here.
      return problem(
        'warn',
        'engine',
        `${at} ${identification.what}`,
        'check base_url and api_key_env in engines.json',
        facts,
      );
    case 'silent':
      return problem('warn', 'engine', `${at} does not answer`, 'if it is not busy, restart it', facts);
    case 'nothing':
      return problem('fail', 'engine', `${at} cannot be reached`, 'start it, or remove it from engines.json', facts);
    default:
      return identification satisfies never;
  }
}

/** Another service on a discovery port is not a finding, unless an engine was found there before. */
function foundFinding(
  url: URL,
  identification: Identification,
  discovers: boolean,
  before: FoundBefore | undefined,
): readonly Finding[] {
  if (identification.seen !== 'engine') return before === undefined ? [] : [awayFinding(before, identification)];
  const facts = { address: url.href, configured: false, ...factsOf(identification) };
  const summary = `${identification.kind} at ${url.href}: ${described(identification)}`;
  if (discovers)
    return [identification.residencyUnknown ? unknownResidency(summary, facts) : ok('engine', summary, facts)];
  return [
    problem('warn', 'engine', `${summary}; not served`, 'add it to engines.json, or set "discover": true', facts),
  ];
}

const unknownResidency = (summary: string, facts: Finding['facts']): Finding =>
  problem(
    'warn',
    'engine',
    `${summary}; it does not say which are in memory, so none is served`,
    'name them in "resident" of this engine in engines.json ("all", or a list)',
    facts,
  );

function awayFinding({ kind, url, models }: FoundBefore, { seen }: Identification): Finding {
  const facts = { address: url, configured: false, kind, reason: 'engine_unreachable', last_known_models: models };
  if (seen === 'starting') return problem('warn', 'engine', `${kind} at ${url} is still starting`, 'wait', facts);
  const kept = `${models} ${models === 1 ? 'model stays' : 'models stay'} listed as not loaded`;
  return problem('warn', 'engine', `${kind} at ${url} does not answer; ${kept}`, 'restart it', facts);
}

function summaryOf(
  findings: readonly Finding[],
  entries: readonly EngineEntry[],
  ports: readonly number[],
  builtInRemedy: string | undefined,
): Finding {
  const builtIn = entries.some(({ kind }) => kind === 'llamacpp');
  const there = findings.filter(({ facts }) => 'models' in facts).length;
  const facts = { ports_tried: ports, built_in: builtIn, engines: there };
  const summary = `${there} found${builtIn ? ', besides the built-in engine' : ''}; ports tried: ${ports.join(', ')}`;
  if (there > 0 || builtIn) return ok('engines', summary, facts);
  const orBuiltIn = builtInRemedy === undefined ? '' : `; for the built-in engine ${builtInRemedy}`;
  const next = `start Ollama, LM Studio or llama-server, or write engines.json${orBuiltIn}`;
  return problem('warn', 'engines', summary, next, facts);
}

interface CheckedEntries {
  /** `engine_files`, one for each thing that is missing or broken on this computer. */
  readonly findings: readonly Finding[];
  /** Entries whose files are complete enough to serve something. */
  readonly usable: readonly EngineEntry[];
}

/** Checks what the engines need on this computer: packages, directories and model files. */
export async function checkEntries(entries: readonly EngineEntry[], context: EngineContext): Promise<CheckedEntries> {
  const checked = await Promise.all(entries.map(async (entry) => ({ entry, problems: await entry.check(context) })));
  return {
    findings: checked.flatMap(({ entry: { kind, name }, problems }) =>
      problems.map(({ summary, next }) => problem('fail', 'engine_files', summary, next, { kind, name: name ?? kind })),
    ),
    usable: checked
      .filter(({ problems }) => problems.every(({ stopsEngine }) => !stopsEngine))
      .map(({ entry }) => entry),
  };
}

type Engine = Extract<Identification, { seen: 'engine' }>;

const described = ({ version, models }: Engine): string =>
  `${version === null ? '' : `version ${version}, `}${models} ${models === 1 ? 'model' : 'models'}`;

const factsOf = ({ kind, version, models }: Engine): Finding['facts'] => ({ kind, version, models });
