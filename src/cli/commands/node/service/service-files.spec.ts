import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { launchdPlist, SYSTEMD_UNIT, systemdUnit, type ServiceProgram } from './service-files.js';
import { environmentOf } from './manage-service.js';
import { serviceManagerOf, succeeds } from './service-manager.js';

const program: ServiceProgram = {
  command: [process.execPath, '/opt/my ferry/100%/$HOME/"ferry".js', 'node', 'run'],
  environment: { FERRY_DATA_DIR: '/data/<ferry> & more', HTTPS_PROXY: 'http://me:50%25@proxy:3128' },
  logFile: '/data/node/service.log',
};

describe('the unit for systemd', () => {
  const unit = systemdUnit(program);

  it("quotes systemd's special characters", () => {
    expect(unit).toContain('"/opt/my ferry/100%%/$$HOME/\\"ferry\\".js" "node" "run"');
    expect(unit).toContain('Environment="HTTPS_PROXY=http://me:50%%25@proxy:3128"');
  });

  it('restarts after a crash, but not after a permanent failure', () => {
    expect(unit).toContain('Restart=always');
    expect(unit).toContain('RestartPreventExitStatus=2 4');
    expect(unit).toContain('WantedBy=default.target');
  });

  it('is accepted by systemd-analyze when available', async () => {
    if (!(await succeeds(['systemd-analyze', '--version']))) return;
    const directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-unit-'));
    try {
      const file = path.join(directory, SYSTEMD_UNIT);
      await writeFile(file, systemdUnit({ ...program, command: [process.execPath, 'node', 'run'] }));
      // Without a session of this user there is no such directory, and systemd wants one.
      const env = { ...process.env, XDG_RUNTIME_DIR: directory };
      const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--user', file], { env });
      expect(stderr).not.toContain(SYSTEMD_UNIT);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('the property list for launchd', () => {
  const plist = launchdPlist(program);

  it('escapes XML special characters', () => {
    expect(plist).toContain('<key>FERRY_DATA_DIR</key><string>/data/&lt;ferry&gt; &amp; more</string>');
    expect(plist).toContain('&quot;ferry&quot;.js</string>');
  });

  it('starts with the session, stays alive, and writes its log', () => {
    expect(plist).toContain('<key>RunAtLoad</key><true/>');
    expect(plist).toContain('<key>KeepAlive</key><true/>');
    expect(plist).toContain('<key>StandardErrorPath</key><string>/data/node/service.log</string>');
  });
});

describe('the environment of the service', () => {
  it("has the node's settings with absolute paths, without those of the command line", () => {
    const env = {
      XDG_DATA_HOME: '/elsewhere',
      FERRY_DATA_DIR: 'data',
      FERRY_CA_FILE: 'ca.pem',
      FERRY_NODE_NAME: 'desk',
      FERRY_DISCOVERY: 'off',
      FERRY_DISCOVERY_PORTS: '',
      https_proxy: 'http://proxy:3128',
      HF_TOKEN: 'hf_x',
      FERRY_TOKEN: 'ferry-cli-x',
      FERRY_API_KEY: 'sk-ferry-x',
      PATH: '/bin',
    };
    expect(environmentOf(env)).toEqual({
      FERRY_DATA_DIR: path.resolve('data'),
      FERRY_CA_FILE: path.resolve('ca.pem'),
      FERRY_NODE_NAME: 'desk',
      FERRY_DISCOVERY: 'off',
      https_proxy: 'http://proxy:3128',
      HF_TOKEN: 'hf_x',
    });
    expect(path.isAbsolute(environmentOf({})['FERRY_DATA_DIR'] ?? '')).toBe(true);
  });
});

describe('the service manager', () => {
  it('is systemd --user on Linux, and launchd on macOS', () => {
    const linux = serviceManagerOf('linux', { XDG_CONFIG_HOME: '/home/me/.config' }, 1_000);
    expect(linux.file).toBe('/home/me/.config/systemd/user/ferry-node.service');
    expect(linux.install.every((command) => command[1] === '--user')).toBe(true);
    const mac = serviceManagerOf('darwin', {}, 501);
    expect(mac.file).toMatch(/\/Library\/LaunchAgents\/dev\.ferry\.node\.plist$/);
    expect(mac.install[0]).toEqual(['launchctl', 'bootstrap', 'gui/501', mac.file]);
  });

  it('is unsupported on Windows, with an alternative', () => {
    expect(() => serviceManagerOf('win32', {}, 0)).toThrow(
      expect.objectContaining({ code: 'no_service_manager', hint: expect.stringContaining('Task Scheduler') }),
    );
  });
});
