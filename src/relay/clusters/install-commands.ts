/** The commands with which a computer joins, as they are shown beside a new join token. */
import { shellString, shellWord } from '../../kernel/shell-words.js';

/** Always in quotes, so that it is a string in expressions as well as in commands. */
export const powerShellWord = (text: string): string => shellString(text, 'powershell');

export interface InstallCommandOptions {
  /** Allows a relay on another computer without TLS, which the scripts otherwise refuse. */
  readonly insecure?: boolean;
  /** Also starts the node, in the foreground. */
  readonly run?: boolean;
}

/** Installs the agent and joins as a node, for Linux and macOS. */
export function shellInstallCommand(relayUrl: string, joinToken: string, options: InstallCommandOptions = {}): string {
  const install = `curl -fsSL ${shellWord(`${relayUrl}/install.sh`)} | sh -s -- --token ${shellWord(joinToken)}`;
  return [
    install,
    ...(options.insecure === true ? [' --force-insecure'] : []),
    // The folder may not be on the PATH.
    ...(options.run === true ? [' && ~/.local/bin/ferry-node run'] : []),
  ].join('');
}

/** Like {@link shellInstallCommand}, for Windows. */
export function powerShellInstallCommand(
  relayUrl: string,
  joinToken: string,
  options: InstallCommandOptions = {},
): string {
  const script = `& ([scriptblock]::Create((irm ${powerShellWord(`${relayUrl}/install.ps1`)})))`;
  return [
    `${script} -Token ${powerShellWord(joinToken)}`,
    ...(options.insecure === true ? [' -ForceInsecure'] : []),
    ...(options.run === true ? ['; & "$env:LOCALAPPDATA\\ferry\\agent\\ferry-node.cmd" run'] : []),
  ].join('');
}

/** For a computer where Ferry is installed already. */
export function ferryJoinCommand(relayUrl: string, joinToken: string, options: InstallCommandOptions = {}): string {
  return [
    `ferry node join ${joinToken} --relay ${shellWord(relayUrl)}`,
    ...(options.insecure === true ? [' --force-insecure'] : []),
    ...(options.run === true ? [' && ferry node run'] : []),
  ].join('');
}
