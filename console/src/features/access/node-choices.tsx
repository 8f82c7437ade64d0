import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { clustersQuery } from '../../api/queries';
import classes from './access.module.css';
import type { Device } from './access-queries';

export interface NodeChoice {
  readonly name: string;
  /** null: `home`. */
  readonly clusterId: string | null;
  readonly sameWords: boolean;
}

interface NodeChoicesProps {
  readonly device: Device;
  readonly value: NodeChoice;
  readonly onChange: (value: NodeChoice) => void;
}

/** The fingerprint to compare, and what the node shall be called. */
export function NodeChoices({ device, value, onChange }: NodeChoicesProps) {
  const { data: clusters = [] } = useQuery(clustersQuery);
  return (
    <>
      <div>
        <p className={classes.question} id="fingerprint">
          Compare these words with its own screen
        </p>
        <ol className={classes.words} aria-labelledby="fingerprint">
          {device.fingerprint_words?.map((word, index) => (
            <li key={index}>{word}</li>
          ))}
        </ol>
      </div>
      <Checkbox
        label="Its screen shows the same words"
        checked={value.sameWords}
        onChange={(event) => onChange({ ...value, sameWords: event.currentTarget.checked })}
      />
      <TextInput
        label="Name in Ferry"
        maxLength={64}
        value={value.name}
        onChange={(event) => onChange({ ...value, name: event.currentTarget.value })}
      />
      {clusters.length > 1 && (
        <NativeSelect
          label="Cluster"
          data={clusters.map(({ cluster_id, name }) => ({ value: cluster_id, label: name }))}
          value={value.clusterId ?? clusters.find(({ name }) => name === 'home')?.cluster_id}
          onChange={(event) => onChange({ ...value, clusterId: event.currentTarget.value })}
        />
      )}
    </>
  );
}
