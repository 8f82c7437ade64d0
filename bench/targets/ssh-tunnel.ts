import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { freePort } from '../../test/support/network/free-port.js';
import { listening, pidOf, start, stop } from '../child.js';
import { needDebianPackage, run, versionLine } from './debian-package.js';
import type { Target } from './target.js';

const SERVER = '/usr/sbin/sshd';

/** `ssh -R`: the usual manual way to reach a computer behind a NAT. Uses its own keys and daemon, on loopback only. */
export const sshTunnel: Target = {
  name: 'ssh -R',
  version: () => versionLine('/usr/bin/ssh', '-V'),
  async start(engineUrl, workDirectory) {
    needDebianPackage(SERVER, 'openssh-server');
    needDebianPackage('/usr/bin/ssh', 'openssh-client');
    const directory = path.join(workDirectory, 'ssh');
    mkdirSync(directory, { recursive: true });
    mkdirSync('/run/sshd', { recursive: true });
    for (const name of ['host', 'user']) {
      const key = path.join(directory, name);
      if (!existsSync(key)) run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    }
    const authorized = path.join(directory, 'authorized_keys');
    writeFileSync(authorized, readFileSync(path.join(directory, 'user.pub')));
    chmodSync(authorized, 0o600);
    const [daemonPort, tunnelPort] = [await freePort(), await freePort()];
    const configuration = path.join(directory, 'sshd_config');
    writeFileSync(
      configuration,
      `Port ${daemonPort}\nListenAddress 127.0.0.1\nHostKey ${directory}/host\nAuthorizedKeysFile ${authorized}\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\nPidFile none\n`,
    );
    const daemon = start(SERVER, ['-D', '-f', configuration, '-E', path.join(directory, 'log')]);
    await listening(daemonPort);
    const client = start('/usr/bin/ssh', [
      ...['-N', '-T', '-i', path.join(directory, 'user'), '-p', String(daemonPort)],
      ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
      ...['-o', 'ExitOnForwardFailure=yes', '-R', `127.0.0.1:${tunnelPort}:${new URL(engineUrl).host}`],
      `${userInfo().username}@127.0.0.1`,
    ]);
    await listening(tunnelPort);
    return {
      url: `http://127.0.0.1:${tunnelPort}/v1/chat/completions`,
      headers: {},
      relayPids: [pidOf(daemon)],
      nodePids: [pidOf(client)],
      stop: async () => {
        await stop(client);
        await stop(daemon);
      },
    };
  },
};
