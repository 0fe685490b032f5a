/**
 * `npm run release -- prepare VERSION`: sets the version and closes the changelog.
 *
 * `npm run release -- build --registry REGISTRY [--with podman] [--image NAME]… [--build-arg NAME=VALUE]…
 * [--build-option=OPTION]…`: builds and pushes the images of the commit, and writes digests, SBOM, Debian
 * packages and licences into `.karaar/release/VERSION`. A build option is passed on unchanged, such as
 * `--build-option=--network=host`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { releasedImages } from '../parts.ts';
import type { Builder } from './images.ts';
import { build, prepare } from './release.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    registry: { type: 'string' },
    with: { type: 'string', default: 'docker' },
    image: { type: 'string', multiple: true, default: [...releasedImages] },
    'build-arg': { type: 'string', multiple: true, default: [] },
    'build-option': { type: 'string', multiple: true, default: [] },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  const [command, version] = positionals;
  if (command === 'prepare' && version !== undefined) {
    await prepare(cloneRoot, version);
    say(`${version}: commit, tag v${version}.`);
  } else if (command === 'build' && values.registry !== undefined) {
    const builder: Builder = {
      program: values.with,
      env: process.env,
      log: join(stateRoot, 'logs', 'release.log'),
      args: [...values['build-option'], ...values['build-arg'].flatMap((one) => ['--build-arg', one])],
    };
    const { folder, digests } = await build(cloneRoot, values.registry, values.image, builder, say);
    say(`${digests.join('\n')}\nThe release is described in ${folder}`);
  } else
    throw new Error('Usage: npm run release -- prepare VERSION | build --registry REGISTRY [--with podman]');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
