import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { whoAmIQuery } from '../../api/queries';
import { rolesToGive, type Role } from '../../api/roles';
import { queryClient } from '../../api/query-client';
import { CodeBlock } from '../../components/code-block';
import { FormDialog } from '../../components/form-dialog';
import { RelativeTime } from '../../components/relative-time';
import { SecretDialog } from '../../components/secret-dialog';
import { RoleChoice } from './change-member';
import { invitesQuery } from './settings-queries';

/** Makes an invite and shows its link, this once. */
export function NewInvite({ onClose }: { readonly onClose: () => void }) {
  const { data: me } = useQuery(whoAmIQuery);
  const [role, setRole] = useState<Role>('member');
  const create = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/invites', { body: { role } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  });
  const created = create.data;
  if (created !== undefined) {
    const link = created.link ?? created.accept_command;
    return (
      <SecretDialog title="The invite is ready" secret={link} kind="link" onClose={onClose}>
        {(onCopied) => (
          <>
            <p>
              Send this link to one person. It is shown this once, works once, and expires{' '}
              <RelativeTime at={created.expires} />.
            </p>
            <CodeBlock code={link} label="link" title="Invite link" wrap onCopied={onCopied} />
          </>
        )}
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title="Invite somebody"
      action="Create link"
      ready
      pending={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <RoleChoice roles={rolesToGive(me?.role)} value={role} onChange={setRole} />
    </FormDialog>
  );
}
