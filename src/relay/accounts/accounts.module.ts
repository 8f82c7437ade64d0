import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from './audit/audit.module.js';
import { AccountEntity } from './account.entity.js';
import { AccountController } from './account/account.controller.js';
import { AccountOverviewStore } from './account/account-overview.store.js';
import { ConsoleLinkEntity } from './console-links/console-link.entity.js';
import { ConsoleLinksController } from './console-links/console-links.controller.js';
import { ConsoleLinksService } from './console-links/console-links.service.js';
import { ConsoleLinksStore } from './console-links/console-links.store.js';
import { DeviceLoginController } from './device-login/device-login.controller.js';
import { InvitesController } from './invites/invites.controller.js';
import { OidcController } from './oidc/oidc.controller.js';
import { SessionController } from './sign-in/session.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { ResetPasswordController } from './passwords/reset-password.controller.js';
import { LocalResetController } from './passwords/local-reset.controller.js';
import { UsersController } from './users/users.controller.js';
import { WhoAmIController } from './users/whoami.controller.js';
import { AccountsStore } from './accounts.store.js';
import { CliTokenEntity } from './cli-token.entity.js';
import { CliTokensService } from './cli-tokens.service.js';
import { CliTokensStore } from './cli-tokens.store.js';
import { CliTokensController } from './cli-tokens/cli-tokens.controller.js';
import { AccountCliTokensService } from './cli-tokens/account-cli-tokens.service.js';
import { CredentialsService } from './credentials.service.js';
import { GrantedAccessStore } from './granted-access.store.js';
import { AccountOwner } from './users/account-owner.js';
import { DeviceLoginEntity } from './device-login/device-login.entity.js';
import { DeviceLoginsService } from './device-login/device-logins.service.js';
import { DeviceLoginsStore } from './device-login/device-logins.store.js';
import { InviteEntity } from './invites/invite.entity.js';
import { InvitesService } from './invites/invites.service.js';
import { InvitesStore } from './invites/invites.store.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { OpenIdProvider } from './oidc/openid-provider.js';
import { CredentialRetention } from './retention/credential-retention.js';
import { EndedCredentialsStore } from './retention/ended-credentials.store.js';
import { ErasureStore } from './users/erasure.store.js';
import { RemovedPeopleStore } from './users/removed-people.store.js';
import { RemovedPersonEntity } from './users/removed-person.entity.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { SessionEntity } from './sessions/session.entity.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { UserCredentialsService } from './sessions/user-credentials.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SessionsStore } from './sessions/sessions.store.js';
import { AddressLimits } from '../platform/limits/address-limits.js';
import { SignInFailureEntity } from './passwords/sign-in-failure.entity.js';
import { SignInFailuresStore } from './passwords/sign-in-failures.store.js';
import { SignInGuard } from './passwords/sign-in-guard.js';
import { SignInResponder } from './sign-in/sign-in-responder.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignUpService } from './sign-in/sign-up.service.js';
import { LocalOwnersService } from './passwords/local-owners.service.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { UserEntity } from './users/user.entity.js';
import { UsersService } from './users/users.service.js';
import { UsersStore } from './users/users.store.js';

const entities = [
  AccountEntity,
  CliTokenEntity,
  ConsoleLinkEntity,
  UserEntity,
  SessionEntity,
  InviteEntity,
  SignInFailureEntity,
  DeviceLoginEntity,
  RemovedPersonEntity,
];

/** Exported; the stores stay private to this module. */
const services = [
  AddressLimits,
  AccountsStore,
  CliTokensService,
  CredentialsService,
  SessionsService,
  UsersService,
  LocalOwnersService,
  PasswordsService,
  SignInService,
  SignInResponder,
  SignUpService,
  InvitesService,
  DeviceLoginsService,
  OpenIdProvider,
  OidcSignInService,
];

@Module({
  imports: [TypeOrmModule.forFeature(entities), AuditModule],
  controllers: [
    SignInController,
    ConsoleLinksController,
    SessionController,
    SessionsController,
    CliTokensController,
    AccountController,
    WhoAmIController,
    UsersController,
    ResetPasswordController,
    LocalResetController,
    OidcController,
    InvitesController,
    DeviceLoginController,
  ],
  providers: [
    AccountOverviewStore,
    ConsoleLinksStore,
    ConsoleLinksService,
    UserCredentialsService,
    AccountCliTokensService,
    AccountOwner,
    GrantedAccessStore,
    EndedCredentialsStore,
    CredentialRetention,
    RemovedPeopleStore,
    ErasureStore,
    CliTokensStore,
    SessionsStore,
    UsersStore,
    InvitesStore,
    DeviceLoginsStore,
    SignInFailuresStore,
    PasswordHasher,
    SignInGuard,
    ...services,
  ],
  exports: services,
})
export class AccountsModule {}
