import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { nodesQuery, operationsQuery, whoAmIQuery } from '../../api/queries';
import { ErrorPanel } from '../../components/error-panel';
import { ProgressBar } from '../../components/meter';
import classes from './load-offer.module.css';
import { nodesWith, type ModelChoice } from './model-choice';

interface LoadOfferProps {
  readonly model: ModelChoice;
  readonly cluster: string | undefined;
}

/** A model that is installed but not loaded: where it can be loaded, and how far that is. */
export function LoadOffer({ model, cluster }: LoadOfferProps) {
  const queries = useQueryClient();
  const { data: nodes = [] } = useQuery(nodesQuery);
  const { data: operations = [] } = useQuery(operationsQuery);
  const { data: me } = useQuery(whoAmIQuery);
  const mayLoad = me !== undefined && me.role !== 'member';
  const places = nodesWith(nodes, model.selector, cluster);
  const load = useMutation({
    mutationFn: (nodeId: string) =>
      bodyOf(api.POST('/api/operations', { body: { kind: 'load', model: model.selector, node_id: nodeId } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operations'] }),
  });
  const ids = new Set(places.map(({ node_id }) => node_id));
  const own = operations.filter(
    ({ kind, node_id, model: name }) => kind === 'load' && ids.has(node_id) && name === model.id,
  );
  const running = own.find(({ state }) => state === 'queued' || state === 'running');
  const failed = running === undefined && own[0]?.state === 'failed' ? own[0].failure : null;
  return (
    <div className={classes.offer}>
      {running === undefined ? (
        <>
          <p>
            <strong>{model.id}</strong> is installed, but not loaded.
            {places.length === 0 && ' No computer that has it is online.'}
            {!mayLoad && ' An administrator of the account can load it.'}
          </p>
          {(mayLoad ? places : []).map(({ node_id, name }) => (
            <Button key={node_id} size="compact-sm" loading={load.isPending} onClick={() => load.mutate(node_id)}>
              Load on {name}
            </Button>
          ))}
        </>
      ) : (
        <>
          <p>
            Loading <strong>{model.id}</strong> on {running.node_name}…
          </p>
          <ProgressBar
            label={`Loading ${model.id}`}
            share={
              running.completed_bytes !== null && running.total_bytes
                ? running.completed_bytes / running.total_bytes
                : null
            }
          />
        </>
      )}
      {load.error !== null && <ErrorPanel error={load.error} />}
      {failed !== null && <p className={classes.failed}>Loading failed: {failed.message}</p>}
    </div>
  );
}
