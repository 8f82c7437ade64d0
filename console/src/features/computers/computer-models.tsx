import { Link } from '@tanstack/react-router';
import { useLiveOperations } from '../../api/use-operations';
import { DataTable, type Column } from '../../components/data-table';
import { EmptyState } from '../../components/empty-state';
import { bytes, count } from '../../components/format';
import {
  deviceText,
  engineName,
  modelMemoryText,
  modelState,
  type Node,
  type NodeModel,
} from '../../components/node-facts';
import { LinkButton } from '../../components/link-button';
import { OperationProgress } from '../../components/operation-progress';
import { StateDot } from '../../components/state-dot';
import classes from './computers.module.css';

/** Models of one computer; what can be done with them is on the page of models. */
export function ComputerModels({ node }: { readonly node: Node }) {
  const operations = useLiveOperations().filter((operation) => operation.node_id === node.node_id);
  const kinds = new Map(node.engines.map(({ name, kind }) => [name, kind]));
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
      sortBy: (model) => modelState(model).label,
      cell: (model) => {
        const operation = operations.find(({ model_key }) => model_key === model.key);
        return operation ? <OperationProgress operation={operation} /> : <StateDot {...modelState(model)} />;
      },
    },
    {
      id: 'engine',
      header: 'Engine',
      sortBy: ({ engine }) => engine,
      cell: ({ engine }) => engineName(kinds.get(engine) ?? engine),
    },
    { id: 'quantization', header: 'Quantization', cell: ({ quantization }) => quantization ?? '–' },
    {
      id: 'size',
      header: 'Size',
      numeric: true,
      sortBy: ({ size_bytes }) => size_bytes ?? -1,
      cell: ({ size_bytes }) => bytes(size_bytes),
    },
    // A column for what no engine of this computer says would only take room.
    ...(node.models.some(({ memory }) => memory !== null)
      ? [
          {
            id: 'memory',
            header: 'Memory',
            sortBy: ({ memory }: NodeModel) => (memory === null ? -1 : memory.vram_bytes + memory.ram_bytes),
            cell: (model: NodeModel) => modelMemoryText(model) ?? '–',
          },
          { id: 'device', header: 'Device', cell: (model: NodeModel) => deviceText(model) ?? '–' },
        ]
      : []),
    {
      id: 'context',
      header: 'Context',
      numeric: true,
      sortBy: ({ context_length }) => context_length ?? -1,
      cell: ({ context_length }) => count(context_length),
    },
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
            title={node.online ? 'No models yet' : 'Its models are not known while it is offline'}
            {...(node.online && {
              action: (
                <LinkButton to="/models" search={{ install: '1', node: node.node_id }}>
                  Install a model
                </LinkButton>
              ),
            })}
          >
            {node.online ? 'Models that its engines have show up by themselves.' : 'They come back with it.'}
          </EmptyState>
        }
      />
    </section>
  );
}
