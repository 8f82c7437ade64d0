import { ApiProperty } from 'nest-swagger';
import type { RelayConfig } from '../../platform/config/relay-config.js';
import { ServiceRecord } from '../users/who-am-i.js';

export class OidcMethod {
  @ApiProperty({ description: 'Whether a provider is configured. If so, `/api/oidc/start` redirects to it.' })
  readonly enabled: boolean;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Host of the provider.',
    example: 'login.example.com',
  })
  readonly name: string | null;
}

export class SignInMethods {
  @ApiProperty({ enum: ['sign_in_methods'] })
  readonly object: 'sign_in_methods';
  @ApiProperty({
    example: true,
    description: 'Whether browsers can sign in. Over a network this needs https; see `FERRY_BASE_URL`.',
  })
  readonly browser: boolean;
  @ApiProperty({ enum: [true] })
  readonly password: true;
  @ApiProperty({ type: () => OidcMethod })
  readonly oidc: OidcMethod;
  @ApiProperty({ description: 'Whether everybody may create an account.' })
  readonly sign_up: boolean;
  @ApiProperty({ type: () => ServiceRecord })
  readonly service: ServiceRecord;
}

/** @param browser whether a session cookie can be set at the address of the relay */
export function signInMethods(
  { settings, serviceName, version }: Pick<RelayConfig, 'settings' | 'serviceName' | 'version'>,
  browser: boolean,
): SignInMethods {
  const { oidcIssuer, oidcClientId, signUp } = settings;
  const enabled = oidcIssuer !== undefined && oidcClientId !== undefined;
  return {
    object: 'sign_in_methods',
    browser,
    password: true,
    oidc: { enabled, name: enabled ? new URL(oidcIssuer).host : null },
    sign_up: signUp === 'open',
    service: { name: serviceName, version },
  };
}
