import { NumberInput } from '@mantine/core';
import type { Schemas } from '../../api/management-api.types';
import classes from './keys.module.css';

export type Limits = Schemas['KeyLimits'];

export const noLimits: Limits = { requests_per_minute: null, tokens_per_minute: null, concurrency: null };

const fields = [
  { name: 'requests_per_minute', label: 'Requests per min' },
  { name: 'tokens_per_minute', label: 'Tokens per min' },
  { name: 'concurrency', label: 'Requests at once' },
] as const;

interface LimitFieldsProps {
  readonly limits: Limits;
  readonly onChange: (limits: Limits) => void;
}

/** Empty: no limit of its own. */
export function LimitFields({ limits, onChange }: LimitFieldsProps) {
  return (
    <div className={classes.limits}>
      {fields.map(({ name, label }) => (
        <NumberInput
          key={name}
          label={label}
          placeholder="no limit yet"
          min={1}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator
          value={limits[name] ?? ''}
          onChange={(value) => onChange({ ...limits, [name]: typeof value === 'number' && value > 0 ? value : null })}
        />
      ))}
    </div>
  );
}
