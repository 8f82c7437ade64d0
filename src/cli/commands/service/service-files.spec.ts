import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { environmentFileText, launchdPlist, systemdUnit, type ServiceProgram } from './service-files.js';
import { serviceManagerOf, succeeds } from './service-manager.js';
import { environmentOf, services } from './service-programs.js';

const UNIT = 'ferry-node.service';
const program: ServiceProgram = {
  service: services.node,
  command: [process.execPath, '/opt/my ferry/100%/$HOME/"ferry".js', 'node', 'run'],
  environment: { FERRY_DATA_DIR: '/data/<ferry> & more', HTTPS_PROXY: 'http://me:50%25@proxy:3128' },
  logFile: '/data/node/service.log',
};
const ofSystem: ServiceProgram = {
  ...program,
  service: services.serve,
  user: 'ada',
  stateDirectory: 'ferry',
  environmentFile: '/etc/ferry/serve.env',
};

describe('the unit for systemd', () => {
  const unit = systemdUnit(program);

  it("quotes systemd's special characters", () => {
    expect(unit).toContain('"/opt/my ferry/100%%/$$HOME/\\"ferry\\".js" "node" "run"');
    expect(unit).toContain('Environment="HTTPS_PROXY=http://me:50%%25@proxy:3128"');
  });

  it('keeps a value with line breaks in its own line', () => {
    const value = 'one\nExecStartPre=/bin/evil\r\ttwo\u007F';
    const text = systemdUnit({ ...program, environment: { PEM: value }, command: ['/bin/a\nb'] });
    expect(text).toContain(String.raw`Environment="PEM=one\x0aExecStartPre=/bin/evil\x0d\x09two\x7f"`);
    expect(text).toContain(String.raw`ExecStart="/bin/a\x0ab"`);
    expect(text.split('\n')).toHaveLength(systemdUnit({ ...program, environment: { PEM: '' } }).split('\n').length);
  });

  it('restarts after a crash, but not after a permanent failure', () => {
    expect(unit).toContain('Restart=always');
    expect(unit).toContain('RestartPreventExitStatus=2 4');
    expect(unit).toContain('WantedBy=default.target');
  });

  it('the unit for systemd is not restarted after a second `ferry up` exits with 0, and keeps the key out of the journal', () => {
    const ofUp = systemdUnit({ ...program, service: services.up });
    expect(ofUp).toContain('Restart=on-failure');
    expect(ofUp).toContain('StandardOutput=null');
    expect(unit).not.toContain('StandardOutput');
  });

  it('the unit of a service of the system has its user, its directory and no secret', () => {
    const lines = systemdUnit(ofSystem).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'User=ada',
        'StateDirectory=ferry',
        'EnvironmentFile=/etc/ferry/serve.env',
        'WantedBy=multi-user.target',
      ]),
    );
    expect(lines.join('\n')).not.toContain('proxy:3128');
  });

  it.each([
    ['--user', program],
    ['--system', ofSystem],
  ])('the unit for systemd is accepted by systemd-analyze verify %s when available', async (scope, tried) => {
    if (!(await succeeds(['systemd-analyze', '--version']))) return;
    const directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-unit-'));
    try {
      const file = path.join(directory, UNIT);
      await writeFile(file, systemdUnit({ ...tried, command: [process.execPath, 'node', 'run'] }));
      // Without a session of this user there is no such directory, and systemd wants one.
      const env = { ...process.env, XDG_RUNTIME_DIR: directory };
      const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', scope, file], { env });
      expect(stderr).not.toContain(UNIT);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe('the environment file of a system service', () => {
  it('the environment file of a system service has the same meaning for a shell', async () => {
    const value = 'a "b" \\ $HOME `id` 100%\nExecStart=second line';
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `${environmentFileText({ DATABASE_URL: value })}printf %s "$DATABASE_URL"`,
    ]);
    expect(stdout).toBe(value);
  });
});

describe('the property list for launchd', () => {
  const plist = launchdPlist(program);

  it('escapes XML special characters', () => {
    expect(plist).toContain('<key>FERRY_DATA_DIR</key><string>/data/&lt;ferry&gt; &amp; more</string>');
    expect(plist).toContain('&quot;ferry&quot;.js</string>');
  });

  it('keeps line breaks within their string', () => {
    expect(launchdPlist({ ...program, environment: { PEM: 'one\r\ntwo' } })).toContain(
      '<string>one&#13;\ntwo</string>',
    );
  });

  it('starts with the session, stays alive, and writes its log', () => {
    expect(plist).toContain('<key>RunAtLoad</key><true/>');
    expect(plist).toContain('<key>KeepAlive</key><true/>');
    expect(plist).toContain('<key>StandardErrorPath</key><string>/data/node/service.log</string>');
  });

  it('the service of `ferry up` is not restarted after exit code 0, and keeps the key out of the log', () => {
    const ofUp = launchdPlist({ ...program, service: services.up, user: 'ada' });
    expect(ofUp).toContain('<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>');
    expect(ofUp).toContain('<key>StandardOutPath</key><string>/dev/null</string>');
    expect(ofUp).toContain('<key>UserName</key><string>ada</string>');
    expect(plist).not.toContain('UserName');
  });
});

describe('the environment of the service', () => {
  const env = {
    XDG_DATA_HOME: '/elsewhere',
    FERRY_DATA_DIR: 'data',
    FERRY_CA_FILE: 'ca.pem',
    FERRY_NODE_NAME: 'desk',
    FERRY_DISCOVERY: 'off',
    FERRY_DISCOVERY_PORTS: '',
    FERRY_BASE_URL: 'https://relay.example',
    DATABASE_URL: 'postgres://ferry@127.0.0.1/ferry',
    https_proxy: 'http://proxy:3128',
    HF_TOKEN: 'hf_x',
    FERRY_TOKEN: 'ferry-cli-x',
    FERRY_API_KEY: 'sk-ferry-x',
    FERRY_PROFILE: 'work',
    PATH: '/bin',
  };
  const ofNode = {
    FERRY_DATA_DIR: path.resolve('data'),
    FERRY_CA_FILE: path.resolve('ca.pem'),
    FERRY_NODE_NAME: 'desk',
    FERRY_DISCOVERY: 'off',
    https_proxy: 'http://proxy:3128',
    HF_TOKEN: 'hf_x',
  };

  /** What makes glibc return memory, also against the value of the shell that installs it. */
  const ofEach = { MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2' };

  it("the environment of the service has the node's settings with absolute paths, without those of the command line", () => {
    expect(environmentOf('node', env)).toEqual({ ...ofNode, ...ofEach, FERRY_SERVICE: 'node' });
    expect(path.isAbsolute(environmentOf('node', {})['FERRY_DATA_DIR'] ?? '')).toBe(true);
  });

  it('the environment of the service has the settings of the relay, too, where it runs one', () => {
    const { FERRY_BASE_URL, DATABASE_URL } = env;
    const wanted = { ...ofNode, FERRY_BASE_URL, DATABASE_URL };
    expect(environmentOf('serve', env)).toEqual({ ...wanted, ...ofEach, FERRY_SERVICE: 'serve' });
    expect(environmentOf('up', env)).toEqual({ ...wanted, ...ofEach, FERRY_SERVICE: 'up' });
  });
});

describe('the service manager', () => {
  const linux = { platform: 'linux', env: { XDG_CONFIG_HOME: '/home/me/.config' }, uid: 1_000 } as const;

  it('the service manager is systemd --user on Linux, and launchd on macOS', () => {
    const systemd = serviceManagerOf('node', 'user', linux);
    expect(systemd.files.map((file) => file.path)).toEqual(['/home/me/.config/systemd/user/ferry-node.service']);
    expect(systemd.install.every((command) => command[1] === '--user')).toBe(true);
    const launchd = serviceManagerOf('node', 'user', { platform: 'darwin', env: {}, uid: 501 });
    expect(launchd.files[0].path).toMatch(/\/Library\/LaunchAgents\/dev\.ferry\.node\.plist$/);
    expect(launchd.install[0]).toEqual(['launchctl', 'bootstrap', 'gui/501', launchd.files[0].path]);
  });

  it('a service of the system keeps its environment in a file that root alone can read', () => {
    const systemd = serviceManagerOf('serve', 'system', linux);
    expect(systemd.files.map(({ path: file, mode }) => [file, mode])).toEqual([
      ['/etc/systemd/system/ferry-serve.service', 0o644],
      ['/etc/ferry/serve.env', 0o600],
    ]);
    expect(systemd.install[0]).toEqual(['systemctl', 'daemon-reload']);
    const launchd = serviceManagerOf('serve', 'system', { platform: 'darwin', env: {}, uid: 0 });
    expect(launchd.files[0].path).toBe('/Library/LaunchDaemons/dev.ferry.serve.plist');
    expect(launchd.install[0]?.[2]).toBe('system');
  });

  it('the service manager is unsupported on Windows, with an alternative', () => {
    expect(() => serviceManagerOf('up', 'user', { platform: 'win32', env: {}, uid: 0 })).toThrow(
      expect.objectContaining({ code: 'no_service_manager', hint: expect.stringContaining('Task Scheduler') }),
    );
  });
});
