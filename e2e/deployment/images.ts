/** Builds the images of a release and of the servers, with podman and without a registry. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parts, recipeOf } from '@karaar/images/parts';
import type { KubeObject } from '@karaar/k8s/objects';
import { render } from '@karaar/k8s/render';
import { bundledPrograms } from '@karaar/testing/backing/postgres-home';
import { installDebian } from '@karaar/testing/machine/programs';
import { step } from '@karaar/testing/machine/report';
import { findProgram, run, searchPath } from '@karaar/testing/machine/run';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';

const here = import.meta.dirname;
const recipes = join(here, 'recipes');
const log = join(stateRoot, 'logs', 'deployment-images.log');
const path = searchPath(cloneRoot);

const BASE = 'localhost/karaar-deployment-base:trixie';
const NODE = 'localhost/karaar-deployment-node:24';
const SERVERS = 'localhost/karaar-deployment-servers:trixie';
/** Debian's next release, whose NATS is as new as the manifests' version; 2.10 of trixie can lose a member at a restart. */
const NATS = 'localhost/karaar-deployment-nats:forky';
export const BESIDE = 'localhost/karaar-deployment-beside:trixie';

/** The registry from which the cluster of KUBECONFIG pulls, such as `registry:5000/karaar`; undefined without a cluster. */
export const registry = process.env['KUBECONFIG'] === undefined ? undefined : process.env['KARAAR_REGISTRY'];

/** Returns the name by which the cluster pulls an image. */
export const inRegistry = (image: string): string => image.replace(/^localhost/, registry ?? 'localhost');

const PROGRAMS = ['buildah', 'catatonit', 'ip', 'iptables', 'mmdebstrap', 'openssl', 'podman', 'runc'];

/** Installs missing programs. @throws SetupError if that fails, for example without root */
export async function installPrograms(): Promise<void> {
  const missing = PROGRAMS.filter((program) => findProgram([program], path) === undefined);
  if (missing.length === 0) return;
  const packages = missing.map((program) => (program === 'ip' ? 'iproute2' : program));
  // The container network needs these, which are not programs on the PATH.
  packages.push('netavark', 'aardvark-dns');
  const install = () => installDebian(packages, join(stateRoot, 'logs', 'apt.log'));
  await step(`Installing ${packages.join(', ')}`, install);
}

/** Builds an image in a temporary folder unless podman has it, and pushes it if there is a registry. */
async function ensure(
  image: string,
  env: NodeJS.ProcessEnv,
  build: (work: string) => Promise<unknown>,
): Promise<string> {
  const found = await run('podman', ['images', '--quiet', '--filter', `reference=${image}`], { env, log });
  if (found.trim() === '') {
    mkdirSync(stateRoot, { recursive: true });
    const work = mkdtempSync(join(stateRoot, 'deployment-images-'));
    try {
      await step(`Building ${image}`, () => build(work));
    } finally {
      rmSync(work, { recursive: true });
    }
  }
  if (registry !== undefined) await run('podman', ['push', image, inRegistry(image)], { env, log });
  return image;
}

export type Servers = Awaited<ReturnType<typeof buildServers>>;

/**
 * Builds the missing images of the servers.
 * @param beside also those that the manifests do not contain
 */
