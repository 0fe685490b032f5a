/** Every image of a release, and of the servers beside it, by podman and with no registry. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recipeOf } from '@karaar/images/image-recipe';
import { parts } from '@karaar/images/parts';
import { run } from '@karaar/testing/machine/run';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { exists, makeBase, makeServerImages } from './debian.ts';
import { findNpm } from './npm.ts';

const recipes = fileURLToPath(new URL('../../recipes', import.meta.url));
const log = join(stateRoot, 'logs', 'rehearsal-images.log');

const BASE = 'localhost/karaar-rehearsal-base:trixie';
const NODE = 'localhost/karaar-rehearsal-node:24';
/** moto and Caddy. */
export const BESIDE = 'localhost/karaar-rehearsal-beside:trixie';
/** NATS has an image whose arguments alone start it, as its official one. */
const NATS = 'localhost/karaar-rehearsal-nats:trixie';

/** The images of what is not ours. */
export type Servers = { postgres: string; nats: string; valkey: string };

/** What the images are built with where the machine has an authority of its own for npm's registry. */
function outside(): string[] {
  const authority = process.env['NODE_EXTRA_CA_CERTS'];
  return authority === undefined
    ? []
    : ['--env', 'NODE_EXTRA_CA_CERTS=/ca.pem', '--volume', `${authority}:/ca.pem:ro`];
}

/**
 * Makes them where they are missing.
 *
 * @param beside also what the manifests only name
 */
export async function buildServers(env: NodeJS.ProcessEnv, beside: boolean): Promise<Servers> {
  const { postgres, natsAndValkey } = await makeServerImages(env);
  const on = (base: string) => ['--build-arg', `BASE=${base}`];
  if (!(await exists(BASE, env))) await makeBase(BASE, ['ca-certificates'], env);
  if (!(await exists(NODE, env))) await buildNode(env);
  if (!(await exists(NATS, env))) await buildRecipe('nats', NATS, on(natsAndValkey), env);
  if (beside && !(await exists(BESIDE, env))) await buildRecipe('beside', BESIDE, on(BASE), env);
  return { postgres, nats: NATS, valkey: natsAndValkey };
}

/**
 * An image of a release from a tree of its sources, unless it is there.
 *
 * @param tree folder with the repository as it was at the release
 * @param version the image's tag
 * @returns whether it was built
 */
export async function buildImage(
  tree: string,
  version: string,
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const tag = `localhost/karaar/${name}:${version}`;
  if (await exists(tag, env)) return false;
  const { file, args } = recipeOf(name);
  const bases = [
    '--build-arg',
    `NODE_IMAGE=${NODE}`,
    ...(name === 'web' ? ['--build-arg', `COPY_IMAGE=${BASE}`] : []),
  ];
  const build = ['build', '--network=host', ...outside(), ...bases, ...args];
  await run('podman', [...build, '--file', join(tree, 'infra', 'docker', file), '--tag', tag, tree], {
    env,
    log,
  });
  return true;
}

/** Names of all images of a release. */
export const releaseImages: readonly string[] = [...parts.map(({ name }) => name), 'web'];

async function buildNode(env: NodeJS.ProcessEnv): Promise<void> {
  const work = join(stateRoot, 'rehearsal', 'node-image');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  cpSync(join(cloneRoot, 'node_modules', 'node', 'bin', 'node'), join(work, 'node'));
  cpSync(findNpm(), join(work, 'npm'), { recursive: true });
  try {
    await buildRecipe('node', NODE, ['--build-arg', `BASE=${BASE}`], env, work);
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function buildRecipe(
  recipe: string,
  tag: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  context = recipes,
): Promise<void> {
  const file = join(recipes, `${recipe}.Dockerfile`);
  await run('podman', ['build', '--network=host', ...args, '--file', file, '--tag', tag, context], {
    env,
    log,
  });
}

/** A release's sources as git has them, in a folder of their own. @returns that folder */
export async function sourcesOf(version: string): Promise<string> {
  const tree = join(stateRoot, 'rehearsal', 'sources', version);
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  const archive = `${tree}.tar`;
  await run('git', ['archive', '--output', archive, version], { cwd: cloneRoot, log });
  await run('tar', ['--extract', '--file', archive, '--directory', tree], { log });
  rmSync(archive);
  return tree;
}
