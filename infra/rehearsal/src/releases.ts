/** A release as the rehearsal plays it: its images, and its manifests with the images' version. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '@karaar/k8s/objects';
import { render } from '@karaar/k8s/render';
import { buildRelease, releaseImages, sourcesOf } from './images/build.ts';

const overlay = fileURLToPath(new URL('../overlay/kustomization.yaml', import.meta.url));

export type Release = { version: string; ref: string; objects: KubeObject[] };

/**
 * Builds a release's images and renders its own manifests.
 *
 * @param ref what git knows it by
 */
export async function makeRelease(
  ref: string,
  version: string,
  env: NodeJS.ProcessEnv,
  built: (image: string) => void,
): Promise<Release> {
  const tree = await sourcesOf(ref, version);
  for (const name of releaseImages) {
    await buildRelease(tree, version, [name], env);
    built(name);
  }
  return { version, ref, objects: await manifestsOf(tree, version) };
}

/** The objects of the rehearsal's overlay on a release's own manifests. */
export async function manifestsOf(tree: string, version: string): Promise<KubeObject[]> {
  const overlays = join(tree, 'infra', 'k8s', 'overlays');
  const local = join(overlays, 'local', 'kustomization.yaml');
  writeFileSync(local, readFileSync(local, 'utf8').replaceAll("newTag: 'local'", `newTag: '${version}'`));
  mkdirSync(join(overlays, 'rehearsal'), { recursive: true });
  cpSync(overlay, join(overlays, 'rehearsal', 'kustomization.yaml'));
  return render(join(overlays, 'rehearsal'));
}
