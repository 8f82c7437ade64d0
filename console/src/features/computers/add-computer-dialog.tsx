import { Button, FocusTrap, Modal, Select, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, bodyOf } from '../../api/client';
import type { Schemas } from '../../api/management-api.types';
import { nodesQuery } from '../../api/queries';
import { Choice } from '../../components/choice';
import { CodeBlock } from '../../components/code-block';
import { ErrorPanel } from '../../components/error-panel';
import { AttentionIcon } from '../../components/icons';
import { TextWithCode } from '../../components/text-with-code';
import classes from './computers.module.css';
import { FoundComputers } from './found-computers';
import { TimeLeft } from './time-left';

interface AddComputerDialogProps {
  readonly opened: boolean;
  readonly clusters: readonly Schemas['Cluster'][];
  /** Chosen at first; undefined: the default. */
  readonly cluster: string | undefined;
  readonly onClose: () => void;
}

/** One command with a token that works once, and what came of it. Mount it anew for another token. */
export function AddComputerDialog({ opened, clusters, cluster, onClose }: AddComputerDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add a computer" size="lg">
      {/* The command is not there yet. */}
      <FocusTrap.InitialFocus />
      {opened && <Steps clusters={clusters} cluster={cluster} onClose={onClose} />}
    </Modal>
  );
}

function Steps({ clusters, cluster, onClose }: Omit<AddComputerDialogProps, 'opened'>) {
  const [wanted, setWanted] = useState(cluster ?? null);
  const token = useMutation({
    mutationFn: (clusterId: string | null) =>
      bodyOf(api.POST('/api/join-tokens', { body: clusterId === null ? {} : { cluster_id: clusterId } })),
  });
  const { mutate } = token;
  const asked = useRef<string | null | undefined>(undefined);
  // A token is made once per choice, also where effects run twice.
  useEffect(() => {
    if (asked.current === wanted) return;
    asked.current = wanted;
    mutate(wanted);
  }, [wanted, mutate]);
  const chosen = wanted ?? token.data?.cluster_id ?? null;
  return (
    <div className={classes.steps}>
      {token.data && token.data.warning !== null && <Warning text={token.data.warning} />}
      {clusters.length > 1 && (
        <Select
          label="Cluster"
          data={clusters.map(({ cluster_id, name }) => ({ value: cluster_id, label: name }))}
          value={chosen}
          placeholder="The default"
          onChange={setWanted}
        />
      )}
      {token.error !== null && (
        <ErrorPanel
          title="No token could be made"
          error={token.error}
          onRetry={() => mutate(wanted)}
          command="ferry nodes join-token"
        />
      )}
      {token.data === undefined ? (
        token.error === null && <Skeleton height={96} />
      ) : (
        <Command token={token.data} onRenew={() => mutate(wanted)} renewing={token.isPending} />
      )}
      <Waiting waits={token.error === null} onClose={onClose} />
    </div>
  );
}

const systems = [
  {
    value: 'unix',
    label: 'macOS and Linux',
    where: 'Run this in a terminal of that computer. It needs Node.js 20.19 or newer.',
    shell: 'Terminal',
  },
  {
    value: 'windows',
    label: 'Windows',
    where: 'Run this in PowerShell on that computer. It needs Node.js 20.19 or newer.',
    shell: 'PowerShell',
  },
  { value: 'ferry', label: 'Already has Ferry', where: 'Run this on that computer.', shell: 'Terminal' },
] as const;

/** What to know first. */
function Warning({ text }: { readonly text: string }) {
  return (
    <div className={classes.warning} role="note">
      <AttentionIcon />
      <span>
        <TextWithCode text={text} />
      </span>
    </div>
  );
}

interface CommandProps {
  readonly token: Schemas['JoinToken'];
  readonly onRenew: () => void;
  readonly renewing: boolean;
}

function Command({ token, onRenew, renewing }: CommandProps) {
  const [system, setSystem] = useState<keyof Schemas['JoinToken']['commands']>('unix');
  const { where, shell } = systems.find(({ value }) => value === system) ?? systems[0];
  return (
    <>
      <div>
        <Choice label="System of the computer" data={systems} value={system} onChange={setSystem} />
        <p className={classes.where}>{where}</p>
        <CodeBlock code={token.commands[system]} label="command" title={shell} wrap />
        <div className={classes.token}>
          <p>
            It joins and then serves until it is stopped. The token works once and <TimeLeft until={token.expires_at} />
            .
          </p>
          <Button size="compact-xs" variant="default" loading={renewing} onClick={onRenew}>
            New token
          </Button>
        </div>
      </div>
    </>
  );
}

interface WaitingProps {
  readonly waits: boolean;
  readonly onClose: () => void;
}

/** Computers that were not there when the dialog was opened. */
function Waiting({ waits, onClose }: WaitingProps) {
  const { data: nodes } = useQuery({ ...nodesQuery, refetchInterval: 5_000 });
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  if (nodes !== undefined && known === null) setKnown(new Set(nodes.map(({ node_id }) => node_id)));
  const found = known === null ? [] : (nodes ?? []).filter(({ node_id }) => !known.has(node_id));
  return (
    <div aria-live="polite">
      <FoundComputers found={found} waits={waits} onClose={onClose} />
    </div>
  );
}
