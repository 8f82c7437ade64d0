/** Notifications of the browser about what needs attention, also while the page is hidden and has no feed. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { needsAttention, subjectOf, type Operation } from '../api/operation-state';
import { operationsQuery, overviewQuery } from '../api/queries';
import type { Schemas } from '../api/management-api.types';
import { failedWords } from '../components/operation-words';

interface Notice {
  readonly key: string;
  readonly text: string;
}

const EVERY_MS = 30_000;
/** A relay that restarts has no computers for a moment: what has passed by then is not worth a notification. */
const SETTLED_MS = 10_000;

const noticesOf = (
  attention: Schemas['Overview']['attention'],
  operations: readonly Operation[],
): readonly Notice[] => [
  ...attention.map(({ code, node_id, key_id, message }) => ({ key: `${code} ${node_id} ${key_id}`, text: message })),
  ...operations
    .filter((operation) => needsAttention(operation))
    .map((operation) => ({
      key: operation.id,
      text: `${failedWords(operation)}: ${subjectOf(operation)} on ${operation.node_name}`,
    })),
];

export default function AttentionNotices() {
  const queries = useQueryClient();
  const polled = { refetchInterval: EVERY_MS, refetchIntervalInBackground: true } as const;
  const { data: overview } = useQuery({ ...overviewQuery, ...polled });
  const { data: operations } = useQuery({ ...operationsQuery, ...polled });
  /** What was there at first is on the page already. */
  const known = useRef<Set<string> | null>(null);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());

  useEffect(() => {
    if (overview === undefined || operations === undefined) return;
    const current = noticesOf(overview.attention, operations);
    const before = known.current;
    known.current = new Set(current.map(({ key }) => key));
    for (const notice of before === null ? [] : current.filter(({ key }) => !before.has(key))) {
      const timer = setTimeout(() => {
        timers.current.delete(timer);
        const now = queries.getQueryData(overviewQuery.queryKey)?.attention ?? [];
        const latest = noticesOf(now, queries.getQueryData(operationsQuery.queryKey) ?? []);
        if (latest.some(({ key }) => key === notice.key)) show(notice);
      }, SETTLED_MS);
      timers.current.add(timer);
    }
  }, [overview, operations, queries]);

  useEffect(() => {
    const pending = timers.current;
    return () => {
      for (const timer of pending) clearTimeout(timer);
    };
  }, []);
  return null;
}

/** One per cause: the browser replaces an older one with the same tag. */
function show({ key, text }: Notice): void {
  const notification = new Notification('Ferry', { body: text, tag: key });
  notification.addEventListener('click', () => globalThis.focus());
}
