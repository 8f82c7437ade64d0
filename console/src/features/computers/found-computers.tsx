import { Loader } from '@mantine/core';
import { count, countOf } from '../../components/format';
import { engineText, memoryText, platformText, type Node } from '../../components/node-facts';
import { LinkButton } from '../../components/link-button';
import { StateDot } from '../../components/state-dot';
import classes from './computers.module.css';

interface FoundComputersProps {
  readonly found: readonly Node[];
  /** There is a token to join with. */
  readonly waits: boolean;
  readonly onClose: () => void;
}

/** "Waiting for the computer to connect…", which becomes the computer, what was found on it, and the next step. */
export function FoundComputers({ found, waits, onClose }: FoundComputersProps) {
  if (found.length === 0) {
    if (!waits) return null;
    return (
      <div className={classes.waiting}>
        <Loader size={16} type="dots" aria-hidden="true" />
        <span>Waiting for the computer to connect…</span>
      </div>
    );
  }
  return found.map((node) => <Found key={node.node_id} node={node} onClose={onClose} />);
}

function Found({ node, onClose }: { readonly node: Node; readonly onClose: () => void }) {
  const loaded = node.models.filter(({ state }) => state === 'loaded').length;
  const facts = [
    platformText(node.platform),
    ...(node.memory === null
      ? []
      : [memoryText(node.memory.total_bytes - node.memory.free_bytes, node.memory.total_bytes)]),
    ...node.gpus.filter(({ unified }) => !unified).map(({ name }) => name),
  ];
  return (
    <div className={classes.found}>
      <span className={classes.title}>
        <StateDot state={node.online ? 'serving' : 'working'} label={node.online ? 'online' : 'joined'} hidden />
        <strong>{node.name}</strong>
        <span className={classes.quiet}>{node.online ? 'is connected' : 'has joined and connects…'}</span>
      </span>
      <span className={classes.quiet}>{facts.join(' · ')}</span>
      {node.engines.map((engine) => (
        <span key={engine.name}>
          {engineText(engine)}: {modelsText(node, engine.name)}
        </span>
      ))}
      {node.online && node.engines.length === 0 && (
        <span>
          No engine was found yet. Start Ollama or LM Studio there, or install the built-in engine; Ferry finds it by
          itself.
        </span>
      )}
      {node.online && (
        <span>
          {loaded === 0 ? (
            <LinkButton size="xs" to="/models" search={{ node: node.node_id }} onClick={onClose}>
              Next: load a model
            </LinkButton>
          ) : (
            <LinkButton size="xs" to="/keys" onClick={onClose}>
              Next: create a key
            </LinkButton>
          )}
        </span>
      )}
    </div>
  );
}

function modelsText(node: Node, engine: string): string {
  const models = node.models.filter((model) => model.engine === engine);
  const loaded = models.filter(({ state }) => state === 'loaded').length;
  return `${countOf(models.length, 'model')}, ${count(loaded)} loaded`;
}
