import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/api-problem';
import { api, bodyOf } from '../../api/client';
import { whoAmIQuery } from '../../api/queries';
import { hasRole } from '../../api/roles';
import { ErrorPanel } from '../../components/error-panel';
import { SignInAgain } from '../../components/sign-in-again';
import { AccessCard } from '../../layout/access-card';
import classes from './access.module.css';
import type { Device } from './access-queries';
import { DeviceFacts } from './device-facts';
import { DeviceOutcome } from './device-outcome';
import { NodeChoices, type NodeChoice } from './node-choices';
import shared from '../../components/form.module.css';

/** One device, and what is to be done with it. */
export function DeviceDecision({ device }: { readonly device: Device }) {
  const { data: me } = useQuery(whoAmIQuery);
  const [choice, setChoice] = useState<NodeChoice>({ name: device.name, clusterId: null, sameWords: false });
  const path = { userCode: device.user_code };
  const approve = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/devices/{userCode}/approve', {
          params: { path },
          body:
            device.type === 'login'
              ? {}
              : { fingerprint: device.fingerprint, name: choice.name.trim(), cluster_id: choice.clusterId },
        }),
      ),
  });
  const deny = useMutation({
    mutationFn: () => bodyOf(api.POST('/api/devices/{userCode}/deny', { params: { path } })),
  });

  if (approve.data !== undefined) return <DeviceOutcome device={device} node={approve.data.node} />;
  if (deny.data !== undefined) return <DeviceOutcome device={device} denied />;
  const isNode = device.type === 'node';
  const missing = isNode ? missingFrom(choice) : '';
  const mayDecide = hasRole(me?.role, device.role_needed);
  const error = approve.error ?? deny.error;
  return (
    <AccessCard
      title={isNode ? 'Add this computer?' : 'Sign this command line in?'}
      installation={me?.service.name}
      about={
        isNode
          ? 'It wants to run models for your account. Whoever owns it can read every prompt that is sent to it.'
          : `It will be able to do everything that you can do here${me?.user ? `, as ${me.user.email}` : ''}.`
      }
    >
      <div className={shared.form}>
        <DeviceFacts device={device} />
        {isNode && mayDecide && <NodeChoices device={device} value={choice} onChange={setChoice} />}
        {!isNode && (
          <p className={classes.warning}>
            Approve it only if you started <code>ferry login</code> yourself just now. Nobody else needs this from you.
          </p>
        )}
        {error !== null && <DecisionError error={error} device={device} />}
        {mayDecide ? (
          <div className={classes.buttons}>
            <Button
              variant="default"
              c="red"
              loading={deny.isPending}
              disabled={approve.isPending}
              onClick={() => deny.mutate()}
            >
              Deny
            </Button>
            <Button
              loading={approve.isPending}
              disabled={deny.isPending || missing !== ''}
              aria-describedby={isNode ? MISSING_ID : undefined}
              onClick={() => approve.mutate()}
            >
              {isNode ? 'Add computer' : 'Approve sign-in'}
            </Button>
            {isNode && (
              <p id={MISSING_ID} className={classes.missing}>
                {missing}
              </p>
            )}
          </div>
        ) : (
          <p className={classes.warning}>An admin or owner of your account must add a computer. Show them this code.</p>
        )}
      </div>
    </AccessCard>
  );
}

const MISSING_ID = 'missing';

/** @returns empty: the computer can be added */
function missingFrom({ sameWords, name }: NodeChoice): string {
  if (!sameWords) return 'Tick the box first.';
  return name.trim() === '' ? 'Type a name first.' : '';
}

/** An old sign-in approves nothing: an unlocked screen must not let strangers in. */
function DecisionError({ error, device }: { readonly error: unknown; readonly device: Device }) {
  if (ApiProblem.of(error).code !== 'recent_sign_in_needed') return <ErrorPanel error={error} />;
  return (
    <div className={classes.warning} role="alert">
      <p className={classes.question}>Your sign-in is some time ago</p>
      <SignInAgain command={`ferry ${device.type === 'node' ? 'nodes' : 'login'} approve ${device.user_code}`} />
    </div>
  );
}
