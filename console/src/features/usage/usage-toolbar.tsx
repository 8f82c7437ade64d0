import { Button, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useUrlState } from '../../components/url-state';
import classes from './usage.module.css';
import { DEFAULT_PRESET, presets } from './usage-range';
import type { Grouping, Measure } from './usage-series';

const groupings: readonly { readonly value: Grouping; readonly label: string }[] = [
  { value: 'model', label: 'By model' },
  { value: 'key', label: 'By key' },
  { value: 'node', label: 'By computer' },
  { value: 'none', label: 'All together' },
];

const measures: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'requests', label: 'Requests' },
];

const CUSTOM = 'custom';

const today = (): string => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
};

/** What the page shows, kept in the URL. */
export function useUsageSelection() {
  const [preset, setPreset] = useUrlState('range', DEFAULT_PRESET);
  const [from, setFrom] = useUrlState('from');
  const [to, setTo] = useUrlState('to');
  const [by, setBy] = useUrlState('by', 'model');
  const [measure, setMeasure] = useUrlState('measure', 'tokens');
  return { preset, setPreset, from, setFrom, to, setTo, by, setBy, measure, setMeasure };
}

export type UsageSelection = ReturnType<typeof useUsageSelection>;

export function UsageToolbar({ selection }: { readonly selection: UsageSelection }) {
  const { preset, setPreset, from, setFrom, to, setTo, by, setBy, measure, setMeasure } = selection;
  return (
    <div className={classes.toolbar}>
      <SegmentedControl
        aria-label="Range"
        data={[...presets, { value: CUSTOM, label: 'Custom' }]}
        value={preset}
        onChange={setPreset}
      />
      {preset === CUSTOM && (
        <Group gap={8} wrap="nowrap">
          <TextInput
            type="date"
            aria-label="First day"
            value={from}
            max={to || today()}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <span aria-hidden="true">–</span>
          <TextInput
            type="date"
            aria-label="Last day"
            value={to}
            min={from}
            max={today()}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        </Group>
      )}
      <NativeSelect
        aria-label="Group"
        w={160}
        data={[...groupings]}
        value={by}
        onChange={(event) => setBy(event.currentTarget.value)}
      />
      <SegmentedControl aria-label="Measure" data={[...measures]} value={measure} onChange={setMeasure} />
    </div>
  );
}

/** Offers text as a file, without any request. */
export function DownloadButton({ name, text }: { readonly name: string; readonly text: () => string }) {
  const download = () => {
    const url = URL.createObjectURL(new Blob([text()], { type: 'text/csv;charset=utf-8' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: name });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Button variant="default" onClick={download}>
      Export CSV
    </Button>
  );
}
