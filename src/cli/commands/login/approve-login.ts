import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { confirm } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';

/** Asks for confirmation: approving a foreign code hands over the account. */
export async function approveLogin(
  invocation: Invocation,
  code: string,
  { yes }: { readonly yes?: true },
): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const hint = 'ferry login on the other computer shows a new code';
  if (yes !== true) {
    const { client_name: name, client_address: address } = await api.get('/api/device-login/{userCode}', {
      path: { userCode: code },
      whenMissing: hint,
    });
    const who = printable(address === null ? name : `${name} (${address})`);
    const question = `Let ${who} act as you? Only if you started that sign-in yourself.`;
    if (!(await confirm(terminal, question))) {
      terminal.note('Nothing was approved.');
      return;
    }
  }
  const response = await api.post('/api/device-login/approve', { body: { user_code: code }, whenMissing: hint });
  terminal.note(`Approved ${printable(code)}: the other computer is signed in within seconds.`);
  await printData(invocation, response, silently);
}
