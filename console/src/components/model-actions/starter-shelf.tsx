import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allOf, api } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';
import { useLiveOperations, useStartOperation } from '../../api/use-operations';
import { ErrorPanel } from '../error-panel';
import { bytes, tokensPerSecond } from '../format';
import { engineName, fitOf, type Node } from '../node-facts';
import { OperationProgress } from '../operation-progress';
import { FitText } from './fit-text';
import classes from './model-actions.module.css';

type Starter = Schemas['StarterModel'];

/** Names of models are known for these engines. */
export const hasStarters = ({ engines }: Node): boolean =>
  engines.some(({ kind }) => kind === 'llamacpp' || kind === 'ollama');

interface StarterShelfProps {
  readonly node: Node;
  readonly onInstall?: () => void;
}

const MOST_SHOWN = 6;
const MOST_EMBEDDING = 2;

/** The largest that fit come first: they answer best. Those that embed come last: they do not chat. */
function ofShelf(starters: readonly Starter[]): readonly Starter[] {
  const largest = starters.toSorted((one, other) => other.size_bytes - one.size_bytes);
  const embedding = largest.filter((starter) => starter.embedding).slice(0, MOST_EMBEDDING);
  return [...largest.filter((starter) => !starter.embedding).slice(0, MOST_SHOWN), ...embedding];
}

/** Recommended models for one computer, with their size, what its memory allows, and the speed that its measurements let expect. */
export function StarterShelf({ node, onInstall }: StarterShelfProps) {
  const starters = useQuery({
    queryKey: ['starter-models', node.node_id],
    queryFn: () =>
      allOf(() => api.GET('/api/nodes/{nodeId}/starter-models', { params: { path: { nodeId: node.node_id } } })),
  });
  const operations = useLiveOperations().filter(({ node_id }) => node_id === node.node_id);
  const start = useStartOperation(onInstall);
  if (starters.error !== null) return <ErrorPanel title="Starter models could not be listed" error={starters.error} />;
  const shown = (starters.data ?? []).filter((starter) => !isInstalled(starter, node)).filter(fitsOn(node));
  if (starters.isPending || shown.length === 0) {
    return (
      <p className={classes.quiet}>{starters.isPending ? 'Looking…' : 'None of them fits, or all are installed.'}</p>
    );
  }
  const severalEngines = new Set(shown.map(({ engine }) => engine)).size > 1;
  return (
    <>
      {start.error !== null && <ErrorPanel title="It could not be installed" error={start.error} />}
      <ul className={classes.shelf} aria-label={`Recommended models for ${node.name}`}>
        {ofShelf(shown).map((starter) => {
          const operation = operations.find(({ source }) => source === starter.source);
          return (
            <li key={`${starter.engine} ${starter.source}`} className={classes.starter}>
              <strong>{starter.name}</strong>
              <p className={classes.quiet}>{starter.description}</p>
              <code title={starter.source}>
                {starter.source.startsWith('hf:') ? starter.source.split('/').at(-1) : starter.source}
                {severalEngines && ` · ${engineNameOf(node, starter.engine)}`}
              </code>
              {operation === undefined ? (
                <div className={classes.starterFoot}>
                  <span>
                    {bytes(starter.size_bytes)} · <Fit node={node} starter={starter} />
                    <br />
                    <span className={classes.quiet}>{speedText(starter)}</span>
                  </span>
                  <Button
                    size="compact-xs"
                    variant="light"
                    loading={start.isPending && start.variables.source === starter.source}
                    aria-label={`Install ${starter.name} on ${node.name}`}
                    onClick={() =>
                      start.mutate({
                        kind: 'install',
                        node_id: node.node_id,
                        engine: starter.engine,
                        source: starter.source,
                        load: true,
                      })
                    }
                  >
                    Install
                  </Button>
                </div>
              ) : (
                <OperationProgress operation={operation} />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Fit({ node, starter }: { readonly node: Node; readonly starter: Starter }) {
  const { fit, text } = fitOf(starter.size_bytes, node);
  return <FitText fit={fit}>{text === '' ? 'memory not known' : text}</FitText>;
}

const fitsOn =
  (node: Node) =>
  ({ size_bytes }: Starter): boolean =>
    fitOf(size_bytes, node).fit !== 'does_not_fit';

/** Engines name what they have installed by the source, or by its file. */
function isInstalled({ engine, source }: Starter, { models }: Node): boolean {
  const name = (
    source.startsWith('hf:') ? (source.split('/').at(-1) ?? source).replace(/\.gguf$/, '') : source
  ).toLowerCase();
  return models.some((model) => model.engine === engine && model.key.toLowerCase().includes(name));
}

const engineNameOf = ({ engines }: Node, engine: string): string =>
  engineName(engines.find(({ name }) => name === engine)?.kind ?? engine);

const speedText = ({ embedding, tokens_per_second: speed }: Starter): string =>
  embedding
    ? 'needs the Embeddings extension'
    : speed === null
      ? 'speed not measured here yet'
      : `about ${tokensPerSecond(speed)} here`;
