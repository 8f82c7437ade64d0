import { SegmentedControl } from '@mantine/core';
import { count } from '../../components/format';
import { isShown, type ModelRow, type Show } from './model-rows';

interface ModelFilterProps {
  readonly rows: readonly ModelRow[];
  readonly show: Show;
  readonly onShow: (show: Show) => void;
}

const choices = [
  { value: '', label: 'All' },
  { value: 'loaded', label: 'Loaded' },
  { value: 'installed', label: 'Installed' },
  { value: 'problem', label: 'Problem' },
] as const;

export function ModelFilter({ rows, show, onShow }: ModelFilterProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Show"
      value={show}
      onChange={onShow}
      data={choices.map(({ value, label }) => ({
        value,
        label: `${label} ${count(rows.filter((row) => isShown(row, value)).length)}`,
      }))}
    />
  );
}

export const isShow = (text: string): text is Show => choices.some(({ value }) => value === text);
