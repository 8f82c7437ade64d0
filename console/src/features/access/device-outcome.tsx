import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/management-api.types';
import { CommandChoice } from '../../components/command-choice';
import { nodeCommands } from '../../components/node-commands';
import { AccessCard } from '../../layout/access-card';
import classes from './access.module.css';
import type { Device } from './access-queries';
import shared from '../../components/form.module.css';

interface DeviceOutcomeProps {
  readonly device: Device;
  readonly denied?: boolean;
  /** What an approved computer became. */
  readonly node?: Schemas['Node'] | null;
}

export function DeviceOutcome({ device, denied = false, node = null }: DeviceOutcomeProps) {
  return (
    <AccessCard title={titleOf(device, denied, node)}>
      <div className={shared.form}>
        <p className={classes.other}>{textOf(device, denied)}</p>
        {node !== null && <CommandChoice commands={nodeCommands('run', node.platform)} />}
        {node === null ? (
          <Button component={Link} to="/" variant="default">
            Go to the overview
          </Button>
        ) : (
          <Link to="/computers/$nodeId" params={{ nodeId: node.node_id }} style={{ color: 'var(--accent)' }}>
            Look at {node.name}
          </Link>
        )}
      </div>
    </AccessCard>
  );
}

const titleOf = ({ name }: Device, denied: boolean, node: Schemas['Node'] | null): string => {
  if (denied) return `${name} was denied`;
  return node === null ? `${name} is signed in` : `${node.name} was added`;
};

const textOf = ({ type }: Device, denied: boolean): string => {
  if (denied)
    return 'It learns so within seconds, and its code is dead. If you did not start it, nothing else is needed.';
  return type === 'login'
    ? 'It goes on within seconds. You can close this page; Settings, Sessions signs it out again.'
    : 'It goes on within seconds. You can close this page. Where it does not run by itself then, start it there:';
};
