import { Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem } from '../../api/api-problem';
import { whoAmIQuery } from '../../api/queries';
import { ErrorPanel } from '../../components/error-panel';
import { AccessCard } from '../../layout/access-card';
import { usePageSearch } from '../../layout/use-page-search';
import classes from './access.module.css';
import { deviceQuery } from './access-queries';
import { DeviceDecision } from './device-decision';
import shared from '../../components/form.module.css';

/** Approves `ferry login` and `ferry node join --device-code`: whoever comes here need not know which of them they started. */
export function DevicePage() {
  const { code = '' } = usePageSearch();
  // Leads to the sign-in page, and back, when nobody is signed in.
  const { data: me, error, refetch } = useQuery(whoAmIQuery);
  if (error !== null) {
    return (
      <AccessCard title="Approve a device">
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </AccessCard>
    );
  }
  if (me === undefined) return <Loading />;
  return code === '' ? <CodeForm /> : <DeviceOf code={code} key={code} />;
}

function DeviceOf({ code }: { readonly code: string }) {
  const { data: device, error, refetch } = useQuery(deviceQuery(code));
  if (device !== undefined) return <DeviceDecision device={device} />;
  if (error === null) return <Loading />;
  if (ApiProblem.of(error).code === 'not_found') return <CodeForm wrongCode={code} />;
  return (
    <AccessCard title="Approve a device">
      <ErrorPanel error={error} onRetry={() => void refetch()} />
    </AccessCard>
  );
}

/** @param wrongCode that nothing waits with */
function CodeForm({ wrongCode = '' }: { readonly wrongCode?: string }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(wrongCode);
  return (
    <AccessCard
      title="Approve a device"
      about={
        <>
          Type the code that <code>ferry login</code> or <code>ferry node join --device-code</code> shows.
        </>
      }
    >
      <form
        className={shared.form}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: '/device', search: { code: typed.trim().toUpperCase() } });
        }}
      >
        <TextInput
          label="Code"
          placeholder="XXXX-XXXX"
          className={classes.code}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
          withAsterisk={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={
            wrongCode !== '' &&
            typed === wrongCode &&
            'There is no pending request with this code: it is mistyped, expired or already used.'
          }
        />
        <Button type="submit">Continue</Button>
      </form>
    </AccessCard>
  );
}

const Loading = () => (
  <AccessCard title="Approve a device">
    <div className={shared.form} role="status" aria-busy="true" aria-label="Looking the code up">
      <Skeleton height={60} />
      <Skeleton height={36} />
    </div>
  </AccessCard>
);
