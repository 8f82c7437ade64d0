/** CPU of one routing decision on ten nodes: eligibility, selection, learning and the record for an explanation. */
import { systemClock } from '../../src/kernel/clock.js';
import { createRequestId, type ApiKeyId } from '../../src/kernel/ids.js';
import { createContext } from '../../src/relay/platform/http/request-context.js';
import { createSelection } from '../../src/relay/routing/create-routing.js';
import { RequestTracker } from '../../src/relay/routing/explain/request-tracker.js';
import { DecisionLog } from '../../src/relay/routing/explain/decision-log.js';
import type { ObservedRequest } from '../../src/relay/routing/request/routed-request.js';
import { TimerWheel } from '../../src/relay/platform/timing/timer-wheel.js';
import { slotAt } from '../../src/relay/routing/selection/capacity.js';
import { profileOf } from '../../src/relay/protocols/understood-request.js';
import { question } from '../simulator/policy.js';
import { SharingEngine } from '../simulator/sharing-engine.js';
import { account, MODEL, SimulatedFleet, SimulatedNode } from '../simulator/simulated-node.js';
import { VirtualTime } from '../simulator/virtual-time.js';

const NODES = 10;
const ROUNDS = 5;
const REQUESTS = 100_000;

const time = new VirtualTime();
const fleet = new SimulatedFleet(
  Array.from({ length: NODES }, (_, index) => {
    const traits = {
      name: `node-${index}`,
      slots: 16,
      prefillTokensPerSecond: 1_000,
      decodeTokensPerSecond: 50,
      contention: 0.2,
      roundTripMs: 5,
      chunkTokens: 512,
      kvTokens: 65_536,
      cachedPrompts: 0,
      contextTokens: 32_768,
    };
    return new SimulatedNode(traits, new SharingEngine(traits, time));
  }),
);
const body = {
  model: MODEL,
  messages: [
    { role: 'system', content: 'You are a helpful assistant. '.repeat(20) },
    { role: 'user', content: 'Tell me about rivers. '.repeat(10) },
  ],
};
const envelope = { dialect: 'chat', model: MODEL, stream: true } as const;
const options = {
  clock: systemClock,
  timers: new TimerWheel(),
  random: Math.random,
  fleetOf: () => fleet,
  settings: { queueLimit: 100, affinityKeys: 50_000 },
};

const microseconds = (once: () => void): string => {
  const results: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const beganMs = performance.now();
    for (let request = 0; request < REQUESTS; request += 1) once();
    results.push(((performance.now() - beganMs) * 1_000) / REQUESTS);
  }
  return Math.min(...results).toFixed(2);
};

const { finder: leastBusy } = createSelection({ ...options, choice: 'least-busy' });
const { finder, stats, occupancy } = createSelection(options);
const profile = profileOf({}, envelope, body, 1_000, question.requirements);
const log = new DecisionLog(systemClock, { explainedRequests: 5_000, explainedBytes: 16_777_216 }, () => ({
  candidates: [],
  placements: 0,
  chosen: null,
}));
const observers = new RequestTracker(stats, log, occupancy, systemClock);
const excluded = new Set<never>();

const wholeCourse = (): void => {
  const request: ObservedRequest = {
    token: 0,
    routed: {
      context: createContext(createRequestId(), { ms: 0, bytes: 0 }),
      accountId: account,
      keyPublicId: 'key_bench' as ApiKeyId,
      query: question,
      stream: true,
      headers: {},
      profile,
    },
    timeline: { queuedMs: 0 },
  };
  const found = finder.find(account, question, excluded, profile);
  observers.decided(request, found.decision);
  if (found.kind !== 'free') throw new Error('the fleet is full');
  occupancy.move(request.token, slotAt(found.placement));
  observers.sent(request, found);
  observers.begun(request);
  const usage = {
    input_tokens: 250,
    output_tokens: 100,
    cached_tokens: 0,
    reasoning_tokens: 0,
    source: 'engine',
  } as const;
  const timings = { first_event_ms: 270, total_ms: 2_270 };
  observers.ended(request, { outcome: 'completed', error: null, reset: null, usage, timings });
  occupancy.move(request.token, null);
};

const figures = {
  nodes: NODES,
  profile_us: microseconds(() => profileOf({}, envelope, body, 1_000, question.requirements)),
  least_busy_us: microseconds(() => leastBusy.find(account, question, excluded)),
  predicted_us: microseconds(() => finder.find(account, question, excluded, profile)),
  whole_course_us: microseconds(wholeCourse),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
