/** What a program can reach after a hostile file has taken it over, and when the converter refuses to start. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { createConverter } from '@karaar/converting';
import { CONVERTER_ID } from '../src/own-account.ts';
import { startCanary } from '@karaar/testing/canary';
import { pathWithout, startTestConverter } from '@karaar/testing/servers/converter';
import { docx } from '@karaar/testing/made-up/files';
import { until } from '@karaar/testing/until';

jest.setTimeout(120_000);

const mark = randomBytes(8).toString('hex');
let folder: string;
let bare: Awaited<ReturnType<typeof pathWithout>>;
let documents: ChildProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-walls-'));
  await chmod(folder, 0o777);
  bare = await pathWithout('unshare');
  // Represents a service that has a key and runs under the account of the other services.
  documents = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    env: { SEAL_P12_PASSWORD: `documents-${mark}` },
    stdio: 'ignore',
  });
});
afterAll(async () => {
  documents.kill('SIGKILL');
  await bare.remove();
  await rm(folder, { recursive: true });
});

/** A program installed in place of LibreOffice. It writes down whose environment it could read, and its networks. */
async function thief(name: string): Promise<{ path: string; booty: () => Promise<string | undefined> }> {
  const [path, booty] = [join(folder, name), join(folder, `${name}.booty`)];
  await writeFile(
    path,
    `#!/bin/sh
seen=
for each in /proc/[0-9]*/environ; do
  [ "$each" = "/proc/$$/environ" ] && continue
  text=$(tr '\\0' '\\n' < "$each" 2>/dev/null)
  case "$text" in *documents-${mark}*) seen="$seen documents";; esac
  case "$text" in *converter-${mark}*) seen="$seen converter";; esac
done
networks=$(sed -n 's/^ *\\([^ :]*\\):.*/\\1/p' /proc/net/dev | grep -vx lo | tr '\\n' ' ')
echo "seen:$seen; networks: $networks" > '${booty}.part'
mv '${booty}.part' '${booty}'
`,
  );
  await chmod(path, 0o755);
  const read = () => readFile(booty, 'utf8').catch(() => undefined);
  return { path, booty: async () => (await read())?.trim() };
}

describe('a program taken over by a hostile file', () => {
  it('could read the keys of a service under the same account', async () => {
    const { path, booty } = await thief('same-account');
    spawnSync(path, { env: { PATH: process.env['PATH'] } });
    expect(await booty()).toMatch(/^seen: documents; networks: \w/);
  });

  it.each(['as the system allows it', 'with isolation made unavailable'])(
    'can read neither the environment of documents nor that of the converter, and isolation leaves no network, %s',
    async (how) => {
      const isBare = how !== 'as the system allows it';
      const { path, booty } = await thief(isBare ? 'bare' : 'walled');
      const converter = await startTestConverter({
        // The converter starts this program in reserve, before a file arrives.
        OFFICE_SPARE: 'true',
        SOFFICE_PATH: path,
        TZ: `converter-${mark}`,
        ...(isBare ? { PATH: bare.path } : {}),
      });
      try {
        await until('it has looked around', async () => (await booty()) !== undefined, 60_000);
        const health = (await (await fetch(`${converter.url}/healthz`)).json()) as Record<string, unknown>;
        // Without its own account and without namespaces, both of which it reports, nothing separates the processes.
        const isOpen = health['own_account'] === false && health['isolation'] !== 'processes_and_network';
        expect(await booty()).toMatch(isOpen ? /^seen: documents converter;/ : /^seen:;/);
        if (health['isolation'] !== 'none') expect(await booty()).toMatch(/; networks:$/);
      } finally {
        await converter.stop();
      }
    },
  );
});

