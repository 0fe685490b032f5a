/** Prepares and builds a release of the clone at `root`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@karaar/testing/machine/run';
import { licenceFaults, licencesText, type Sbom } from './bill.ts';
import { buildAndPush, debianPackages, pins, type Builder } from './images.ts';
import { checkNext, closeChangelog, notesOf } from './version.ts';

/** This image is not based on Debian. */
const WITHOUT_DEBIAN = 'web';

/** Files that tell an operator the version. */
const TOLD = [
  'docs/self-hosting.md',
  'infra/k8s/overlays/production/values.yaml',
  'infra/k8s/overlays/staging/values.yaml',
];

const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

/** Sets the version of all packages, guides and values, and closes the changelog. */
export async function prepare(root: string, version: string): Promise<void> {
  const present = versionOf(root);
  checkNext(present, version);
  const changelog = join(root, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  const closed = closeChangelog(readFileSync(changelog, 'utf8'), version, day);
  const all = ['--workspaces', '--include-workspace-root', '--no-workspaces-update', '--allow-same-version'];
  await run('npm', ['version', version, ...all, '--no-git-tag-version', '--ignore-scripts'], { cwd: root });
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit'], { cwd: root });
  writeFileSync(changelog, closed);
  for (const file of TOLD.map((path) => join(root, path)))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(present, version));
}

/**
 * Returns the folder that describes the release, and the digests of its images.
 * @throws Error if the clone differs from its commit, before the build or after an image of it
 */
export async function build(
  root: string,
  registry: string,
  images: readonly string[],
  builder: Builder,
  say: (line: string) => void,
): Promise<{ folder: string; digests: string[] }> {
  const version = versionOf(root);
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}`);
  const before = await stateOf(root);
  if (before.changes !== '')
    throw new Error('Commit or remove your changes first: a release contains only committed files');
  const folder = join(root, '.karaar', 'release', version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'debian'), { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

  const sbom = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], { cwd: root });
  const bill = JSON.parse(sbom) as Sbom;
  const faults = licenceFaults(bill);
  if (faults.length > 0)
    throw new Error(`Packages whose licences a release must not contain:\n${faults.join('\n')}`);
  write('sbom.npm.cdx.json', sbom);
  write('THIRD-PARTY-LICENCES.txt', licencesText(bill, root));
  write('NOTES.md', `${notes}\n`);

  const digests: string[] = [];
  for (const name of images) {
    const { image, digest } = await buildAndPush(builder, root, registry, name, version);
    digests.push(digest);
    if (name !== WITHOUT_DEBIAN) write(join('debian', `${name}.tsv`), await debianPackages(builder, image));
    const after = await stateOf(root);
    if (after.commit !== before.commit || after.changes !== '')
      throw new Error(
        `The clone changed during the build (${after.changes.trim() || `now at ${after.commit}`}). Do not use the pushed images of ${version}; build again and leave the clone unchanged.`,
      );
    say(`${image} is pushed`);
  }
  write('images.txt', `${digests.join('\n')}\n`);
  const file = join(root, 'infra', 'docker', 'production', 'compose.yaml');
  const { compose, kustomize } = pins(readFileSync(file, 'utf8'), digests, version);
  write('digests.yaml', compose);
  mkdirSync(join(folder, 'digests'));
  write('digests/kustomization.yaml', kustomize);
  return { folder, digests };
}

async function stateOf(root: string): Promise<{ commit: string; changes: string }> {
  const commit = await run('git', ['rev-parse', 'HEAD'], { cwd: root });
  const changes = await run('git', ['status', '--porcelain'], { cwd: root });
  return { commit: commit.trim(), changes: changes.trimEnd() };
}
