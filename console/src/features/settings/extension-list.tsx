import { Skeleton, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { ErrorPanel } from '../../components/error-panel';
import { FormError } from '../../components/form-error';
import { TextWithCode } from '../../components/text-with-code';
import { SettingsSection } from './settings-section';
import classes from './settings.module.css';
import { extensionsQuery, type Extension } from './settings-queries';

/** Only an owner switches extensions. */
export function ExtensionList() {
  const { data, error, refetch } = useQuery(extensionsQuery);
  return (
    <SettingsSection
      id="extensions"
      title="Extensions"
      about="Optional parts of the public API of this account. Turn one on when a program needs it."
    >
      {error !== null && (
        <ErrorPanel error={error} title="The extensions could not be loaded" onRetry={() => void refetch()} />
      )}
      {data === undefined
        ? error === null && <Skeleton height={160} role="status" aria-label="Loading" />
        : data.map((extension) => <ExtensionSwitch key={extension.name} {...extension} />)}
    </SettingsSection>
  );
}

/** As headings; the API and the command line use the short names. */
const titles: Readonly<Record<string, string>> = {
  'x-api-key': 'API key in x-api-key',
  'json-errors': 'JSON errors',
  'model-by-id': 'Model by id',
  'count-tokens': 'Token counting',
  embeddings: 'Embeddings',
  rerank: 'Rerank',
};

function ExtensionSwitch({ name, enabled, summary, gains }: Extension) {
  const change = useMutation({
    mutationFn: (on: boolean) =>
      bodyOf(
        api.PATCH('/api/extensions/{extension}', { params: { path: { extension: name } }, body: { enabled: on } }),
      ),
    onSuccess(changed) {
      queryClient.setQueryData(extensionsQuery.queryKey, (all) =>
        all?.map((extension) => (extension.name === changed.name ? changed : extension)),
      );
    },
  });
  return (
    <div className={classes.extension}>
      <Switch
        label={titles[name] ?? name}
        description={
          <>
            <TextWithCode text={summary} />
            <span className={classes.gains}>
              <span className={classes.name}>Needed by:</span> <TextWithCode text={gains} />
            </span>
          </>
        }
        checked={enabled}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      <FormError error={change.error} fields={[]} />
    </div>
  );
}
