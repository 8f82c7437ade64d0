import { Button } from '@mantine/core';
import type { Column } from '../../components/data-table';
import { bytes, count } from '../../components/format';
import { OperationProgress } from '../../components/operation-progress';
import { StateDot } from '../../components/state-dot';
import { capabilities, known, type ModelRow, type Placement } from './model-rows';
import classes from './models.module.css';

interface ModelColumns {
  readonly severalClusters: boolean;
  readonly mayManage: boolean;
  readonly onLoad: (place: Placement) => void;
}

export const searchText = (row: ModelRow): string =>
  [row.name, row.id, row.selector, row.cluster, row.state.label, ...row.placements.map(({ node }) => node.name)].join(
    ' ',
  );

const sizeOf = (row: ModelRow) => known(row, ({ size_bytes }) => size_bytes);
const contextOf = (row: ModelRow) => known(row, ({ context_length }) => context_length);
const quantizationOf = (row: ModelRow) => known(row, ({ quantization }) => quantization);

export function modelColumns({ severalClusters, mayManage, onLoad }: ModelColumns): readonly Column<ModelRow>[] {
  const columns: readonly (Column<ModelRow> | null)[] = [
    { id: 'name', header: 'Model', heading: true, sortBy: ({ name }) => name, cell: (row) => <Name row={row} /> },
    {
      id: 'state',
      header: 'State',
      width: '200px',
      sortBy: ({ state }) => state.label,
      cell: (row) => <State row={row} />,
    },
    severalClusters
      ? {
          id: 'cluster',
          header: 'Cluster',
          width: '120px',
          sortBy: ({ cluster }) => cluster,
          cell: ({ cluster }) => cluster,
        }
      : null,
    {
      id: 'where',
      header: 'Where',
      width: '160px',
      sortBy: ({ placements }) => placements.length,
      cell: ({ placements }) => whereText(placements),
    },
    {
      id: 'size',
      header: 'Size',
      numeric: true,
      width: '90px',
      sortBy: (row) => sizeOf(row) ?? -1,
      cell: (row) => bytes(sizeOf(row)),
    },
    {
      id: 'context',
      header: 'Context',
      numeric: true,
      width: '90px',
      sortBy: (row) => contextOf(row) ?? -1,
      cell: (row) => count(contextOf(row)),
    },
    mayManage
      ? {
          id: 'action',
          header: 'Action',
          width: '90px',
          cell: (row) => <LoadButton row={row} onLoad={onLoad} />,
        }
      : null,
  ];
  return columns.filter((column) => column !== null);
}

/** Plain elements: a thousand of these are drawn while somebody scrolls. Unfolded, the row has the names to copy. */
function Name({ row }: { readonly row: ModelRow }) {
  const quantization = quantizationOf(row);
  const badges = [...(quantization === null ? [] : [quantization]), ...capabilities(row)];
  return (
    <div className={classes.name}>
      <strong>{row.name}</strong>
      <span className={classes.badges}>
        {badges.map((badge) => (
          <span key={badge} className={classes.badge}>
            {badge}
          </span>
        ))}
      </span>
    </div>
  );
}

function State({ row }: { readonly row: ModelRow }) {
  const operation = row.placements.find((place) => place.operation !== undefined)?.operation;
  if (operation !== undefined) return <OperationProgress operation={operation} />;
  return <StateDot {...row.state} />;
}

function whereText(placements: readonly Placement[]): string {
  const names = [...new Set(placements.map(({ node }) => node.name))];
  return names.length === 1 ? (names[0] ?? '–') : `${count(names.length)} computers`;
}

/** With several places to load it, the unfolded row asks which. */
function LoadButton({ row, onLoad }: { readonly row: ModelRow; readonly onLoad: (place: Placement) => void }) {
  const [place] = row.placements;
  if (row.placements.length !== 1 || place === undefined || place.operation !== undefined) return null;
  if (place.model.reason !== null || !['installed', 'failed'].includes(place.model.state)) return null;
  return (
    <Button size="compact-xs" variant="default" onClick={() => onLoad(place)}>
      Load
    </Button>
  );
}
