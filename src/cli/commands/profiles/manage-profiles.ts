import { readCredentials } from '../../core/api/credentials-file.js';
import { findProfile } from '../../core/api/find-connection.js';
import {
  chooseProfile,
  DEFAULT_PROFILE,
  listProfileNames,
  profilePath,
  removeProfile,
} from '../../core/api/profiles.js';
import { didYouMean } from '../../core/args/pick-named.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { confirm } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import type { Profile } from './profile.shape.js';

const columns: readonly Column<Profile>[] = [
  { heading: 'PROFILE', value: ({ name }) => name, whole: true },
  { heading: 'IN USE', value: ({ in_use }) => (in_use ? 'yes' : '') },
  { heading: 'RELAY', value: ({ base_url }) => base_url ?? 'unreadable', min: 20 },
  { heading: 'API KEY', value: ({ api_key }) => (api_key ? 'yes' : ''), expendable: 1 },
  { heading: 'ACCOUNT', value: ({ account_id }) => account_id ?? '', whole: true, wide: true },
  { heading: 'FILE', value: ({ file }) => file, whole: true, wide: true },
];

export async function listProfiles(invocation: Invocation): Promise<void> {
  const { env } = invocation;
  const { value: current } = await findProfile(invocation);
  const rows = await Promise.all(
    (await listProfileNames(env)).map(async (name): Promise<Profile> => {
      const file = profilePath(env, name);
      // One invalid file must not hide the others.
      const stored = await readCredentials(file).catch(() => undefined);
      return {
        name,
        in_use: name === current,
        base_url: stored?.base_url ?? null,
        account_id: stored?.account_id ?? null,
        api_key: stored?.api_key !== undefined,
        file,
      };
    }),
  );
  await printList(invocation, { rows, columns, whenEmpty: 'no sign-ins yet; make one with: ferry login URL' });
}

export async function useProfile(invocation: Invocation, name: string): Promise<void> {
  const { env, terminal } = invocation;
  // `default` may be selected before `ferry up` has written it.
  const known = await listProfileNames(env);
  if (name !== DEFAULT_PROFILE && !known.includes(name)) throw unknownProfile(name, known);
  await chooseProfile(env, name);
  terminal.note(`Commands use profile ${name} from now on.`);
  await printData(invocation, { profile: name }, silently);
}

export async function forgetProfile(
  invocation: Invocation,
  name: string,
  { yes }: { readonly yes?: true },
): Promise<void> {
  const { env, terminal } = invocation;
  const known = await listProfileNames(env);
  if (!known.includes(name)) throw unknownProfile(name, known);
  if (yes !== true && !(await confirm(terminal, `Remove profile ${name}, and the API key that it keeps?`))) {
    terminal.note('Nothing was removed.');
    return;
  }
  if (!(await removeProfile(env, name))) throw unknownProfile(name, known);
  terminal.note(`Forgot profile ${name}. Its token is valid still; an owner ends it with: ferry users revoke-token`);
  await printData(invocation, { profile: name }, silently);
}

const unknownProfile = (name: string, known: readonly string[]): CliError =>
  new CliError('profile_not_found', exitCodes.notFound, `there is no profile "${name}"`, {
    hint:
      didYouMean(name, known) ??
      `ferry profiles lists those that there are; ferry login URL --profile ${name} makes it`,
  });
