import { Button } from '@mantine/core';
import { CutText } from '../../components/cut-text';
import type { Column } from '../../components/data-table';
import type { Fit } from '../../components/fits';
import { bytes, count } from '../../components/format';
import { LinkButton } from '../../components/link-button';
import { contextText } from '../../components/node-facts';
import { FailureLine } from '../../components/operation-failure';
import { OperationProgress } from '../../components/operation-progress';
import { StateDot } from '../../components/state-dot';
import tag from '../../components/tag.module.css';
import { TextWithCode } from '../../components/text-with-code';
import { unloadLabel } from '../../components/model-actions/action-labels';
import { PlaceFit } from '../../components/model-actions/fit-text';
import {
  fitOfPlace,
  placeKey,
  placeState,
  type ModelActionsInTable,
  type Placement,
} from '../../components/model-actions/placement';
import { capabilities, known, loadablePlaces, loadedPlaces, rankOfRow, type ModelRow } from './model-rows';
import classes from './models.module.css';

interface ModelColumns extends ModelActionsInTable {
  readonly severalClusters: boolean;
  /** One of the rows has all three buttons. */
  readonly roomy: boolean;
  /** One of the states is one: progress, or what has failed. */
  readonly hasSentences: boolean;
  readonly mayManage: boolean;
}

export const searchText = (row: ModelRow): string =>
  [row.name, row.id, row.selector, row.cluster, row.state.label, ...row.placements.map(({ node }) => node.name)].join(
    ' ',
  );

const sizeOf = (row: ModelRow) => known(row, ({ size_bytes }) => size_bytes);
const quantizationOf = (row: ModelRow) => known(row, ({ quantization }) => quantization);

export function modelColumns(props: ModelColumns): readonly Column<ModelRow>[] {
  const { severalClusters, roomy, hasSentences, mayManage, ...actions } = props;
  const columns: readonly (Column<ModelRow> | null)[] = [
    {
      id: 'name',
      header: 'Model',
      heading: true,
      ...(hasSentences && { maxWidth: '280px' }),
      sortBy: ({ name }) => name,
      cell: (row) => <Name row={row} />,
    },
    severalClusters
      ? {
          id: 'cluster',
          header: 'Cluster',
          width: '120px',
          rank: 2,
          card: 'line',
          sortBy: ({ cluster }) => cluster,
          cell: ({ cluster }) => cluster,
          below: ({ cluster }) => cluster,
        }
      : null,
    {
      id: 'where',
      header: 'State',
      rank: 0,
      minWidth: '264px',
      card: 'whole',
      sortBy: rankOfRow,
      cell: (row) => <Places row={row} mayManage={mayManage} />,
    },
    {
      id: 'size',
      header: 'Size',
      numeric: true,
      width: '80px',
      card: 'named',
      sortBy: (row) => sizeOf(row) ?? -1,
      cell: (row) => bytes(sizeOf(row)),
      below: (row) => (sizeOf(row) == null ? '' : bytes(sizeOf(row))),
    },
    {
      id: 'action',
      header: 'Actions',
      numeric: true,
      width: roomy ? '232px' : '176px',
      rank: 0,
      card: 'whole',
      cell: (row) => <Actions row={row} mayManage={mayManage} {...actions} />,
    },
  ];
  return columns.filter((column) => column !== null);
}

/** Plain elements: a thousand of these are drawn while somebody scrolls. Unfolded, the row has the names to copy. */
function Name({ row }: { readonly row: ModelRow }) {
  const quantization = quantizationOf(row);
  const badges = [...(quantization === null ? [] : [quantization]), ...capabilities(row)];
  return (
    <div className={classes.name}>
      <strong>
        <bdi>{row.name}</bdi>
      </strong>
      <span className={classes.badges}>
        {badges.map((badge) => (
          <span key={badge} className={tag.tag}>
            {badge}
          </span>
        ))}
      </span>
    </div>
  );
}

/** More would make a row higher than its neighbours. */
const PLACES_SHOWN = 3;
/** Longer words of an engine are cut in the row. */
const WORDS_SHOWN = 160;

interface ToldInRow {
  readonly words: boolean;
  readonly actions: boolean;
}

/** What the row says of a failure, so that the unfolded part does not say it again. */
export function toldInRow(row: ModelRow, place: Placement): ToldInRow {
  const isShown = row.placements.indexOf(place) < PLACES_SHOWN;
  return {
    words: isShown && (place.failure?.failure?.message.length ?? 0) <= WORDS_SHOWN,
    actions: isShown && row.state.state === 'failed',
  };
}

