import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery, modelsQuery, nodesQuery, whoAmIQuery } from '../../api/queries';
import { FilterField } from '../../components/filter-field';
import { useTypedFilter } from '../../components/typed-filter';
import { useUrlState } from '../../components/url-state';
import { dialectNames, outcomeNames, outcomeOf } from '../../components/outcomes';
import { requestIdPart } from '../../components/request-id';
import type { LogFilter } from './request-log';
import classes from './requests.module.css';

const ranges = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
];

interface Option {
  readonly value: string;
  readonly label: string;
}

interface FilterSelectProps {
  readonly label: string;
  readonly any: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

/** The browser's own: six of Mantine's take longer to draw than the whole table. */
function FilterSelect({ label, any, value, options, onChange }: FilterSelectProps) {
  const known = options.some((option) => option.value === value);
  // A link may name something that is gone: it still has to be shown to be taken away.
  const own = value === '' || known ? [] : [{ value, label: value }];
  return (
    <NativeSelect
      aria-label={label}
      size="sm"
      className={classes.filter}
      data={[{ value: '', label: any }, ...options, ...own]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const outcomeOptions = outcomeNames.map((value) => ({ value, label: outcomeOf(value).label }));
const dialectOptions = Object.entries(dialectNames).map(([value, label]) => ({ value, label }));

/** What the log is limited to, kept in the URL. */
export function useLogFilter(): { readonly values: LogFilter; readonly active: boolean } {
  const [outcome] = useUrlState('outcome');
  const [model] = useUrlState('model');
  const [key_id] = useUrlState('key_id');
  const [node_id] = useUrlState('node_id');
  const [dialect] = useUrlState('dialect');
  const [since] = useUrlState('since');
  const [request_id] = useUrlState('request_id');
  const given = Object.entries({ outcome, model, key_id, node_id, dialect, since, request_id }).filter(
    ([, value]) => value !== '',
  );
  return { values: Object.fromEntries(given), active: given.length > 0 };
}

export function RequestFilters({ onClear }: { readonly onClear: (() => void) | undefined }) {
  const [outcome, setOutcome] = useUrlState('outcome');
  const [model, setModel] = useUrlState('model');
  const [keyId, setKeyId] = useUrlState('key_id');
  const [nodeId, setNodeId] = useUrlState('node_id');
  const [dialect, setDialect] = useUrlState('dialect');
  const [since, setSince] = useUrlState('since');
  const { typed, setTyped, settle } = useTypedFilter(useUrlState('request_id'), (text) => requestIdPart(text) ?? '');
  /** On a phone, where they would fill the screen. */
  const [open, setOpen] = useState(false);
  const active = [since, outcome, model, keyId, nodeId, dialect].filter((value) => value !== '').length;
  const { data: models = [] } = useQuery(modelsQuery);
  const { data: nodes = [] } = useQuery(nodesQuery);
  const { data: keys = [] } = useQuery(keysQuery);
  const { data: me } = useQuery(whoAmIQuery);
  const website = me?.user == null ? [] : [{ value: me.user.user_id, label: 'Website (you)' }];
  return (
    <div className={classes.bar}>
      <div className={classes.fields} data-open={open || undefined}>
        <FilterField label="Request id" value={typed} onType={setTyped} onSettle={settle} className={classes.search} />
        <Button className={classes.filtersButton} variant="default" aria-expanded={open} onClick={() => setOpen(!open)}>
          {active === 0 ? 'Filters' : `Filters (${active})`}
        </Button>
        {typed !== '' && requestIdPart(typed) === null && (
          <span className={classes.hint}>Type at least four digits of an id.</span>
        )}
        <FilterSelect label="Time" any="Any time" value={since} options={ranges} onChange={setSince} />
        <FilterSelect
          label="Outcome"
          any="Any outcome"
          value={outcome}
          options={outcomeOptions}
          onChange={setOutcome}
        />
        <FilterSelect
          label="Model"
          any="All models"
          value={model}
          options={models.map(({ selector, id }) => ({ value: selector, label: id }))}
          onChange={setModel}
        />
        <FilterSelect
          label="Key"
          any="All keys"
          value={keyId}
          options={[...website, ...keys.map(({ key_id, name }) => ({ value: key_id, label: name }))]}
          onChange={setKeyId}
        />
        <FilterSelect
          label="Computer"
          any="All computers"
          value={nodeId}
          options={nodes.map(({ node_id, name }) => ({ value: node_id, label: name }))}
          onChange={setNodeId}
        />
        <FilterSelect
          label="Protocol"
          any="All protocols"
          value={dialect}
          options={dialectOptions}
          onChange={setDialect}
        />
        {onClear !== undefined && (
          <Button className={classes.clear} variant="subtle" size="compact-sm" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}
