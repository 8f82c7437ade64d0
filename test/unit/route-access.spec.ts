/** What each route of the relay asks of its caller, and so which roles may use it. */
import { describe, expect, it } from '@jest/globals';
import { declaredRoutes, type DeclaredRoute } from '../../scripts/openapi/declared-routes.js';
import { permits } from '../../src/relay/platform/access/permissions.js';
import { roles } from '../../src/relay/platform/access/principal.js';

const callersOf = ({ access }: DeclaredRoute): string => {
  switch (access?.kind) {
    case undefined:
      return 'nobody';
    case 'public':
      return 'public';
    case 'api-key':
      return `API key with ${access.scope}`;
    case 'management':
      return roles.filter((role) => permits(role, access.permission)).join(' ');
  }
};

describe('the routes of the relay', () => {
  it('the routes of the relay are open to these callers, and there is no other route', () => {
    const found = declaredRoutes().map((route): [string, string] => [
      `${route.method} ${route.path}`,
      callersOf(route),
    ]);
    expect(Object.fromEntries(found)).toEqual({
      'DELETE /api/cli-tokens/:cliTokenId': 'owner',
      'DELETE /api/clusters/:clusterId': 'admin owner',
      'DELETE /api/invites/:inviteId': 'admin owner',
      'DELETE /api/join-tokens/:joinTokenId': 'admin owner',
      'DELETE /api/keys/:idOrName': 'member admin owner',
      'DELETE /api/nodes/:nodeId': 'admin owner',
      'DELETE /api/sessions/:sessionId': 'member admin owner',
      'DELETE /api/users/:userId': 'admin owner',
      'GET /': 'public',
      'GET /agent/engine.tgz': 'public',
      'GET /agent/ferry-node.mjs': 'public',
      'GET /agent/ferry-node.mjs.sha256': 'public',
      'GET /agent/version.json': 'public',
      'GET /api/account': 'member admin owner',
      'GET /api/audit': 'admin owner',
      'GET /api/catalog': 'admin owner',
      'GET /api/catalog/hf/:owner/:repository': 'admin owner',
      'GET /api/cli-tokens': 'owner',
      'GET /api/clusters': 'member admin owner',
      'GET /api/device-login/:userCode': 'member admin owner',
      'GET /api/devices/:userCode': 'member admin owner',
      'GET /api/events': 'member admin owner',
      'GET /api/invites': 'admin owner',
      'GET /api/join-tokens': 'admin owner',
      'GET /api/keys': 'member admin owner',
      'GET /api/models': 'member admin owner',
      'GET /api/nodes': 'member admin owner',
      'GET /api/nodes/:nodeId': 'member admin owner',
      'GET /api/nodes/device-codes/:userCode': 'admin owner',
      'GET /api/oidc/callback': 'public',
      'GET /api/oidc/start': 'public',
      'GET /api/openapi.json': 'public',
      'GET /api/operations': 'member admin owner',
      'GET /api/operations/:id': 'member admin owner',
      'GET /api/operations/:id/events': 'member admin owner',
      'GET /api/operations/events': 'member admin owner',
      'GET /api/overview': 'member admin owner',
      'GET /api/requests': 'member admin owner',
      'GET /api/requests/:id': 'member admin owner',
      'GET /api/requests/running': 'member admin owner',
      'GET /api/sessions': 'member admin owner',
      'GET /api/sign-in/methods': 'public',
      'GET /api/stream-check': 'public',
      'GET /api/usage': 'member admin owner',
      'GET /api/usage/requests': 'member admin owner',
      'GET /api/usage/requests/:id': 'member admin owner',
      'GET /api/usage/series': 'member admin owner',
      'GET /api/users': 'member admin owner',
      'GET /api/whoami': 'member admin owner',
      'GET /console,console/*path': 'public',
      'GET /console/assets/:name': 'public',
      'GET /docs': 'public',
      'GET /docs/assets/:name': 'public',
      'GET /docs/management': 'public',
      'GET /docs/quickstart': 'public',
      'GET /favicon.ico': 'public',
      'GET /install.ps1': 'public',
      'GET /install.sh': 'public',
      'GET /link': 'public',
      'GET /link/challenge': 'public',
      'GET /livez': 'public',
      'GET /openapi.json': 'public',
      'GET /openapi.yaml': 'public',
      'GET /readyz': 'public',
      'GET /v1/models': 'API key with models:read',
      'PATCH /api/account': 'owner',
      'PATCH /api/clusters/:clusterId': 'admin owner',
      'PATCH /api/keys/:idOrName': 'member admin owner',
      'PATCH /api/nodes/:nodeId': 'admin owner',
      'PATCH /api/users/:userId': 'admin owner',
      'POST /api/chat': 'member admin owner',
      'POST /api/clusters': 'admin owner',
      'POST /api/device-login': 'public',
      'POST /api/device-login/approve': 'member admin owner',
      'POST /api/device-login/deny': 'member admin owner',
      'POST /api/device-login/token': 'public',
      'POST /api/devices/:userCode/approve': 'member admin owner',
      'POST /api/devices/:userCode/deny': 'member admin owner',
      'POST /api/invites': 'admin owner',
      'POST /api/invites/accept': 'public',
      'POST /api/invites/show': 'public',
      'POST /api/join-tokens': 'admin owner',
      'POST /api/keys': 'member admin owner',
      'POST /api/keys/:idOrName/roll': 'member admin owner',
      'POST /api/local/console-link': 'owner',
      'POST /api/local/create-owner': 'public',
      'POST /api/local/reset-password': 'public',
      'POST /api/nodes/:nodeId/confirm': 'admin owner',
      'POST /api/nodes/:nodeId/pause': 'admin owner',
      'POST /api/nodes/:nodeId/resume': 'admin owner',
      'POST /api/nodes/device-codes/:userCode/approve': 'admin owner',
      'POST /api/operations': 'admin owner',
      'POST /api/operations/:id/cancel': 'admin owner',
      'POST /api/password': 'member admin owner',
      'POST /api/password/first': 'member admin owner',
      'POST /api/requests/:id/cancel': 'member admin owner',
      'POST /api/sign-in': 'public',
      'POST /api/sign-in/link': 'public',
      'POST /api/sign-out': 'member admin owner',
      'POST /api/sign-out-everywhere': 'member admin owner',
      'POST /api/sign-up': 'public',
      'POST /api/users/:userId/erase': 'owner',
      'POST /api/users/:userId/reset-password': 'admin owner',
      'POST /link/device-code': 'public',
      'POST /link/device-code/token': 'public',
      'POST /link/enrol': 'public',
      'POST /v1/chat/completions': 'API key with inference',
      'POST /v1/completions': 'API key with inference',
      'POST /v1/messages': 'API key with inference',
      'POST /v1/responses': 'API key with inference',
    });
  });
});
