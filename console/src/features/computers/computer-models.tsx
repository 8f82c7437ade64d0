import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { operationsQuery } from '../../api/queries';
import { usePermission } from '../../api/use-permission';
import { DataTable } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { LinkButton } from '../../components/link-button';
import { ModelDialogs, useModelDialogs } from '../../components/model-actions/model-dialogs';
import { fitOfPlace, isReadyToChat, placer, type Placement } from '../../components/model-actions/placement';
import { hasStarters, StarterShelf } from '../../components/model-actions/starter-shelf';
import { useBusyPlaces } from '../../components/model-actions/use-busy-places';
import { isLoadable, type Node, type NodeModel } from '../../components/node-facts';
import { compareValues } from '../../components/sort-rows';
import { modelColumns } from './computer-model-columns';
import classes from './computers.module.css';

/** Models of one computer, and what can be done with them. */
export function ComputerModels({ node }: { readonly node: Node }) {
  const { data: operations = [] } = useQuery(operationsQuery);
  const placeOf = placer(operations);
  const mayManage = usePermission('operations:write');
  const { doing, actions, close } = useModelDialogs();
  // Rows of one state stay in this order.
  const models = useMemo(() => node.models.toSorted(byName), [node.models]);
  const places = models.map((model) => placeOf(node, model));
  // Progress and "does not fit: 44 of 22 GB" are sentences. A failure has a line of its own.
  const hasSentences = places.some(
    (place) =>
      place.operation !== undefined ||
      (place.failure === undefined && isLoadable(place.model) && fitOfPlace(place).text !== ''),
  );
  const busy = useBusyPlaces(places.filter(isLoaded));
  const canChat = places.some(isReadyToChat);
  const columns = modelColumns({
    node,
    placeOf,
    hasSentences,
    hasActions: mayManage || canChat,
    mayManage,
    busy,
    ...actions,
  });
  if (!node.online && models.length === 0) {
    return (
      <section className={classes.section} aria-labelledby="models">
        <h2 id="models" className={classes.sectionTitle}>
          Models
        </h2>
        <p className={classes.note}>This computer’s models appear when it is online.</p>
      </section>
    );
  }
  return (
    <section className={classes.section} aria-labelledby="models">
      <h2 id="models" className={classes.sectionTitle}>
        Models
      </h2>
      <div className={classes.models}>
        <DataTable
          label="Models of this computer"
          prefix="m"
          rows={models}
          columns={columns}
          rowKey={({ key }) => key}
          initialSort="state"
          {...(node.models.length > 10 && {
            filterText: ({ display_name, key }: NodeModel) => `${display_name} ${key}`,
          })}
          empty={
            <EmptyState
              title="No models yet"
              action={
                <LinkButton to="/models" search={{ install: '1', node: node.node_id }}>
                  Install a model
                </LinkButton>
              }
            >
              Models of its engines appear here by themselves.
            </EmptyState>
          }
        />
      </div>
      <ModelDialogs doing={doing} onClose={close} />
      {mayManage && node.online && hasStarters(node) && (
        <details className={classes.starters} open={node.models.length === 0}>
          <summary>Recommended models</summary>
          <StarterShelf node={node} />
        </details>
      )}
    </section>
  );
}

const isLoaded = ({ model }: Placement): boolean => model.state === 'loaded';

const byName = (one: NodeModel, other: NodeModel): number => compareValues(one.display_name, other.display_name);
