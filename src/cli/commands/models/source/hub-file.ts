/** Files of repositories on Hugging Face. */
import type { ManagementApi } from '../../../core/api/management-api.js';
import type { Schemas } from '../../../core/api/management-api.types.js';
import { CliError } from '../../../core/errors/cli-error.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';
import { formatBytes } from '../../../core/output/quantities.js';
import type { Invocation } from '../../../invocation.js';
import { choose } from '../../../core/output/choose.js';

type File = Schemas['CatalogFile'];

/** A repository on Hugging Face: `hf:owner/repo`, `hf:owner/repo:Q4_K_M`, `hf:owner/repo/file.gguf`. */
export interface HubName {
  readonly owner: string;
  readonly repository: string;
  readonly quantization: string | undefined;
  readonly file: string | undefined;
}

const HUB_NAME = /^hf:([\w.-]+)\/([\w.-]+)(?::([\w.-]+))?(?:\/(.+\.gguf))?$/i;
/** The page of a repository, as it is copied from a browser. */
const HUB_PAGE = /^https:\/\/huggingface\.co\/([\w.-]+)\/([\w.-]+)(?:[:@]([\w.-]+))?\/?$/i;

export function parseHubName(name: string): HubName | undefined {
  const found = HUB_NAME.exec(name) ?? HUB_PAGE.exec(name);
  if (found === null) return undefined;
  const [, owner = '', repository = '', quantization, file] = found;
  return { owner, repository, quantization, file };
}

/** The engine's name of a file on Hugging Face; undefined when the engine cannot install it. */
export function hubSource(
  kind: string,
  id: string,
  { source, quantization }: Pick<Schemas['CatalogFile'], 'source' | 'quantization'>,
): string | undefined {
  switch (kind) {
    case 'llamacpp':
      return source ?? undefined;
    case 'ollama':
      return quantization === null ? undefined : `hf.co/${id}:${quantization}`;
    case 'lmstudio':
      return quantization === null ? undefined : `https://huggingface.co/${id}@${quantization}`;
    case 'llama-server':
      return quantization === null ? undefined : `${id}:${quantization}`;
    default:
      return undefined;
  }
}

/** A file of a repository: the named one, the one of that quantization, or the one that the user picks. */
export async function chooseFile(
  { terminal }: Invocation,
  api: ManagementApi,
  { owner, repository, quantization, file }: HubName,
  name: string,
): Promise<{ readonly repository: string; readonly file: File }> {
  const { id, files } = await api.get('/api/catalog/hf/{owner}/{repository}', {
    path: { owner, repository },
    whenMissing: `ferry models search ${repository}`,
  });
  const wanted = files.filter(
    (candidate) =>
      (file === undefined ? candidate.source !== null : candidate.path === file) &&
      (quantization === undefined || candidate.quantization?.toLowerCase() === quantization.toLowerCase()),
  );
  if (wanted.length === 0) {
    const known = [...new Set(files.map((candidate) => candidate.quantization ?? candidate.path))].join(', ');
    throw new CliError('model_not_found', exitCodes.notFound, `${id} has no such file`, {
      hint: known === '' ? 'it has no GGUF files that nodes could install' : `one of: ${known}`,
    });
  }
  const picked = await choose(terminal, wanted, {
    question: `${name} · ${String(wanted.length)} files`,
    label: (candidate) => (candidate.quantization === null ? candidate.path : `hf:${id}:${candidate.quantization}`),
    hint: ({ size_bytes, path: inRepository }) =>
      size_bytes === null ? inRepository : `${formatBytes(size_bytes)} · ${inRepository}`,
  });
  return { repository: id, file: picked };
}
