/** The columns of the models of one computer. */
import { Link } from '@tanstack/react-router';
import { CutText } from '../../components/cut-text';
import type { Column } from '../../components/data-table';
import { bytes, count, NONE } from '../../components/format';
import { LinkButton } from '../../components/link-button';
import { PlaceFit } from '../../components/model-actions/fit-text';
import { PlaceActions } from '../../components/model-actions/place-actions';
import {
  isReadyToChat,
  placeState,
  rankOfPlace,
  type ModelActionsInTable,
  type Placement,
} from '../../components/model-actions/placement';
import {
  contextText,
  deviceText,
  engineTitle,
  modelMemoryText,
  type Node,
  type NodeModel,
} from '../../components/node-facts';
import { OperationFailure } from '../../components/operation-failure';
import { OperationProgress } from '../../components/operation-progress';
import { StateDot } from '../../components/state-dot';
import classes from './computers.module.css';

interface ModelColumns extends ModelActionsInTable {
  readonly node: Node;
  readonly placeOf: (node: Node, model: NodeModel) => Placement;
  /** One of the states is one. */
  readonly hasSentences: boolean;
  readonly hasActions: boolean;
  readonly mayManage: boolean;
}

/** Names are longer than what is said of them. */
const NAME_PX = '220px' as const;
/** With sentences: beside the name, they have room on a tablet. */
const STATE_PX = '264px' as const;

export function modelColumns(props: ModelColumns): readonly Column<NodeModel>[] {
  const { node, placeOf, hasSentences, hasActions, mayManage, ...actions } = props;
  const titles = new Map(node.engines.map((engine) => [engine.name, engineTitle(engine)]));
  const isLong = node.models.some(({ engine }) => (titles.get(engine) ?? engine).length > USUAL_TITLE_CHARACTERS);
  const all: readonly Column<NodeModel>[] = [
    {
      id: 'name',
      header: 'Model',
      heading: true,
      minWidth: NAME_PX,
      ...(isLong && { maxWidth: '280px' as const }),
      sortBy: ({ display_name }) => display_name,
      cell: (model, inCard) => (
        <>
          <Link to="/models" search={{ q: model.selector }} className={classes.modelName}>
            <CutText text={model.display_name} />
          </Link>
          {!inCard && hasFailed(placeOf(node, model)) && (
            <div className={classes.failureLine}>
              <Failure place={placeOf(node, model)} />
            </div>
          )}
        </>
      ),
    },
    {
      id: 'state',
      header: 'State',
      card: 'corner',
      rank: 0,
      width: hasSentences ? STATE_PX : '150px',
      sortBy: (model) => rankOfPlace(placeOf(node, model)),
      cell: (model, inCard) => {
        const place = placeOf(node, model);
        if (inCard) return <StateDot {...placeState(place)} />;
        if (place.operation) return <OperationProgress operation={place.operation} />;
        return (
          <span className={classes.stateLine}>
            <StateDot {...placeState(place)} />
            {place.failure === undefined && <PlaceFit place={place} />}
          </span>
        );
      },
    },
    {
      id: 'engine',
      header: 'Engine',
      rank: 4,
      // The head of the page names the only one.
      ...(node.engines.length === 1 && { card: 'none' as const }),
      // The end of a long title is what tells it from others.
      ...(isLong && { minWidth: '264px' as const }),
      sortBy: ({ engine }) => engine,
      cell: ({ engine }) => titles.get(engine) ?? engine,
      below: ({ engine }) => titles.get(engine) ?? engine,
    },
    {
      id: 'quantization',
      header: 'Quantization',
      rank: 6,
      cell: ({ quantization }, inCard) => quantization ?? noneIn(inCard),
      below: ({ quantization }) => quantization ?? '',
    },
    {
      id: 'size',
      header: 'Size',
      rank: 1,
      width: '90px',
      numeric: true,
      sortBy: ({ size_bytes }) => size_bytes ?? -1,
      cell: ({ size_bytes }, inCard) => (inCard && size_bytes === null ? '' : bytes(size_bytes)),
      below: ({ size_bytes }) => (size_bytes === null ? '' : bytes(size_bytes)),
    },
    {
      id: 'memory',
      header: 'Memory',
      rank: 5,
      numeric: true,
      sortBy: ({ memory }) => (memory === null ? -1 : memory.vram_bytes + memory.ram_bytes),
      cell: (model, inCard) => modelMemoryText(model) ?? noneIn(inCard),
      below: (model) => modelMemoryText(model) ?? '',
    },
    {
      id: 'device',
      header: 'Device',
      rank: 7,
      cell: (model, inCard) => deviceText(model) ?? noneIn(inCard),
      below: (model) => (model.device === 'processor' ? 'on the processor' : (deviceText(model) ?? '')),
    },
    {
      id: 'context',
      header: 'Context',
      rank: 2,
      width: '100px',
      numeric: true,
      sortBy: ({ context_length }) => context_length ?? -1,
      cell: ({ context_length }, inCard) => (inCard && context_length === null ? '' : count(context_length)),
      below: ({ context_length }) => (context_length === null ? '' : contextText(context_length)),
    },
    {
      id: 'sentence',
      header: 'About',
      card: 'whole',
      cardOnly: true,
      cell: (model) => {
        const place = placeOf(node, model);
        if (place.operation) return <OperationProgress operation={place.operation} />;
        // Nothing, not an element without content: that would have a line of the card.
        if (place.failure === undefined) return <PlaceFit place={place} />;
        return <Failure place={place} />;
      },
    },
    ...(hasActions
      ? [
          {
            id: 'actions',
            header: 'Actions',
            numeric: true,
            width: '176px' as const,
            card: 'whole' as const,
            rank: 0,
            cell: (model: NodeModel) => <Actions place={placeOf(node, model)} mayManage={mayManage} {...actions} />,
          },
        ]
      : []),
  ];
  // A column for what no engine of this computer says would only take room.
  return all.filter(({ id, cell }) => !mayBeEmpty.has(id) || node.models.some((model) => cell(model, false) !== NONE));
}

/** A card has no facts that are not known. */
const noneIn = (inCard: boolean): string => (inCard ? '' : NONE);

const mayBeEmpty: ReadonlySet<string> = new Set(['quantization', 'size', 'memory', 'device', 'context']);

/** Longer are those with the address of the engine. */
const USUAL_TITLE_CHARACTERS = 20;

/** What is done about that stands below the words of the engine; what can be done with the model, where it does in other rows. */
const hasFailed = ({ operation, failure }: Placement): boolean => operation === undefined && failure !== undefined;

interface ActionsProps extends ModelActionsInTable {
  readonly place: Placement;
  readonly mayManage: boolean;
}

/** In a table below its row and as wide as that: in one column, what an engine says would be a tower. */
function Failure({ place }: { readonly place: Placement }) {
  if (place.failure === undefined) return null;
  return (
    <OperationFailure operation={place.failure} withoutState>
      <PlaceFit place={place} />
    </OperationFailure>
  );
}

function Actions({ place, mayManage, ...actions }: ActionsProps) {
  return (
    <span className={classes.actions}>
      {isReadyToChat(place) && (
        <LinkButton size="compact-xs" variant="light" to="/chat" search={{ model: place.model.selector }}>
          Chat
        </LinkButton>
      )}
      {mayManage && <PlaceActions place={place} {...actions} />}
    </span>
  );
}