export async function buildServers(env: NodeJS.ProcessEnv, beside: boolean) {
  const debian = (image: string, packages: readonly string[], ...options: string[]) =>
    ensure(image, env, async (work) => {
      const archive = join(work, 'base.tar');
      const include = `--include=${['ca-certificates', ...packages].join(',')}`;
      const variable = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
      const source = [image.replace(/.*:/, ''), archive, debianMirror()];
      // A mirror can be late with a suite that is not released.
      const late = image === NATS ? ['--aptopt=Acquire::Check-Valid-Until "false"'] : [];
      await run('mmdebstrap', ['--variant=minbase', include, ...late, ...source], { log });
      await run('podman', ['import', '--change', variable, ...options, archive, image], { env, log });
    });
  /** Builds an image with a file of `recipes/`, in a context that `fill` prepares. */
  const recipe = (name: string, image: string, base: string, fill?: (work: string) => void) =>
    ensure(image, env, async (work) => {
      fill?.(work);
      await run('chmod', ['-R', 'a+rX', work]);
      const from = ['--build-arg', `BASE=${base}`, '--file', join(recipes, `${name}.Dockerfile`)];
      await run('podman', ['build', '--network=host', ...from, '--tag', image, work], { env, log });
    });
  await debian(BASE, []);
  await debian(SERVERS, ['valkey-sentinel', 'valkey-server']);
  // The official image starts the server with the given arguments, too.
  await debian(NATS, ['nats-server', 'systemd-standalone-sysusers'], '--change=ENTRYPOINT ["nats-server"]');
  await recipe('node', NODE, BASE, (work) => {
    const npm = findProgram(['npm'], path);
    if (npm === undefined) throw new Error('npm is not on the PATH');
    cpSync(join(cloneRoot, 'node_modules', 'node', 'bin', 'node'), join(work, 'node'));
    cpSync(dirname(dirname(realpathSync(npm))), join(work, 'npm'), { recursive: true });
  });
  const native = await bundledPrograms();
  const manifest = readFileSync(resolve(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const postgres = `localhost/karaar-deployment-postgres:${version}`;
  await recipe('postgres', postgres, SERVERS, (work) => {
    cpSync(native, join(work, 'native'), { recursive: true, verbatimSymlinks: true });
    cpSync(join(recipes, 'postgres.sh'), join(work, 'postgres.sh'));
  });
  if (beside) await recipe('beside', BESIDE, BASE);
  return { postgres, nats: NATS, valkey: SERVERS };
}

/** Returns the mirror that apt uses on this machine. */
function debianMirror(): string {
  for (const file of ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list']) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const found = /^(?:URIs:\s*|deb\s+(?:\[.*?\]\s+)?)(https?:\S+)/m.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return 'http://deb.debian.org/debian';
}

export type Release = { version: string; objects: KubeObject[] };

/**
 * Builds the missing images of a release and renders its manifests.
 *
 * @param ref a commit or tag
 * @param names of the images
 */
export async function makeRelease(
  ref: string,
  env: NodeJS.ProcessEnv,
  names: readonly string[] = [...parts.map(({ name }) => name), 'web'],
): Promise<Release> {
  const git = (...args: string[]) => run('git', args, { cwd: cloneRoot });
  const version = (await git('rev-parse', '--short=12', `${ref}^{commit}`)).trim();
  const tree = join(stateRoot, 'deployment', 'sources', version);
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  const archive = `${tree}.tar`;
  await git('archive', '--output', archive, version);
  await run('tar', ['--extract', '--file', archive, '--directory', tree], { log });
  rmSync(archive);
  // A certificate authority of this machine for npm's registry.
  const authority = process.env['NODE_EXTRA_CA_CERTS'];
  const trust =
    authority === undefined
      ? []
      : ['--env', 'NODE_EXTRA_CA_CERTS=/ca.pem', '--volume', `${authority}:/ca.pem:ro`];
  for (const name of names)
    await ensure(`localhost/karaar/${name}:${version}`, env, async () => {
      const { file, args } = recipeOf(name);
      const bases = ['--build-arg', `NODE_IMAGE=${NODE}`];
      if (name === 'web') bases.push('--build-arg', `COPY_IMAGE=${BASE}`);
      const tag = ['--tag', `localhost/karaar/${name}:${version}`];
      const from = ['--file', join(tree, 'infra', 'docker', file), ...tag, tree];
      const options = ['--network=host', ...trust, ...bases, ...args];
      await run('podman', ['build', ...options, ...from], { env, log });
    });
  return { version, objects: await manifestsOf(tree, version) };
}

/** Renders the overlay of the test on the manifests of a release. */
function manifestsOf(tree: string, version: string): Promise<KubeObject[]> {
  const overlays = join(tree, 'infra', 'k8s', 'overlays');
  const local = join(overlays, 'local', 'kustomization.yaml');
  writeFileSync(local, readFileSync(local, 'utf8').replaceAll("newTag: 'local'", `newTag: '${version}'`));
  cpSync(join(here, 'overlay'), join(overlays, 'deployment-test'), { recursive: true });
  return render(join(overlays, 'deployment-test'));
}
