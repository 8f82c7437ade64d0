import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData } from '../../core/output/print-data.js';
import type { Schemas } from '../../core/api/management-api.types.js';

export async function showWhoAmI(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const who = await api.get<Schemas['WhoAmI']>('/api/whoami');
  const { terminal } = invocation;
  await printData(invocation, who, () => {
    const facts = [
      ['Account', who.account_id],
      ['User', who.user?.email ?? null],
      ['Role', who.role],
      ['Credential', `${who.credential.name} (${who.credential.kind} ${who.credential.id})`],
      ['Relay', `${who.service.name} ${who.service.version}`],
    ] as const;
    terminal.print(renderFacts(facts, terminal.stdoutColors));
  });
}
