/** Builds and pushes the images of a release. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '@karaar/testing/machine/run';
import { parse, stringify } from 'yaml';
import { recipeOf } from '../parts.ts';

export type Builder = {
  program: string;
  env: NodeJS.ProcessEnv;
  log: string;
  /** Arguments for `build`, such as `--build-arg NODE_IMAGE=…` for a mirror. */
  args: readonly string[];
};

/** @param tree folder with the sources of the release */
export async function buildAndPush(
  builder: Builder,
  tree: string,
  registry: string,
  name: string,
  version: string,
): Promise<{ image: string; digest: string }> {
  const image = `${registry}/${name}:${version}`;
  const { file, args } = recipeOf(name);
  const isPodman = basename(builder.program) === 'podman';
  // Podman's default format drops `HEALTHCHECK`, which compose waits for.
  const options = [...(isPodman ? ['--format', 'docker'] : []), ...builder.args, ...args];
  const from = ['--file', join(tree, 'infra', 'docker', file), '--tag', image];
  await run(builder.program, ['build', ...options, ...from, tree], builder);
  const digest = isPodman
    ? `${registry}/${name}@${await pushWithDigest(builder, image)}`
    : await push(builder, image);
  return { image, digest };
}

/** Podman compresses while it pushes, so its local digest differs from the registry's. */
async function pushWithDigest(builder: Builder, image: string): Promise<string> {
  const file = `${builder.log}.digest`;
  await run(builder.program, ['push', '--digestfile', file, image], builder);
  return readFileSync(file, 'utf8').trim();
}

/** @throws Error if Docker does not know the registry's digest after the push */
async function push(builder: Builder, image: string): Promise<string> {
  await run(builder.program, ['push', image], builder);
  const command = ['image', 'inspect', '--format', '{{json .RepoDigests}}', image];
  const digests = JSON.parse(await run(builder.program, command, builder)) as string[];
  const found = digests.find((one) => one.startsWith(`${image.slice(0, image.lastIndexOf(':'))}@`));
  if (found === undefined) throw new Error(`${image} has no digest of its registry`);
  return found;
}

/** Returns the Debian packages of an image: one line each with version and source. */
export async function debianPackages(builder: Builder, image: string): Promise<string> {
  const format = '${Package}\\t${Version}\\t${source:Package}\\n';
  const entry = ['--rm', '--network=none', '--entrypoint', 'dpkg-query', image];
  return run(builder.program, ['run', ...entry, '--show', '--showformat', format], builder);
}

type Compose = { services: Record<string, { image?: string }> };

/** Returns a compose file and a component of kustomize that pin the images of a release to its digests. */
export function pins(compose: string, digests: readonly string[], version: string) {
  const { services } = parse(compose, { merge: true, maxAliasCount: -1 }) as Compose;
  const pinned = Object.entries(services).flatMap(([service, { image = '' }]) => {
    const name = /\/([a-z-]+):\$\{KARAAR_VERSION/.exec(image)?.[1];
    const digest = digests.find((one) => one.includes(`/${name}@`));
    return digest === undefined ? [] : [[service, { image: digest }]];
  });
  const images = digests.map((one) => {
    const [name, digest] = one.split('@');
    return { name, newTag: version, digest };
  });
  const component = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', images };
  return { compose: stringify({ services: Object.fromEntries(pinned) }), kustomize: stringify(component) };
}
