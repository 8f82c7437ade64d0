import { Badge, Button, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../../api/client';
import { ErrorPanel } from '../../../components/error-panel';
import { FilterField } from '../../../components/filter-field';
import { fit, type Fit } from '../../../components/fits';
import { bytes, shortCount } from '../../../components/format';
import { FitText } from '../../../components/model-actions/fit-text';
import type { Node } from '../../../components/node-facts';
import { RelativeTime } from '../../../components/relative-time';
import { TableSkeleton } from '../../../components/table-skeleton';
import classes from '../models.module.css';

interface HubSearchProps {
  readonly node: Node;
  readonly pending: boolean;
  readonly onInstall: (source: string) => void;
}

/** What the hub has does not change while a dialog is open. */
const STALE_MS = 600_000;

export function HubSearch({ node, pending, onInstall }: HubSearchProps) {
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const [repository, setRepository] = useState<string | null>(null);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['catalog', 'search', text],
    queryFn: () => bodyOf(api.GET('/api/catalog', { params: { query: { source: 'hf', q: text } } })),
    enabled: text.trim() !== '',
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
  if (repository !== null) {
    return (
      <RepositoryFiles
        id={repository}
        node={node}
        pending={pending}
        onInstall={onInstall}
        onBack={() => setRepository(null)}
      />
    );
  }
  return (
    <div className={classes.sheet}>
      <FilterField label="Search Hugging Face" value={typed} onType={setTyped} onSettle={setText} />
      {error !== null && <ErrorPanel title="The search failed" error={error} onRetry={() => void refetch()} />}
      {data === undefined && isFetching && <TableSkeleton rows={4} />}
      {data !== undefined && text.trim() !== '' && error === null && (
        <ul className={classes.results} aria-busy={isFetching} aria-label="Repositories">
          {data.data.map(({ id, downloads, gated, updated }) => (
            <li key={id}>
              <UnstyledButton className={classes.result} onClick={() => setRepository(id)}>
                <span>{id}</span>
                <span className={classes.numbers}>
                  {gated && (
                    <Badge size="xs" variant="outline" color="yellow">
                      gated
                    </Badge>
                  )}
                  <span>{shortCount(downloads)} downloads</span>
                  <RelativeTime at={updated} none="" />
                </span>
              </UnstyledButton>
            </li>
          ))}
          {data.data.length === 0 && <li className={classes.result}>Nothing was found.</li>}
        </ul>
      )}
    </div>
  );
}

const fitTexts: Readonly<Record<Fit, string>> = {
  fits: 'fits',
  fits_in_part: 'fits in part, slower',
  fits_when_free: 'fits when memory is free',
  does_not_fit: 'does not fit',
  unknown: '',
};

interface RepositoryFilesProps extends HubSearchProps {
  readonly id: string;
  readonly onBack: () => void;
}

/** The quantizations of one repository, with what fits into the memory of the computer. */
function RepositoryFiles({ id, node, pending, onInstall, onBack }: RepositoryFilesProps) {
  const [owner = '', repository = ''] = id.split('/');
  const { data, error, refetch } = useQuery({
    queryKey: ['catalog', 'repository', id],
    queryFn: () => bodyOf(api.GET('/api/catalog/hf/{owner}/{repository}', { params: { path: { owner, repository } } })),
    staleTime: STALE_MS,
  });
  return (
    <div className={classes.sheet}>
      <div className={classes.sliderHead}>
        <strong>{id}</strong>
        <Button size="compact-xs" variant="default" onClick={onBack}>
          Back to the search
        </Button>
      </div>
      {data?.gated === true && (
        <p className={classes.quiet}>Its owner admits people one by one: the computer needs a token in HF_TOKEN.</p>
      )}
      {error !== null && (
        <ErrorPanel title="Its files could not be listed" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <TableSkeleton rows={4} />}
      {data !== undefined && (
        <ul className={classes.results} aria-label="Files">
          {data.files.map(({ path, source, quantization, size_bytes }) => {
            const verdict = fit(size_bytes, node);
            return (
              <li key={path} className={classes.result}>
                <span title={path}>{quantization ?? path}</span>
                <span className={classes.numbers}>
                  <FitText fit={verdict}>{fitTexts[verdict]}</FitText>
                  <span>{bytes(size_bytes)}</span>
                  <Button
                    size="compact-xs"
                    variant="default"
                    disabled={source === null || pending}
                    title={source === null ? 'A file in several parts is not installed' : path}
                    onClick={() => source !== null && onInstall(source)}
                    aria-label={`Install ${quantization ?? path}`}
                  >
                    Install
                  </Button>
                </span>
              </li>
            );
          })}
          {data.files.length === 0 && <li className={classes.result}>It has no GGUF files.</li>}
        </ul>
      )}
    </div>
  );
}
