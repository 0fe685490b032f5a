/** Every image of a release, and of the servers beside it, by podman and with no registry. */
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exists, makeBase, makeServerImages } from './debian.ts';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { installDebian } from '@karaar/testing/machine/programs';
import { findProgram, run, searchPath } from '@karaar/testing/machine/run';
import { recipeOf } from '@karaar/images/image-recipe';
import { parts } from '@karaar/images/parts';
import type { KubeObject } from '@karaar/k8s/objects';
import { render } from '@karaar/k8s/render';

const here = import.meta.dirname;
const recipes = join(here, 'recipes');
const log = join(stateRoot, 'logs', 'deployment-images.log');
const path = searchPath(cloneRoot);

const BASE = 'localhost/karaar-deployment-base:trixie';
const NODE = 'localhost/karaar-deployment-node:24';
/** moto and Caddy. */
export const BESIDE = 'localhost/karaar-deployment-beside:trixie';
/** NATS has an image whose arguments alone start it, as its official one. */
const NATS = 'localhost/karaar-deployment-nats:trixie';

const PROGRAMS = ['buildah', 'catatonit', 'ip', 'iptables', 'mmdebstrap', 'openssl', 'podman', 'runc'];

/** Installs the programs that the test needs where they are missing. @throws SetupError when that fails, as without root */
export async function installPrograms(say: (line: string) => void): Promise<void> {
  const missing = PROGRAMS.filter((program) => findProgram([program], path) === undefined);
  if (missing.length === 0) return;
  const packages = missing.map((program) => (program === 'ip' ? 'iproute2' : program));
  // Not programs on the PATH: the network of containers.
  packages.push('netavark', 'aardvark-dns');
  say(`installing ${packages.join(', ')}`);
  await installDebian(packages, join(stateRoot, 'logs', 'apt.log'));
}

/** The images of what is not ours. */
export type Servers = { postgres: string; nats: string; valkey: string };

/**
 * Makes them where they are missing.
 *
 * @param beside also what the manifests only name
 */
export async function buildServers(env: NodeJS.ProcessEnv, beside: boolean): Promise<Servers> {
  const { postgres, natsAndValkey } = await makeServerImages(env);
  async function recipe(name: string, tag: string, base: string, context = recipes): Promise<void> {
    if (await exists(tag, env)) return;
    const file = ['--build-arg', `BASE=${base}`, '--file', join(recipes, `${name}.Dockerfile`)];
    await run('podman', ['build', '--network=host', ...file, '--tag', tag, context], { env, log });
  }
  if (!(await exists(BASE, env))) await makeBase(BASE, ['ca-certificates'], env);
  if (!(await exists(NODE, env))) {
    const work = join(stateRoot, 'deployment', 'node-image');
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    const npm = findProgram(['npm'], path);
    if (npm === undefined) throw new Error('npm is not on the PATH');
    cpSync(join(cloneRoot, 'node_modules', 'node', 'bin', 'node'), join(work, 'node'));
    cpSync(dirname(dirname(realpathSync(npm))), join(work, 'npm'), { recursive: true });
    await recipe('node', NODE, BASE, work);
    rmSync(work, { recursive: true });
  }
  await recipe('nats', NATS, natsAndValkey);
  if (beside) await recipe('beside', BESIDE, BASE);
  return { postgres, nats: NATS, valkey: natsAndValkey };
}

export type Release = { version: string; objects: KubeObject[] };

/**
 * Builds the images of a release that are not there yet, and renders its own manifests.
 *
 * @param ref what git knows it by
 * @param names of the images; all of them where none are given
 */
export async function makeRelease(
  ref: string,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
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
  for (const name of names) {
    const tag = `localhost/karaar/${name}:${version}`;
    if (await exists(tag, env)) continue;
    const begun = Date.now();
    const { file, args } = recipeOf(name);
    const bases = ['--build-arg', `NODE_IMAGE=${NODE}`];
    if (name === 'web') bases.push('--build-arg', `COPY_IMAGE=${BASE}`);
    const from = ['--file', join(tree, 'infra', 'docker', file), '--tag', tag, tree];
    const build = ['build', '--network=host', ...ownAuthority(), ...bases, ...args, ...from];
    await run('podman', build, { env, log });
    say(`built karaar/${name}:${version} in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  }
  return { version, objects: await manifestsOf(tree, version) };
}

/** What the images are built with where the machine has an authority of its own for npm's registry. */
function ownAuthority(): string[] {
  const authority = process.env['NODE_EXTRA_CA_CERTS'];
  return authority === undefined
    ? []
    : ['--env', 'NODE_EXTRA_CA_CERTS=/ca.pem', '--volume', `${authority}:/ca.pem:ro`];
}

/** The objects of the test's overlay on a release's own manifests. */
async function manifestsOf(tree: string, version: string): Promise<KubeObject[]> {
  const overlays = join(tree, 'infra', 'k8s', 'overlays');
  const local = join(overlays, 'local', 'kustomization.yaml');
  writeFileSync(local, readFileSync(local, 'utf8').replaceAll("newTag: 'local'", `newTag: '${version}'`));
  cpSync(join(here, 'overlay'), join(overlays, 'deployment-test'), { recursive: true });
  return render(join(overlays, 'deployment-test'));
}
