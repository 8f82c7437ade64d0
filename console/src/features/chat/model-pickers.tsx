import { Button, CloseButton, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nodesQuery } from '../../api/queries';
import { CheckIcon } from '../../components/icons';
import { StateDot } from '../../components/state-dot';
import classes from './chat.module.css';
import type { ChatSession } from './chat-session';
import { installedText, otherChoice, servingText, type ModelChoice } from './model-choice';

interface ModelPickersProps {
  readonly session: ChatSession;
  readonly choices: readonly ModelChoice[];
  readonly choice: ModelChoice | undefined;
  readonly second: ModelChoice | undefined;
  readonly cluster: string | undefined;
}

/** The model that answers, and a second one beside it where wanted. */
export function ModelPickers({ session, choices, choice, second, cluster }: ModelPickersProps) {
  return (
    <div className={classes.models} data-two={second !== undefined || undefined}>
      <ModelSelect
        label="Model"
        choices={choices}
        choice={choice}
        taken={second && { id: second.id, as: 'second' }}
        cluster={cluster}
        onChoose={session.setModel}
      />
      {second === undefined ? (
        <Button
          className={classes.compare}
          variant="default"
          disabled={choices.length === 0}
          onClick={() => session.setSecondModel(otherChoice(choices, choice)?.id ?? null)}
        >
          Compare with another
        </Button>
      ) : (
        <>
          <ModelSelect
            label="Second model"
            choices={choices}
            choice={second}
            taken={choice && { id: choice.id, as: 'first' }}
            cluster={cluster}
            onChoose={(model) => session.setSecondModel(model)}
          />
          <CloseButton
            size={36}
            iconSize={16}
            aria-label="Stop comparing"
            title="Stop comparing"
            onClick={() => session.setSecondModel(null)}
          />
        </>
      )}
    </div>
  );
}

interface ModelSelectProps {
  readonly label: string;
  readonly choices: readonly ModelChoice[];
  readonly choice: ModelChoice | undefined;
  /** Answers on the other side. */
  readonly taken: { readonly id: string; readonly as: 'first' | 'second' } | undefined;
  readonly cluster: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** More entries are found by typing. */
const UNSEARCHED_CHOICES = 8;

function ModelSelect({ label, choices, choice, taken, cluster, onChoose }: ModelSelectProps) {
  const { data: nodes = [] } = useQuery(nodesQuery);
  const loaded = choices.filter((one) => one.loaded);
  const installed = choices.filter((one) => !one.loaded);
  // With a single model both sides have the same one: it stays what it is.
  const isTaken = (id: string): boolean => id === taken?.id && id !== choice?.id;
  const options = (group: readonly ModelChoice[]) =>
    group.map(({ id }) => ({ value: id, label: id, disabled: isTaken(id) }));
  const aboutOf = (id: string): string => {
    const one = choices.find((other) => other.id === id);
    if (isTaken(id)) return `already the ${taken?.as ?? 'other'} model`;
    if (one === undefined) return '';
    return (one.loaded ? servingText : installedText)(nodes, one.selector, cluster);
  };
  return (
    <Select
      aria-label={label}
      className={classes.model}
      classNames={{ dropdown: classes.choices ?? '', option: classes.option ?? '' }}
      leftSection={
        choice && (
          <StateDot state={choice.loaded ? 'serving' : 'off'} label={choice.loaded ? 'Loaded' : 'Not loaded'} hidden />
        )
      }
      leftSectionWidth={28}
      data={[
        { group: `Loaded (${loaded.length})`, items: options(loaded) },
        { group: `Installed (${installed.length})`, items: options(installed) },
      ].filter(({ items }) => items.length > 0)}
      value={choice?.id ?? null}
      onChange={(id) => {
        if (id !== null) onChoose(id);
      }}
      searchable={choices.length > UNSEARCHED_CHOICES}
      limit={100}
      maxDropdownHeight={320}
      comboboxProps={{ width: 'max-content', position: 'top-start' }}
      renderOption={({ option: { value, label: id }, checked }) => (
        <>
          <span className={classes.choice}>
            <bdi>{id}</bdi>
            <span className={classes.facts}>{aboutOf(value)}</span>
          </span>
          {checked && <CheckIcon />}
        </>
      )}
    />
  );
}
