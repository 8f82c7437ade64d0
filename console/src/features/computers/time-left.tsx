import { useInterval } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { clock } from '../../components/format';

/** "expires in 14:31", and "has expired" at its end. @param until seconds since 1970 */
export function TimeLeft({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  const { start, stop } = useInterval(() => setNow(Date.now()), 1_000);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  const left = until - now / 1_000;
  return <span>{left > 0 ? `expires in ${clock(left)}` : 'has expired'}</span>;
}
