import { Skeleton, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { ErrorPanel } from '../../components/error-panel';
import { FormError } from '../../components/form-error';
import classes from './settings.module.css';
import { extensionsQuery, type Extension } from './settings-queries';

/** Only an owner switches extensions. */
export function ExtensionList() {
  const { data, error, refetch } = useQuery(extensionsQuery);
  return (
    <section className={classes.section} aria-labelledby="extensions">
      <h2 className={classes.heading} id="extensions">
        Extensions
      </h2>
      <p className={classes.about}>
        What the public API of this account has beyond its contract. Off unless a program needs it.
      </p>
      {error !== null && (
        <ErrorPanel error={error} title="The extensions could not be loaded" onRetry={() => void refetch()} />
      )}
      {data === undefined
        ? error === null && <Skeleton height={160} role="status" aria-label="Loading" />
        : data.map((extension) => <ExtensionSwitch key={extension.name} {...extension} />)}
    </section>
  );
}

const plain = (text: string): string => text.replaceAll('`', '');

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
        label={name}
        description={
          <>
            {plain(summary)}
            <br />
            For {plain(gains)}
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
