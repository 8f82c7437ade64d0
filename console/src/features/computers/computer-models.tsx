import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { operationsQuery } from '../../api/queries';
import { usePermission } from '../../api/use-permission';
import { DataTable, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { bytes, count } from '../../components/format';
import { deviceText, engineTitle, modelMemoryText, type Node, type NodeModel } from '../../components/node-facts';
import { LinkButton } from '../../components/link-button';
import { PlaceFit } from '../../components/model-actions/fit-text';
import { ModelDialogs, useModelDialogs } from '../../components/model-actions/model-dialogs';
import { PlaceActions } from '../../components/model-actions/place-actions';
import { placer, placeState } from '../../components/model-actions/placement';
import { hasStarters, StarterShelf } from '../../components/model-actions/starter-shelf';
import { OperationFailure } from '../../components/operation-failure';
import { OperationProgress } from '../../components/operation-progress';
import { StateDot } from '../../components/state-dot';
import classes from './computers.module.css';

/** Models of one computer, and what can be done with them. */
export function ComputerModels({ node }: { readonly node: Node }) {
  const { data: operations = [] } = useQuery(operationsQuery);
  const placeOf = placer(operations);
  const mayManage = usePermission('operations:write');
  const { doing, actions, close } = useModelDialogs();
  // Progress and failures are sentences.
  const hasSentences = node.models.some((model) => {
    const { operation, failure } = placeOf(node, model);
    return operation !== undefined || failure !== undefined;
  });
  const titles = new Map(node.engines.map((engine) => [engine.name, engineTitle(engine)]));
  const columns: readonly Column<NodeModel>[] = [
    {
      id: 'name',
      header: 'Model',
      heading: true,
      sortBy: ({ display_name }) => display_name,
      cell: ({ display_name, selector }) => (
        <Link to="/models" search={{ q: selector }} className={classes.link}>
          {display_name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: 'State',
      card: 'whole',
      rank: 1,
      width: hasSentences ? '280px' : '170px',
      sortBy: (model) => placeState(placeOf(node, model)).label,
      cell: (model) => {
        const place = placeOf(node, model);
        const { operation, failure } = place;
        if (operation) return <OperationProgress operation={operation} />;
        return (
          <div className={classes.modelState}>
            <span className={classes.title}>
              <StateDot {...placeState(place)} />
              <PlaceFit place={place} />
            </span>
            {failure !== undefined && <OperationFailure operation={failure} withoutState />}
          </div>
        );
      },
    },
    {
      id: 'engine',
      header: 'Engine',
      rank: 4,
      sortBy: ({ engine }) => engine,
      cell: ({ engine }) => titles.get(engine) ?? engine,
    },
    {
      id: 'quantization',
      header: 'Quantization',
      rank: 6,
      card: 'line',
      cell: ({ quantization }) => quantization ?? '–',
    },
    {
      id: 'size',
      header: 'Size',
      rank: 3,
      width: '90px',
      numeric: true,
      card: 'named',
      sortBy: ({ size_bytes }) => size_bytes ?? -1,
      cell: ({ size_bytes }) => bytes(size_bytes),
    },
    // A column for what no engine of this computer says would only take room.
    ...(node.models.some(({ memory }) => memory !== null)
      ? [
          {
            id: 'memory',
            header: 'Memory',
            rank: 5,
            sortBy: ({ memory }: NodeModel) => (memory === null ? -1 : memory.vram_bytes + memory.ram_bytes),
            cell: (model: NodeModel) => modelMemoryText(model) ?? '–',
          },
          { id: 'device', header: 'Device', rank: 7, cell: (model: NodeModel) => deviceText(model) ?? '–' },
        ]
      : []),
    {
      id: 'context',
      header: 'Context',
      rank: 2,
      width: '100px',
      numeric: true,
      card: 'named',
      sortBy: ({ context_length }) => context_length ?? -1,
      cell: ({ context_length }) => count(context_length),
    },
    ...(mayManage
      ? [
          {
            id: 'actions',
            header: 'Actions',
            numeric: true,
            width: hasSentences ? ('180px' as const) : ('140px' as const),
            card: 'whole' as const,
            rank: 0,
            cell: (model: NodeModel) => <PlaceActions place={placeOf(node, model)} {...actions} />,
          },
        ]
      : []),
  ];
  return (
    <section className={classes.section} aria-labelledby="models">
      <h2 id="models" className={classes.sectionTitle}>
        Models
      </h2>
      <DataTable
        label="Models of this computer"
        prefix="m"
        rows={node.models}
        columns={columns}
        rowKey={({ key }) => key}
        initialSort="name"
        {...(node.models.length > 10 && { filterText: ({ display_name, key }: NodeModel) => `${display_name} ${key}` })}
        empty={
          <EmptyState
            title={node.online ? 'No models yet' : 'Models unavailable while offline'}
            {...(node.online && {
              action: (
                <LinkButton to="/models" search={{ install: '1', node: node.node_id }}>
                  Install a model
                </LinkButton>
              ),
            })}
          >
            {node.online
              ? 'Models of its engines appear here by themselves.'
              : 'They are listed again once the computer is back.'}
          </EmptyState>
        }
      />
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
