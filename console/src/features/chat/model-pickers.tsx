import { Button, CloseButton, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nodesQuery, operationsQuery } from '../../api/queries';
import { CheckIcon } from '../../components/icons';
import type { StateInWords } from '../../components/node-facts';
import { StateDot } from '../../components/state-dot';
import classes from './chat.module.css';
import type { ChatSession } from './chat-session';
import list from './model-choices.module.css';
import { installedState, installedText, otherChoice, placesOf, servingText, type ModelChoice } from './model-choice';

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
          aria-label="Compare with another model"
          onClick={() => session.setSecondModel(otherChoice(choices, choice)?.id ?? null)}
        >
          Compare<span className={classes.long}>&nbsp;with another model</span>
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
  const { data: operations = [] } = useQuery(operationsQuery);
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
    if (one.loaded) return servingText(nodes, one.selector, cluster);
    return installedText(placesOf(nodes, operations, one.selector, cluster));
  };
  const stateOf = ({ selector, loaded: serves }: ModelChoice): StateInWords =>
    serves ? { state: 'serving', label: 'Loaded' } : installedState(placesOf(nodes, operations, selector, cluster));
  const dotOf = (one: ModelChoice | undefined) => one && <StateDot {...stateOf(one)} hidden />;
  return (
    <Select
      aria-label={label}
      className={classes.model}
      classNames={{ dropdown: list.choices ?? '', option: list.option ?? '' }}
      leftSection={dotOf(choice)}
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
      comboboxProps={{
        width: 'max-content',
        position: 'top-start',
        // Never narrower than the field above which it opens.
        middlewares: {
          size: {
            apply: ({ rects, elements }) =>
              elements.floating.style.setProperty('min-width', `${rects.reference.width}px`),
          },
        },
      }}
      renderOption={({ option: { value, label: id }, checked }) => (
        <>
          <span className={list.choice}>
            {dotOf(choices.find((one) => one.id === value))}
            <bdi>{id}</bdi>
            <span className={list.about}>{aboutOf(value)}</span>
          </span>
          {checked && <CheckIcon />}
        </>
      )}
    />
  );
}