interface PlacesProps {
  readonly row: ModelRow;
  readonly mayManage: boolean;
}

function Places({ row, mayManage }: PlacesProps) {
  const { placements } = row;
  // While it is loaded on another computer, only the unfolded row offers to try again.
  const retries = mayManage && row.state.state === 'failed';
  const more = placements.length - PLACES_SHOWN;
  return (
    <span className={classes.lines}>
      {placements.slice(0, PLACES_SHOWN).map((place) => (
        <PlaceLine key={placeKey(place)} place={place} retries={retries} />
      ))}
      {more > 0 && <span className={classes.quiet}>{count(more)} more</span>}
    </span>
  );
}

interface PlaceProps {
  readonly place: Placement;
  readonly retries: boolean;
}

function PlaceLine({ place, retries }: PlaceProps) {
  const { node, operation } = place;
  return (
    <span className={classes.line}>
      <StateDot {...placeState(place)} hidden />
      <span className={classes.computer}>
        <CutText text={node.name} />
      </span>
      {operation === undefined ? (
        <PlaceFacts place={place} retries={retries} />
      ) : (
        <OperationProgress operation={operation} />
      )}
    </span>
  );
}

/** "loaded · 40,960 tokens of context"; "Load failed: …" in the engine's words; where it is not loaded, whether it fits. */
function PlaceFacts({ place, retries }: PlaceProps) {
  const { model, failure } = place;
  const { label } = placeState(place);
  if (model.state === 'loaded' && model.reason === null) {
    const context = model.context_length === null ? [] : [contextText(model.context_length)];
    return <span className={classes.words}>{[label, ...context].join(' · ')}</span>;
  }
  if (failure !== undefined) {
    const reason = failure.failure?.message;
    return (
      <span className={classes.failure}>
        <span className={classes.failed} title={reason}>
          <span className={classes.failedState}>{reason === undefined ? label : `${label}: `}</span>
          <bdi>{reason !== undefined && <TextWithCode text={reason} />}</bdi>
        </span>
        <span className={classes.remedy}>
          <FailureLine operation={failure} withoutActions={!retries} />
          <PlaceFit place={place} />
        </span>
      </span>
    );
  }
  return (
    <span className={classes.words}>
      {label}
      <PlaceFit place={place} before=" · " />
    </span>
  );
}

interface ActionsProps extends ModelActionsInTable {
  readonly row: ModelRow;
  readonly mayManage: boolean;
}

function Actions({ row, mayManage, busy, onLoad, onUnload, onRemove }: ActionsProps) {
  const loaded = loadedPlaces(row);
  const loadable = mayManage ? loadablePlaces(row) : [];
  const [best] = loadable;
  // What cannot be loaded is removed more often than the others, which can be removed in the unfolded row; first where that has failed.
  const isRemoved = row.state.state === 'failed' && loadable.length > 0;
  const isText = !row.placements.every(({ model }) => model.embedding);
  return (
    <span className={classes.actions}>
      {loaded.length > 0 && isText && (
        <LinkButton size="compact-xs" variant="light" to="/chat" search={{ model: row.selector }}>
          Chat
        </LinkButton>
      )}
      {best !== undefined && (
        <Button
          size="compact-xs"
          {...loadLook(fitOfPlace(best).fit, loaded.length > 0 || row.state.state === 'failed')}
          onClick={() => onLoad(loadable)}
        >
          Load…
        </Button>
      )}
      {mayManage && loaded.length > 0 && (
        <Button size="compact-xs" variant="default" onClick={() => onUnload(loaded)}>
          {unloadLabel(loaded, busy)}
        </Button>
      )}
      {isRemoved && (
        <Button size="compact-xs" variant="default" onClick={() => onRemove(loadable.toReversed())}>
          Remove…
        </Button>
      )}
    </span>
  );
}

/** The less likely it is to succeed, the less it stands out. @param isSecond it is loaded on another computer, or has failed on one, where Retry comes first */
function loadLook(fit: Fit, isSecond: boolean) {
  if (fit === 'does_not_fit') return { variant: 'subtle', color: 'gray' };
  return { variant: isSecond || fit === 'fits_when_free' ? 'default' : 'light' };
}
