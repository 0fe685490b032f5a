/** Builds and pushes the images of a release. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '@karaar/testing/machine/run';
import { recipeOf } from '../image-recipe.ts';

export type Builder = {
  program: string;
  env: NodeJS.ProcessEnv;
  log: string;
  /** Arguments for `build`, such as `--build-arg NODE_IMAGE=…` for a mirror. */
  args: readonly string[];
};

export type Pushed = {
  image: string;
  /** `REGISTRY/NAME@sha256:…` as the registry has it. */
  digest: string;
};

/** @param tree folder with the sources of the release */
export async function buildAndPush(
  { program, env, log, args }: Builder,
  tree: string,
  registry: string,
  name: string,
  version: string,
): Promise<Pushed> {
  const image = `${registry}/${name}:${version}`;
  const { file, args: own } = recipeOf(name);
  const from = ['--file', join(tree, 'infra', 'docker', file), '--tag', image];
  await run(program, ['build', ...formatOf(program), ...args, ...own, ...from, tree], { env, log });
  const digest = isPodman(program)
    ? `${registry}/${name}@${await pushWithDigest(program, image, { env, log })}`
    : await push(program, image, { env, log });
  return { image, digest };
}

type Options = { env: NodeJS.ProcessEnv; log: string };

const isPodman = (program: string): boolean => basename(program) === 'podman';

/** Podman's default format drops `HEALTHCHECK`, which compose waits for. */
const formatOf = (program: string): string[] => (isPodman(program) ? ['--format', 'docker'] : []);

/** Podman compresses while it pushes, so its local digest differs from the registry's. */
async function pushWithDigest(program: string, image: string, options: Options): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'karaar-digest-'));
  try {
    const file = join(folder, 'digest');
    await run(program, ['push', '--digestfile', file, image], options);
    return readFileSync(file, 'utf8').trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws Error if Docker does not know the registry's digest after the push */
async function push(program: string, image: string, options: Options): Promise<string> {
  await run(program, ['push', image], options);
  const command = ['image', 'inspect', '--format', '{{json .RepoDigests}}', image];
  const repository = image.slice(0, image.lastIndexOf(':'));
  const found = (JSON.parse(await run(program, command, options)) as string[]).find((one) =>
    one.startsWith(`${repository}@`),
  );
  if (found === undefined) throw new Error(`${image} has no digest of its registry`);
  return found;
}

/** Returns the Debian packages of an image: one line each with version and source. */
export async function debianPackages({ program, env, log }: Builder, image: string): Promise<string> {
  const format = '${Package}\\t${Version}\\t${source:Package}\\n';
  const entry = ['--rm', '--network=none', '--entrypoint', 'dpkg-query', image];
  return run(program, ['run', ...entry, '--show', '--showformat', format], { env, log });
}
