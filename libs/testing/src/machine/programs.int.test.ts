import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../scratch.ts';
import { chromiumPath, installPlan, missingPrograms, sofficePath, type Host } from './programs.mjs';
import { findProgram, run, searchPath } from './run.mjs';

let dir: string;
let remove: () => void;
beforeEach(() => ({ dir, remove } = scratch()));
afterEach(() => remove());

function program(folder: string, name: string, mode = 0o755): string {
  mkdirSync(join(dir, folder), { recursive: true });
  const file = join(dir, folder, name);
  writeFileSync(file, '#!/bin/sh\necho hello\n');
  chmodSync(file, mode);
  return file;
}

const names = (env: NodeJS.ProcessEnv, command: string): string[] =>
  missingPrograms(env, join(dir, 'bin'), command).map(({ name }) => name);

describe('missingPrograms', () => {
  it('names everything on an empty machine, and programs that only tests need for tests only', () => {
    expect(names({}, 'start')).toEqual([
      ...['NATS', 'Redis', 'Chromium', 'Chromium headless shell', 'LibreOffice', 'Poppler', 'qpdf'],
    ]);
    for (const name of ['kubectl', 'SoftHSM', 'OpenSC']) expect(names({}, 'test')).toContain(name);
    const more = ['Firefox', 'WebKitGTK', 'Prometheus', 'Xvfb'];
    expect(names({}, 'test-all')).toEqual([...names({}, 'test'), ...more]);
  });

  it('does not require a program that a variable replaces, or that is on the path', () => {
    program('bin', 'google-chrome');
    program('bin', 'redis-server', 0o644);
    const env = {
      NATS_URL: 'nats://elsewhere',
      SOFFICE_PATH: '/opt/office/soffice',
      QPDF_PATH: '/opt/qpdf',
      PDFTOPPM_PATH: '/opt/pdftoppm',
    };
    expect(names(env, 'start')).toEqual(['Redis', 'Chromium headless shell']);
    expect(chromiumPath(env, join(dir, 'bin'))).toBe(join(dir, 'bin', 'google-chrome'));
    expect(sofficePath(env, '')).toBe('/opt/office/soffice');
  });
});

describe('installPlan', () => {
  const host: Host = { platform: 'linux', isRoot: false, isDebian: true, isUbuntu: false, hasDocker: false };
  const missing = missingPrograms({}, '', 'test');

  it('installs Debian packages as root', () => {
    expect(installPlan(missing, { ...host, isRoot: true })).toEqual({
      apt: [
        'nats-server',
        'redis-server',
        'chromium',
        'chromium-headless-shell',
        'libreoffice-writer-nogui',
        'poppler-utils',
        'poppler-data',
        'qpdf',
        'kubernetes-client',
        'openssl',
        'softhsm2',
        'opensc',
      ],
      docker: [],
      byHand: [],
    });
  });

  it('asks for one command on Debian without root', () => {
    expect(installPlan(missing, host).byHand).toEqual([
      'sudo apt-get update && sudo apt-get install -y --no-install-recommends nats-server redis-server chromium libreoffice-writer-nogui poppler-utils poppler-data qpdf kubernetes-client openssl softhsm2 opensc',
    ]);
  });

  it('uses Docker for the servers if it answers', () => {
    const plan = installPlan(missing, { ...host, hasDocker: true });
    expect(plan.docker).toEqual(['NATS', 'Redis']);
    expect(plan.byHand[0]).toContain('install -y --no-install-recommends chromium ');
  });

  it('does not install Ubuntu’s Chromium, which is a snap', () => {
    const plan = installPlan(missing, { ...host, isRoot: true, isUbuntu: true });
    expect(plan.apt.join()).not.toContain('chromium');
    expect(plan.byHand).toEqual([
      expect.stringContaining('CHROMIUM_PATH'),
      expect.stringContaining('kubectl'),
    ]);
  });

  it('names each program on other systems', () => {
    expect(installPlan(missing, { ...host, isDebian: false, platform: 'darwin' }).byHand[0]).toBe(
      'brew install nats-server',
    );
    expect(installPlan(missing, { ...host, isDebian: false }).byHand[0]).toBe(
      'install NATS (nats-server on the PATH), or set NATS_URL',
    );
  });
});

describe('searchPath and findProgram', () => {
  it('finds the project first, then the path, then the folders of servers', () => {
    const folders = searchPath('/clone', '/a:/usr/sbin::/b').split(':');
    expect(folders.slice(0, 4)).toEqual(['/clone/node_modules/.bin', '/a', '/usr/sbin', '/b']);
    expect(folders).toContain('/usr/local/sbin');
    expect(folders.filter((folder) => folder === '/usr/sbin')).toHaveLength(1);
  });

  it('skips an excluded folder', () => {
    program('clone/node_modules/.bin', 'node');
    const other = program('host', 'node');
    const path = [join(dir, 'clone/node_modules/.bin'), join(dir, 'host')].join(':');
    expect(findProgram(['node'], path, join(dir, 'clone/node_modules'))).toBe(other);
    expect(findProgram(['other', 'node'], path)).toBe(join(dir, 'clone/node_modules/.bin/node'));
  });
});

describe('run', () => {
  it('returns the output, and puts the end of it into the error', async () => {
    expect(await run(program('bin', 'greet'), [])).toBe('hello\n');
    await expect(
      run('sh', ['-c', 'echo "the reason" >&2; exit 5'], { log: join(dir, 'log') }),
    ).rejects.toThrow(/code 5\nthe reason/);
    await expect(run(join(dir, 'nothing'), [])).rejects.toThrow('cannot run');
  });
});
