import { Link } from '@tanstack/react-router';
import { CopyId } from '../../components/copy-id';
import { deviceText, engineTitle, modelMemoryText } from '../../components/node-facts';
import { OperationFailure } from '../../components/operation-failure';
import { OperationProgress } from '../../components/operation-progress';
import { StateDot } from '../../components/state-dot';
import { PlaceFit } from '../../components/model-actions/fit-text';
import { PlaceActions } from '../../components/model-actions/place-actions';
import { useVisited } from '../../layout/use-visited';
import { placeState, type ModelActionsInTable, type Placement } from '../../components/model-actions/placement';
import { toldInRow } from './model-columns';
import type { ModelRow } from './model-rows';
import classes from './models.module.css';

interface ModelPlacesProps extends ModelActionsInTable {
  readonly row: ModelRow;
  readonly mayManage: boolean;
}

/** What an unfolded row shows: the names for requests, and one line per computer with what can be done there. */
export function ModelPlaces({ row, ...actions }: ModelPlacesProps) {
  useVisited('model', row.selector, row.name);
  return (
    <div className={classes.places}>
      <dl className={classes.names}>
        <dt>Name for requests</dt>
        <dd>
          <CopyId id={row.id} label="name for requests" whole />
        </dd>
        <dt>Id</dt>
        <dd>
          <CopyId id={row.selector} label="model id" whole />
        </dd>
      </dl>
      <ul className={classes.list}>
        {row.placements.map((place) => (
          <li key={`${place.node.node_id} ${place.model.key}`}>
            <Place place={place} told={toldInRow(row, place)} {...actions} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PlaceProps extends ModelActionsInTable {
  readonly place: Placement;
  readonly told: ReturnType<typeof toldInRow>;
  readonly mayManage: boolean;
}

function Place({ place, told, mayManage, ...actions }: PlaceProps) {
  const { node, model, operation, failure } = place;
  const engine = node.engines.find(({ name }) => name === model.engine);
  return (
    <div className={classes.place}>
      <Link to="/computers/$nodeId" params={{ nodeId: node.node_id }} className={classes.where}>
        {node.name}
      </Link>
      <span className={classes.quiet}>
        {[engine === undefined ? model.engine : engineTitle(engine), deviceText(model), modelMemoryText(model)]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <code className={classes.key}>{model.key}</code>
      <span className={classes.state}>
        {operation === undefined ? <StateDot {...placeState(place)} /> : <OperationProgress operation={operation} />}
        <PlaceFit place={place} />
        {model.health !== 'healthy' && <span className={classes.warning}>requests fail here</span>}
      </span>
      {mayManage && <PlaceActions place={place} {...actions} />}
      {operation === undefined && failure !== undefined && !(told.words && told.actions) && (
        <div className={classes.wholeLine}>
          <OperationFailure operation={failure} withoutState withoutWords={told.words} withoutActions={told.actions} />
        </div>
      )}
    </div>
  );
}