describe('the converter refuses to start', () => {
  const refused = async (env: Record<string, string>): Promise<string> => {
    const started = await startTestConverter(env).catch((error: unknown) => String(error));
    if (typeof started === 'string') return started;
    await started.stop();
    return 'it started';
  };

  it.each([
    ['DATABASE_URL', 'postgres://karaar@postgres/karaar'],
    ['BLOB_KEK', 'dev:x'],
    ['DOCUMENTS_TO_VISION_SECRETS', 'x'],
    ['ANYTHING', ['https://user', 'hidden@example.org'].join(':')],
  ])('with a secret in its environment: %s', async (name, value) => {
    const said = await refused({ [name]: value });
    expect(said).toContain(`${name} looks like a secret`);
    expect(said).not.toContain('hidden');
  });

  it('in production without isolation, unless the deployment declares it', async () => {
    const production = { NODE_ENV: 'production', PATH: bare.path };
    const declared = { ...production, CONVERTER_ISOLATION: 'deployment' };
    if (process.getuid?.() !== 0) {
      // Here it has no account of its own, and shares this one with the process that represents a service.
      expect(await refused(declared)).toContain('another process has secrets');
      return;
    }
    expect(await refused(production)).toContain('CONVERTER_ISOLATION is not "deployment"');
    expect(await refused(declared)).toBe('it started');
  });

  it('in production under an account shared with a process that has keys, even with isolation declared', async () => {
    const account = process.getuid?.() === 0 ? { uid: CONVERTER_ID, gid: CONVERTER_ID } : {};
    const service = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      ...account,
      cwd: '/',
      env: { BLOB_KEK: `hidden-${mark}` },
      stdio: 'ignore',
    });
    try {
      await until('it runs with its key', () =>
        readFile(`/proc/${service.pid}/environ`, 'utf8').then(
          (text) => text.includes('BLOB_KEK'),
          () => false,
        ),
      );
      const production = { NODE_ENV: 'production', PATH: bare.path, CONVERTER_ISOLATION: 'deployment' };
      const said = await refused(production);
      expect(said).toContain('another process has secrets');
      expect(said).not.toContain(mark);
    } finally {
      service.kill('SIGKILL');
    }
  });

  it('in production if the cluster is reachable although the deployment declares isolation', async () => {
    const cluster = await startCanary();
    const { hostname, port } = new URL(cluster.url);
    const said = await refused({
      NODE_ENV: 'production',
      PATH: bare.path,
      CONVERTER_ISOLATION: 'deployment',
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
    });
    await cluster.stop();
    expect(said).toContain('its NetworkPolicy is not in force');
  });
});

describe('a converter killed during a job', () => {
  async function workingIn(workDir: string): Promise<string[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    return lines.filter((line) => line.includes(workDir));
  }

  it('fails its job with an error that allows a retry, and its programs and files are gone after the restart', async () => {
    const stuck = join(folder, 'stuck');
    await writeFile(stuck, '#!/bin/sh\nexec sleep 100000\n');
    await chmod(stuck, 0o755);
    const env = { PATH: bare.path, SOFFICE_PATH: stuck };
    const converter = await startTestConverter(env);
    const renderer = createConverter({ url: converter.url });
    try {
      const job = renderer
        .prepareUpload({ name: 'a.docx', kind: 'docx', bytes: docx(['a']) })
        .catch((error: unknown) => error);
      const jobs = async () => {
        const [work = ''] = await readdir(converter.workDir);
        return (await readdir(join(converter.workDir, work))).filter((name) => name.startsWith('in-'));
      };
      await until('the job is worked on', async () => (await jobs()).length > 0, 20_000);
      await converter.kill();
      expect(await job).toMatchObject({ code: 'busy', retryable: true });
      await converter.start();
      await until('no program of before is left', async () => {
        const [work = ''] = await readdir(converter.workDir);
        return (await workingIn(converter.workDir)).every((line) => line.includes(work));
      });
      expect(await readdir(converter.workDir)).toHaveLength(1);
      expect(await jobs()).toEqual([]);
    } finally {
      await renderer.close();
      await converter.stop();
    }
  });
});
