import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/management-api.types';
import { CutText } from '../../components/cut-text';
import type { Column } from '../../components/data-table';
import { DottedLine } from '../../components/dotted-line';
import { count, NONE } from '../../components/format';
import { isGone, type GoneNodes } from '../../components/gone-nodes';
import {
  engineText,
  loadedNames,
  nodeState,
  platformText,
  shortEngineText,
  slotsOf,
  type Node,
} from '../../components/node-facts';
import { StateDot } from '../../components/state-dot';
import { MemoryMeters, SlotMeter } from './computer-meters';
import classes from './computers.module.css';
import { LastSeen } from './last-seen';
import { ProblemLine } from './problem-line';
import { stateSince } from './state-since';
import { Tags } from './tags';

/** More would make a row higher than its neighbours. */
const MODELS_SHOWN = 3;
const ENGINES_NAMED = 2;

export const searchText = (node: Node): string =>
  [
    node.name,
    ...node.tags,
    node.note ?? '',
    node.platform,
    ...node.engines.map(engineText),
    ...node.models.map((model) => model.display_name),
  ].join(' ');

export function computerColumns(clusters: readonly Schemas['Cluster'][], gone: GoneNodes): readonly Column<Node>[] {
  const names = new Map(clusters.map(({ cluster_id, name }) => [cluster_id, name]));
  const columns: readonly (Column<Node> | null)[] = [
    {
      id: 'name',
      header: 'Name',
      heading: true,
      // Names are told apart by their ends, and problems are sentences: other columns are left out first.
      minWidth: '240px',
      sortBy: ({ name }) => name,
      showsNotes: true,
      cell: (node, inCard, notes = []) => <Name node={node} gone={gone} inCard={inCard} notes={notes} />,
    },
    {
      id: 'about',
      header: 'About',
      card: 'whole',
      cardOnly: true,
      cell: (node) => <About node={node} gone={gone} notes={[]} />,
    },
    {
      id: 'state',
      header: 'State',
      card: 'corner',
      cardOnly: true,
      cell: (node) => <StateDot {...nodeState(node, isGone(gone, node))} />,
    },
    clusters.length < 2
      ? null
      : {
          id: 'cluster',
          header: 'Cluster',
          rank: 6,
          sortBy: ({ cluster_id }) => names.get(cluster_id) ?? '',
          cell: ({ cluster_id }) => names.get(cluster_id) ?? NONE,
          below: ({ cluster_id }) => names.get(cluster_id) ?? cluster_id,
        },
    {
      id: 'models',
      header: 'Models loaded',
      minWidth: '144px',
      sortBy: (node) => loadedNames(node).length,
      cell: (node, inCard) =>
        node.online || loadedNames(node).length > 0 ? <LoadedModels node={node} /> : unknown(inCard),
    },
    {
      id: 'slots',
      header: 'Slots',
      width: '120px',
      sortBy: (node) => slotsOf(node)?.used ?? -1,
      cell: (node, inCard) => (slotsOf(node) === null ? unknown(inCard) : <SlotMeter node={node} />),
    },
    {
      id: 'memory',
      header: 'Memory',
      width: '140px',
      sortBy: ({ memory }) => (memory === null ? -1 : memory.total_bytes - memory.free_bytes),
      cell: (node, inCard) => (node.memory === null ? unknown(inCard) : <MemoryMeters node={node} />),
    },
    {
      id: 'seen',
      header: 'Last seen',
      // On a tablet the name has the room: it says since when a computer is offline, and what is wrong.
      width: '176px',
      rank: 7,
      card: 'none',
      sortBy: ({ last_seen }) => last_seen ?? 0,
      cell: (node) => <LastSeen node={node} />,
    },
  ];
  return columns.filter((column) => column !== null);
}

/** The card of a computer that is offline has only what is known. */
const unknown = (inCard: boolean): string => (inCard ? '' : NONE);

interface NameProps {
  readonly node: Node;
  readonly gone: GoneNodes;
  /** Its cluster, where the table has no column for it. */
  readonly notes: readonly string[];
}

/** A card has the state in words, opposite the name, and the rest in its whole width. */
function Name({ node, gone, notes, inCard }: NameProps & { readonly inCard: boolean }) {
  return (
    <div className={classes.name}>
      <span className={classes.title}>
        {!inCard && <StateDot {...nodeState(node, isGone(gone, node))} hidden />}
        <Link to="/computers/$nodeId" params={{ nodeId: node.node_id }} className={classes.link} data-wraps>
          <bdi>{node.name}</bdi>
        </Link>
      </span>
      {!inCard && <About node={node} gone={gone} notes={notes} />}
    </div>
  );
}

/** What it is, and what is wrong with it. */
function About({ node, gone, notes }: NameProps) {
  // The column "Last seen" is the first to go where there is little room.
  const { state, label } = stateSince(node, isGone(gone, node));
  const word = state === 'off' ? label : node.paused ? 'paused' : null;
  const engines =
    node.engines.length > ENGINES_NAMED ? [`${node.engines.length} engines`] : node.engines.map(shortEngineText);
  const platform = platformText(node.platform).replace(' · ', ' ');
  const stateWord = word === null ? [] : [word];
  const system = [platform, `Ferry\u00a0${node.agent_version}`];
  return (
    <div className={classes.name}>
      {notes.length === 0 ? (
        <DottedLine parts={[...stateWord, ...system, ...engines]} className={classes.facts} />
      ) : (
        <div className={classes.facts}>
          <DottedLine parts={[...stateWord, ...notes, ...(word === null ? system : [])]} onOneLine />
          <DottedLine parts={[...(word === null ? [] : system), ...engines]} />
        </div>
      )}
      <Tags tags={node.tags} />
      <ProblemLine node={node} gone={gone} />
    </div>
  );
}

function LoadedModels({ node }: { readonly node: Node }) {
  const loaded = loadedNames(node);
  if (loaded.length === 0) {
    return <span className={classes.quiet}>none of {node.models.length}</span>;
  }
  const more = loaded.length - MODELS_SHOWN;
  return (
    <span className={classes.loaded}>
      {loaded.slice(0, MODELS_SHOWN).map((name) => (
        <CutText key={name} text={name} />
      ))}
      {more > 0 && <span className={classes.quiet}>{count(more)} more</span>}
    </span>
  );
}
