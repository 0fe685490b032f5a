/** A release as the rehearsal plays it: its images, and its manifests with the images' version. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '@karaar/k8s/objects';
import { render } from '@karaar/k8s/render';
import { run } from '@karaar/testing/machine/run';
import { cloneRoot } from '@karaar/testing/roots';
import { buildImage, releaseImages, sourcesOf } from './images/build.ts';

const overlay = fileURLToPath(new URL('../overlay/kustomization.yaml', import.meta.url));

export type Release = { version: string; ref: string; objects: KubeObject[] };

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
  names = releaseImages,
): Promise<Release> {
  const version = (
    await run('git', ['rev-parse', '--short=12', `${ref}^{commit}`], { cwd: cloneRoot })
  ).trim();
  const tree = await sourcesOf(version);
  for (const name of names) {
    const begun = Date.now();
    if (await buildImage(tree, version, name, env))
      say(`built karaar/${name}:${version} in ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  }
  return { version, ref, objects: await manifestsOf(tree, version) };
}

/** The objects of the rehearsal's overlay on a release's own manifests. */
async function manifestsOf(tree: string, version: string): Promise<KubeObject[]> {
  const overlays = join(tree, 'infra', 'k8s', 'overlays');
  const local = join(overlays, 'local', 'kustomization.yaml');
  writeFileSync(local, readFileSync(local, 'utf8').replaceAll("newTag: 'local'", `newTag: '${version}'`));
  mkdirSync(join(overlays, 'rehearsal'), { recursive: true });
  cpSync(overlay, join(overlays, 'rehearsal', 'kustomization.yaml'));
  return render(join(overlays, 'rehearsal'));
}
