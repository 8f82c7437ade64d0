import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData } from '../../core/output/print-data.js';
import type { WhoAmI } from './who-am-i.shape.js';

export async function showWhoAmI(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const who = await api.get<WhoAmI>('/api/whoami');
  const { terminal } = invocation;
  await printData(invocation, who, () => {
    const facts = [
      ['Account', who.account_id],
      ['User', who.user?.email ?? who.user?.name ?? who.user?.user_id ?? null],
      ['Role', who.role ?? null],
      ['Credential', `${who.credential.name} (${who.credential.kind} ${who.credential.id})`],
      ['Relay', `${who.service.name} ${who.service.version}`],
    ] as const;
    terminal.print(renderFacts(facts, terminal.stdoutColors));
  });
}
