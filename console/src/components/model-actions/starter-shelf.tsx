import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allOf, api } from '../../api/client';
import { useLiveOperations, useStartOperation } from '../../api/use-operations';
import { ErrorPanel } from '../error-panel';
import { bytes, tokensPerSecond } from '../format';
import { engineName, fitOf, type Node } from '../node-facts';
import { OperationProgress } from '../operation-progress';
import { FitText } from './fit-text';
import classes from './model-actions.module.css';
import { isSlowOn, ofShelf, type Starter } from './starter-order';

/** Names of models are known for these engines. */
export const hasStarters = ({ engines }: Node): boolean =>
  engines.some(({ kind }) => kind === 'llamacpp' || kind === 'ollama');

interface StarterShelfProps {
  readonly node: Node;
  readonly onInstall?: () => void;
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
  const shown = ofShelf(
    (starters.data ?? []).filter((starter) => !isInstalled(starter, node)),
    node,
  );
  if (starters.isPending || shown.length === 0) {
    return (
      <p className={classes.quiet}>{starters.isPending ? 'Looking…' : 'None of them fits, or all are installed.'}</p>
    );
  }
  const isMeasured = shown.some(({ tokens_per_second: speed }) => speed !== null);
  const severalEngines = new Set(shown.map(({ engine }) => engine)).size > 1;
  return (
    <>
      {start.error !== null && <ErrorPanel title="It could not be installed" error={start.error} />}
      <div>
        {!isMeasured && <p className={classes.note}>Speed on {node.name} is not measured yet.</p>}
        <ul className={classes.shelf} aria-label={`Recommended models for ${node.name}`}>
          {shown.map((starter) => {
            const speed = speedText(starter, isMeasured);
            const operation = operations.find(({ source }) => source === starter.source);
            return (
              <li key={`${starter.engine} ${starter.source}`} className={classes.starter}>
                <strong>{starter.name}</strong>
                <p className={classes.quiet}>{starter.description}</p>
                <code title={starter.source}>
                  {starter.source.startsWith('hf:') ? starter.source.split('/').at(-1) : starter.source}
                  {severalEngines && ` · ${engineNameOf(node, starter.engine)}`}
                </code>
                {starter.embedding && <p className={classes.quiet}>Needs the Embeddings extension.</p>}
                {operation === undefined ? (
                  <div className={classes.starterFoot}>
                    <span>
                      {bytes(starter.size_bytes)} · <Fit node={node} starter={starter} />
                      {speed !== null && <span className={classes.speed}>{speed}</span>}
                    </span>
                    <Button
                      size="compact-xs"
                      variant={isGood(node, starter) ? 'light' : 'default'}
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
      </div>
    </>
  );
}

function Fit({ node, starter }: { readonly node: Node; readonly starter: Starter }) {
  const { fit, text } = fitOf(starter.size_bytes, node);
  // Not in the colour of what fits well.
  if (fit === 'fits' && isSlowOn(node, starter))
    return <FitText fit="fits_in_part">fits, slow on the processor</FitText>;
  return <FitText fit={fit}>{text === '' ? 'memory not known' : text}</FitText>;
}

/** It stands out where it fits and is fast. */
const isGood = (node: Node, starter: Starter): boolean =>
  fitOf(starter.size_bytes, node).fit === 'fits' && !isSlowOn(node, starter);

/** Engines name what they have installed by the source, or by its file. */
function isInstalled({ engine, source }: Starter, { models }: Node): boolean {
  const name = (
    source.startsWith('hf:') ? (source.split('/').at(-1) ?? source).replace(/\.gguf$/, '') : source
  ).toLowerCase();
  return models.some((model) => model.engine === engine && model.key.toLowerCase().includes(name));
}

const engineNameOf = ({ engines }: Node, engine: string): string =>
  engineName(engines.find(({ name }) => name === engine)?.kind ?? engine);

/** @param isMeasured one of the others is: else a sentence above all of them says so */
function speedText({ embedding, tokens_per_second: speed }: Starter, isMeasured: boolean): string | null {
  if (embedding) return null;
  if (speed !== null) return `about ${tokensPerSecond(speed)} here`;
  return isMeasured ? 'speed not measured here yet' : null;
}
