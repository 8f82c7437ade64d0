import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useStartOperation } from '../../api/use-operations';
import { CopyId } from '../../components/copy-id';
import { ErrorPanel } from '../../components/error-panel';
import { deviceText, engineName, modelMemoryText, modelState } from '../../components/node-facts';
import { OperationProgress } from '../../components/operation-progress';
import { StateDot } from '../../components/state-dot';
import type { ModelRow, Placement } from './model-rows';
import classes from './models.module.css';

interface ModelPlacesProps {
  readonly row: ModelRow;
  readonly mayManage: boolean;
  readonly onLoad: (place: Placement) => void;
  readonly onRemove: (place: Placement) => void;
}

/** What an unfolded row shows: the names for requests, and one line per computer with what can be done there. */
export function ModelPlaces({ row, mayManage, onLoad, onRemove }: ModelPlacesProps) {
  return (
    <div className={classes.places}>
      <dl className={classes.names}>
        <dt>Id</dt>
        <dd>
          <CopyId id={row.id} label="model id" whole />
        </dd>
        <dt>Selector</dt>
        <dd>
          <CopyId id={row.selector} label="selector" whole />
        </dd>
      </dl>
      <ul className={classes.list}>
        {row.placements.map((place) => (
          <li key={`${place.node.node_id} ${place.model.key}`}>
            <Place place={place} mayManage={mayManage} onLoad={onLoad} onRemove={onRemove} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Place({ place, mayManage, onLoad, onRemove }: Omit<ModelPlacesProps, 'row'> & { readonly place: Placement }) {
  const { node, model, operation } = place;
  const unload = useStartOperation();
  const kind = node.engines.find(({ name }) => name === model.engine)?.kind ?? model.engine;
  const idle = operation === undefined && model.reason === null;
  return (
    <div className={classes.place}>
      <Link to="/computers/$nodeId" params={{ nodeId: node.node_id }} className={classes.where}>
        {node.name}
      </Link>
      <span className={classes.quiet}>
        {[engineName(kind), deviceText(model), modelMemoryText(model)].filter(Boolean).join(' · ')}
      </span>
      <code className={classes.key}>{model.key}</code>
      <span className={classes.state}>
        {operation === undefined ? <StateDot {...modelState(model)} /> : <OperationProgress operation={operation} />}
        {model.health !== 'healthy' && <span className={classes.warning}>requests fail here</span>}
      </span>
      {mayManage && idle && (
        <span className={classes.actions}>
          {(model.state === 'installed' || model.state === 'failed') && (
            <>
              <Button size="compact-xs" variant="default" onClick={() => onLoad(place)}>
                Load
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => onRemove(place)}>
                Remove
              </Button>
            </>
          )}
          {model.state === 'loaded' && (
            <Button
              size="compact-xs"
              variant="default"
              loading={unload.isPending}
              onClick={() =>
                unload.mutate({ kind: 'unload', node_id: node.node_id, model: model.key, engine: model.engine })
              }
            >
              Unload
            </Button>
          )}
        </span>
      )}
      {unload.error !== null && <ErrorPanel title="It could not be unloaded" error={unload.error} />}
    </div>
  );
}
