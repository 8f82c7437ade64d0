import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Invocation } from '../../invocation.js';
import { choose } from './choose.js';
import type { HubName } from './find-model.js';

type File = Schemas['CatalogFile'];

/** A file of a repository: the named one, the one of that quantization, or the one that the user picks. */
export async function chooseFile(
  { terminal }: Invocation,
  api: ManagementApi,
  { owner, repository, quantization, file }: HubName,
  name: string,
): Promise<{ readonly repository: string; readonly file: File }> {
  const path = `/api/catalog/hf/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}`;
  const { id, files } = await api.get<Schemas['CatalogRepository']>(path, `ferry models search ${repository}`);
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
