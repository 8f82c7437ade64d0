import { Inject, Injectable } from '@nestjs/common';
import { extensionNames, extensionWords, type ExtensionName } from '../../kernel/extension.js';
import type { AccountId } from '../../kernel/ids.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';

/** What an owner has switched; an extension that is absent follows `FERRY_EXTENSIONS`. */
export type ExtensionChoices = Readonly<Partial<Record<ExtensionName, boolean>>>;

export interface ChoicesOfAccounts {
  /** All accounts of the relay. */
  readonly accounts: number;
  /** Only those whose owner has chosen something. */
  readonly choices: ReadonlyMap<AccountId, ExtensionChoices>;
}

const noChoices: ChoicesOfAccounts = { accounts: 0, choices: new Map() };

/**
 * Which extensions are on, in memory. Read where a request would otherwise be refused and on the routes of extensions, never on the path of
 * the contract's own requests.
 */
@Injectable()
export class ExtensionState {
  private readonly byDefault: ReadonlySet<ExtensionName>;
  private choices: ChoicesOfAccounts['choices'] = noChoices.choices;
  private served: ReadonlySet<ExtensionName> = new Set();
  private everywhere: ReadonlySet<ExtensionName> = new Set();

  constructor(@Inject(RELAY_CONFIG) { settings }: Pick<RelayConfig, 'settings'>) {
    const words = extensionWords(settings.extensions);
    this.byDefault = new Set(extensionNames.filter((name) => words.includes(name)));
    this.apply(noChoices);
  }

  /** @param accountId undefined: the credential of the request is missing or not valid. Then only what is on for every account counts. */
  isOn(name: ExtensionName, accountId: AccountId | undefined): boolean {
    if (accountId === undefined) return this.everywhere.has(name);
    return this.choices.get(accountId)?.[name] ?? this.byDefault.has(name);
  }

  /** Whether any account has it on: without one, its routes do not exist. */
  isServed(name: ExtensionName): boolean {
    return this.served.has(name);
  }

  isDefault(name: ExtensionName): boolean {
    return this.byDefault.has(name);
  }

  apply({ accounts, choices }: ChoicesOfAccounts): void {
    const chosen = [...choices.values()];
    const count = (name: ExtensionName, on: boolean): number => chosen.filter((choice) => choice[name] === on).length;
    this.choices = choices;
    this.served = new Set(extensionNames.filter((name) => this.byDefault.has(name) || count(name, true) > 0));
    this.everywhere = new Set(
      extensionNames.filter((name) =>
        this.byDefault.has(name) ? count(name, false) === 0 : accounts > 0 && count(name, true) === accounts,
      ),
    );
  }
}
