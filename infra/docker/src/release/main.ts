/**
 * `npm run release -- prepare VERSION`: sets the version and closes the changelog.
 *
 * `npm run release -- build --registry REGISTRY [--with podman] [--image NAME]… [--build-arg NAME=VALUE]…
 * [--build-option=OPTION]…`: builds and pushes the images of the commit, and writes digests, SBOM, Debian
 * packages and licences into `.karaar/release/VERSION`. A build option is passed on unchanged, such as
 * `--build-option=--network=host`.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { run } from '@karaar/testing/machine/run';
import { releasedImages } from '../parts.ts';
import { licenceFaults, licencesText, type Sbom } from './bill.ts';
import { buildAndPush, debianPackages, pins, type Builder } from './images.ts';
import { checkNext, closeChangelog, notesOf } from './version.ts';

const manifest = join(cloneRoot, 'package.json');
const changelog = join(cloneRoot, 'CHANGELOG.md');
/** This image is not based on Debian. */
const WITHOUT_DEBIAN = 'web';

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
  if (command === 'prepare' && version !== undefined) prepare(version);
  else if (command === 'build' && values.registry !== undefined) await build(values.registry);
  else
    throw new Error('Usage: npm run release -- prepare VERSION | build --registry REGISTRY [--with podman]');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function prepare(version: string): void {
  const text = readFileSync(manifest, 'utf8');
  const { version: present } = JSON.parse(text) as { version: string };
  checkNext(present, version);
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, closeChangelog(readFileSync(changelog, 'utf8'), version, day));
  writeFileSync(manifest, text.replace(`"version": "${present}"`, `"version": "${version}"`));
  say(`${version}: run npm install, commit, tag v${version}.`);
}

async function build(registry: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const notes = notesOf(readFileSync(changelog, 'utf8'), version);
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}`);
  const changed = await run('git', ['status', '--porcelain'], { cwd: cloneRoot });
  if (changed.trim() !== '')
    throw new Error('Commit or remove your changes first: a release contains only committed files');
  const folder = join(stateRoot, 'release', version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'debian'), { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

  const sbom = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], { cwd: cloneRoot });
  const bill = JSON.parse(sbom) as Sbom;
  const faults = licenceFaults(bill);
  if (faults.length > 0)
    throw new Error(`Packages whose licences a release must not contain:\n${faults.join('\n')}`);
  write('sbom.npm.cdx.json', sbom);
  write('THIRD-PARTY-LICENCES.txt', licencesText(bill, cloneRoot));
  write('NOTES.md', `${notes}\n`);

  const builder: Builder = {
    program: values.with,
    env: process.env,
    log: join(stateRoot, 'logs', 'release.log'),
    args: [...values['build-option'], ...values['build-arg'].flatMap((one) => ['--build-arg', one])],
  };
  const digests: string[] = [];
  for (const name of values.image) {
    const { image, digest } = await buildAndPush(builder, cloneRoot, registry, name, version);
    digests.push(digest);
    if (name !== WITHOUT_DEBIAN) write(join('debian', `${name}.tsv`), await debianPackages(builder, image));
    say(digest);
  }
  write('images.txt', `${digests.join('\n')}\n`);
  const file = join(cloneRoot, 'infra', 'docker', 'production', 'compose.yaml');
  const { compose, kustomize } = pins(readFileSync(file, 'utf8'), digests, version);
  write('digests.yaml', compose);
  mkdirSync(join(folder, 'digests'));
  write('digests/kustomization.yaml', kustomize);
  say(`The release is described in ${folder}`);
}
