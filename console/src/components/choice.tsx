import { SegmentedControl, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { PHONE } from './breakpoints';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly data: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** More do not fit into one line of a dialog. */
const MOST_IN_LINE = 4;

/** One of several, in one line: all of them where they have room, or else a list that opens. */
export function Choice<Value extends string>({ label, data, value, onChange }: ChoiceProps<Value>) {
  const isPhone = useMediaQuery(PHONE);
  if (isPhone || data.length > MOST_IN_LINE) {
    return (
      <Select label={label} data={data} value={value} onChange={(chosen) => chosen !== null && onChange(chosen)} />
    );
  }
  return <SegmentedControl aria-label={label} data={[...data]} value={value} onChange={onChange} fullWidth />;
}
