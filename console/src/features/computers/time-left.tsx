import { useInterval } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { clock } from '../../components/format';

/** "for another 14:31", and "and has expired" at its end. @param until seconds since 1970 */
export function TimeLeft({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  const { start, stop } = useInterval(() => setNow(Date.now()), 1_000);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  const left = until - now / 1_000;
  return <span>{left > 0 ? `for another ${clock(left)}` : 'and has expired'}</span>;
}
