/** The engines of this computer and their models, a line each. */
import { printable } from '../../../kernel/printable.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { cutEnd } from '../../core/output/fit-columns.js';
import { formatBytes } from '../../core/output/quantities.js';
import { QUICKSTART_MODEL } from './wait-for-model.js';

type Engine = Schemas['Node']['engines'][number];
type Model = Schemas['Node']['models'][number];

const BUILT_IN = 'llamacpp';
const engineNames: Readonly<Record<string, string>> = {
  [BUILT_IN]: 'built-in',
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  'llama-server': 'llama-server',
  vllm: 'vLLM',
  sglang: 'SGLang',
  localai: 'LocalAI',
  'openai-compatible': 'OpenAI-like',
};

/** @param valueColumn where the second column begins; @param width of the whole line */
export function foundEngines(
  { engines, models }: Pick<Schemas['Node'], 'engines' | 'models'>,
  valueColumn: number,
  width: number,
): string[] {
  const own = (engine: Engine): Model[] => models.filter((model) => model.engine === engine.name);
  return [...engines]
    .sort((one, other) => Number(one.kind === BUILT_IN) - Number(other.kind === BUILT_IN))
    .map((engine) => {
      const label = `    ${labelOf(engine)}`.padEnd(valueColumn - 1);
      return cutEnd(`${label} ${printable(summaryOf(engine, own(engine)))}`, width);
    });
}

/** Engines that were found are called `<kind>@<host>:<port>`. */
function labelOf({ kind, name }: Engine): string {
  const label = engineNames[kind] ?? kind;
  if (name === kind) return printable(label);
  const address = name.startsWith(`${kind}@`) ? name.slice(kind.length + 1) : name;
  return printable(`${label} ${address.replace(/^(?:127\.0\.0\.1|localhost|::1):/, '')}`);
}

function summaryOf({ kind, problem, version }: Engine, models: readonly Model[]): string {
  if (problem !== null) return problem;
  const [first] = models;
  if (first === undefined) {
    return kind === BUILT_IN && version === null ? 'does not run: ferry node doctor says why' : 'no models';
  }
  if (models.length === 1) return `${first.display_name} (${detailsOf(first).join(', ')})`;
  const loaded = models.filter(({ state }) => state === 'loaded').map(({ display_name }) => display_name);
  const loading = models.filter(({ state }) => state === 'loading').map(({ display_name }) => display_name);
  return [
    `${String(models.length)} models, ${loaded.length === 0 ? 'none loaded' : `${String(loaded.length)} loaded: ${loaded.join(', ')}`}`,
    ...(loading.length === 0 ? [] : [`loading: ${loading.join(', ')}`]),
  ].join('; ');
}

const detailsOf = ({ display_name: name, size_bytes: size, state }: Model): string[] => [
  ...(size === null ? [] : [formatBytes(size)]),
  ...(state === 'loaded' && name === QUICKSTART_MODEL ? [] : [state]),
  ...(name === QUICKSTART_MODEL ? ['for trying out'] : []),
];
