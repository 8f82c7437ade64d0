import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import { FixedWindow } from '../../../kernel/fixed-window.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import { sharedVerdicts, type SharedVerdict } from '../../nodes/health/health-verdict.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';
import { idText } from '../bus/id-text.js';
import type { MessageBus, Topic } from '../bus/message-bus.js';

const MAX_KEY_CHARACTERS = 1_024;
/** Beyond it, a failure is no news. */
const MAX_PER_SECOND = 50;
const SECOND_MS = 1_000;
/** No request runs longer. */
const MAX_AGE_MS = 86_400_000;

interface VerdictMessage {
  account: AccountId;
  node: NodeId;
  model: string;
  verdict: SharedVerdict;
  /** Milliseconds since the request began: clocks of two computers are not compared. */
  age_ms: number;
}

const verdictTopic: Topic<VerdictMessage> = {
  name: 'health.verdict',
  payload: z.object({
    account: idText<AccountId>(),
    node: idText<NodeId>(),
    model: z.string().max(MAX_KEY_CHARACTERS),
    verdict: z.enum(sharedVerdicts),
    age_ms: z.number().min(0).max(MAX_AGE_MS),
  }),
};

/**
 * Tells the other replicas of requests that failed, so that a model which fails is avoided after as many failures as with one relay, and not
 * after as many at each. A message that is lost costs lateness only. @returns ends it
 */
export function shareHealth(
  bus: Pick<MessageBus, 'publish' | 'subscribe'>,
  health: Pick<NodeHealth, 'verdicts$' | 'judge'>,
  clock: Clock,
): () => void {
  const perSecond = new FixedWindow(clock, SECOND_MS, MAX_PER_SECOND);
  const own = health.verdicts$.subscribe(({ node, report, startedAtMs, verdict }) => {
    if (!perSecond.take() || report.key.length > MAX_KEY_CHARACTERS) return;
    const age = Math.min(MAX_AGE_MS, Math.max(0, clock.monotonicMs() - startedAtMs));
    bus.publish(verdictTopic, {
      account: node.accountId,
      node: node.nodeId,
      model: report.key,
      verdict,
      age_ms: age,
    });
  });
  const unsubscribe = bus.subscribe(verdictTopic, ({ account, node, model, verdict, age_ms: ageMs }) => {
    health.judge({
      node: { accountId: account, nodeId: node },
      report: { key: model },
      startedAtMs: clock.monotonicMs() - ageMs,
      verdict,
    });
  });
  return () => {
    own.unsubscribe();
    unsubscribe();
  };
}
