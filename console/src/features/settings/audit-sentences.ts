/** What the audit trail records, as the rest of a sentence that begins with who did it. */

/** The name of what was changed follows. */
const ofSomething: Readonly<Record<string, string>> = {
  'account.create': 'created the account',
  'account.rename': 'renamed the account to',
  'cli-token.create': 'signed in the command line',
  'cli-token.revoke': 'signed out the command line',
  'cluster.create': 'created the cluster',
  'cluster.delete': 'deleted the cluster',
  'cluster.rename': 'renamed a cluster to',
  'key.create': 'created the key',
  'key.revoke': 'revoked the key',
  'key.roll': 'rolled the key',
  'key.update': 'changed the key',
  'node.approve': 'approved the computer',
  'node.confirm': 'confirmed the computer',
  'node.confirm_refused': 'compared other words for the computer',
  'node.delete': 'removed the computer',
  'node.deny': 'refused the computer',
  'node.enrol': 'added the computer',
  'node.pause': 'paused the computer',
  'node.resume': 'resumed the computer',
  'node.revoke': 'revoked the computer',
  'node.update': 'changed the computer',
  'user.create': 'added the user',
  'user.delete': 'removed the user',
  'user.disable': 'disabled the user',
  'user.enable': 'enabled the user',
  'user.erase': 'erased the data of the user',
  'user.password-reset': 'reset the password of the user',
  'user.rename': 'renamed a user to',
  'user.role': 'changed the role of the user',
};

/** Whole: its object has no name, or is the person who did it. */
const whole: Readonly<Record<string, string>> = {
  'console-link.create': 'created a sign-in link',
  'console-link.use': 'signed in with a link',
  'invite.accept': 'accepted an invite',
  'invite.create': 'created an invite',
  'invite.revoke': 'revoked an invite',
  'join_token.create': 'created a join token',
  'join_token.revoke': 'revoked a join token',
  'request.cancel': 'stopped a request',
  'session.create': 'signed in',
  'session.delete': 'signed out',
  'user.connect': 'connected a sign-in with OpenID',
  'user.join': 'joined with OpenID',
  'user.password': 'chose a password',
  'user.sign-out-everywhere': 'signed out everywhere',
};

interface AuditPhrase {
  readonly text: string;
  /** The name of the object belongs behind it. */
  readonly namesObject: boolean;
}

const verbs: Readonly<Record<string, string>> = {
  install: 'install',
  load: 'load',
  unload: 'unload',
  remove: 'remove',
};

/** The name of a model follows, and its computer. */
const ofModel: Readonly<Record<string, (verb: string) => string>> = {
  'operation.cancel': (verb) => `cancelled the request to ${verb}`,
  'operation.create': (verb) => `asked to ${verb}`,
  'operation.dismiss': (verb) => `dismissed the failure to ${verb}`,
};

/** @returns undefined for what a newer relay records: its code has to do */
export function auditPhrase(action: string, detail: Readonly<Record<string, unknown>>): AuditPhrase | undefined {
  if (Object.hasOwn(ofModel, action)) {
    const kind = String(detail['kind']);
    const verb = Object.hasOwn(verbs, kind) ? verbs[kind] : undefined;
    return { text: ofModel[action]?.(verb ?? 'change') ?? action, namesObject: true };
  }
  const text = Object.hasOwn(whole, action) ? whole[action] : undefined;
  if (text !== undefined) return { text, namesObject: false };
  const named = Object.hasOwn(ofSomething, action) ? ofSomething[action] : undefined;
  return named === undefined ? undefined : { text: named, namesObject: true };
}
