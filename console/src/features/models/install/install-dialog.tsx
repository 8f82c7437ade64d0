import { Alert, Modal, Select, Switch } from '@mantine/core';
import { useState } from 'react';
import { useStartOperation } from '../../../api/use-operations';
import { Choice } from '../../../components/choice';
import { ErrorPanel } from '../../../components/error-panel';
import { hasStarters, StarterShelf } from '../../../components/model-actions/starter-shelf';
import { engineTitle, memoryText, type Node } from '../../../components/node-facts';
import classes from '../models.module.css';
import { ByName } from './by-name';
import { FileThere } from './file-there';
import { HubSearch } from './hub-search';

interface InstallDialogProps {
  readonly nodes: readonly Node[];
  /** Chosen at first; '': none. */
  readonly nodeId: string;
  readonly onClose: () => void;
}

const ways = [
  { value: 'starters', label: 'Recommended' },
  { value: 'hub', label: 'Hugging Face' },
  { value: 'name', label: 'By name' },
  { value: 'file', label: 'A file already there' },
] as const;
type Way = (typeof ways)[number]['value'];

/** Installs a model on one computer: out of the hub's files, by the engine's own name, or a file that lies there. */
export function InstallDialog({ nodes, nodeId, onClose }: InstallDialogProps) {
  const online = nodes.filter((node) => node.online && node.engines.length > 0);
  const [chosen, setChosen] = useState(nodeId);
  const node = online.find(({ node_id }) => node_id === chosen) ?? online[0];
  const [way, setWay] = useState<Way>(() => (node !== undefined && hasStarters(node) ? 'starters' : 'name'));
  const [load, setLoad] = useState(true);
  const start = useStartOperation(onClose);
  return (
    <Modal opened onClose={onClose} title="Install a model" size="lg">
      {node === undefined ? (
        <p className={classes.quiet}>No computer with an engine is online. Start one, and install the model then.</p>
      ) : (
        <div className={classes.sheet}>
          <Select
            label="Computer"
            data={online.map(({ node_id, name, memory }) => ({
              value: node_id,
              label: memory === null ? name : `${name} · ${memoryText(memory.free_bytes, memory.total_bytes)} free`,
            }))}
            value={node.node_id}
            onChange={(value) => setChosen(value ?? '')}
            // Where a name can be typed at once, the dialog begins with that.
            data-autofocus={way !== 'name' || undefined}
          />
          <Choice label="Where the model comes from" data={ways} value={way} onChange={setWay} />
          {(way === 'hub' || way === 'name') && (
            <Switch
              label="Load it afterwards"
              checked={load}
              onChange={(event) => setLoad(event.currentTarget.checked)}
            />
          )}
          {way === 'starters' && <StarterShelf node={node} onInstall={onClose} />}
          {way === 'hub' && !hasBuiltIn(node) && (
            <Alert color="yellow" variant="light">
              {enginesText(node)} on {node.name} may not install files of Hugging Face; the built-in engine does.
            </Alert>
          )}
          {start.error !== null && <ErrorPanel title="It could not be installed" error={start.error} />}
          {way === 'hub' && (
            <HubSearch
              node={node}
              pending={start.isPending}
              onInstall={(source) => start.mutate({ kind: 'install', node_id: node.node_id, source, load })}
            />
          )}
          {way === 'name' && (
            <ByName
              node={node}
              pending={start.isPending}
              onInstall={(source, engine) =>
                start.mutate({ kind: 'install', node_id: node.node_id, source, engine, load })
              }
            />
          )}
          {way === 'file' && <FileThere node={node} />}
        </div>
      )}
    </Modal>
  );
}

const hasBuiltIn = ({ engines }: Node): boolean => engines.some(({ kind }) => kind === 'llamacpp');

const enginesText = ({ engines }: Node): string => engines.map(engineTitle).join(', ');
