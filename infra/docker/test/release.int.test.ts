import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneRoot } from '@karaar/testing/roots';
import { licenceFaults, licencesText, type Component, type Sbom } from '../src/release/bill.ts';
import { buildAndPush, pins, type Builder } from '../src/release/images.ts';
import { build, prepare } from '../src/release/release.ts';
import { parse } from 'yaml';
import { releasedImages } from '../src/parts.ts';
import { checkNext, closeChangelog, notesOf } from '../src/release/version.ts';

type Versioned = { version: string };
type Lock = Versioned & { packages: Record<string, Partial<Versioned>> };

/** Returns the version of each package of ours, by its manifest and by the lock file. */
function versionsIn(root: string): [name: string, version: string | undefined][] {
  const read = <T>(...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8')) as T;
  const lock = read<Lock>('package-lock.json');
  const ours = Object.entries(lock.packages).filter(([path]) => !path.includes('node_modules'));
  return [
    ['package-lock.json', lock.version],
    ...ours.flatMap(([path, { version }]): [string, string | undefined][] => [
      [`package-lock.json ${path}`, version],
      [`${path}/package.json`, read<Partial<Versioned>>(path, 'package.json').version],
    ]),
  ];
}

describe('a version', () => {
  it.each([
    ['0.1.0', '0.1.1'],
    ['0.9.9', '1.0.0'],
    ['1.9.0', '1.10.0'],
  ])('%s is followed by %s', (present, wanted) => {
    expect(() => checkNext(present, wanted)).not.toThrow();
    expect(() => checkNext(wanted, present)).toThrow('is not later than');
    expect(() => checkNext(wanted, wanted)).toThrow('is not later than');
  });

  it.each(['1.0', 'v1.0.0', '1.0.0-rc.1', '01.0.0', ''])('is not %j', (wanted) => {
    expect(() => checkNext('0.1.0', wanted)).toThrow('three numbers');
  });
});

describe('the changelog', () => {
  const text = '# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [1.0.0] - 2026-01-31\n\n- First.\n';

  it('moves the unreleased section under the version', () => {
    const closed = closeChangelog(text, '1.1.0', '2026-02-28');
    expect(notesOf(closed, '1.1.0')).toBe('- New.');
    expect(notesOf(closed, '1.0.0')).toBe('- First.');
    expect(notesOf(closed, 'Unreleased')).toBe('');
    expect(() => closeChangelog(closed, '1.2.0', '2026-02-28')).toThrow('nothing under');
    expect(() => closeChangelog(text, '1.0.0', '2026-02-28')).toThrow('already');
    expect(notesOf(text, '1.0')).toBe('');
  });

  it('has a section, by Keep a Changelog, for the version of all packages', () => {
    const { version } = JSON.parse(readFileSync(join(cloneRoot, 'package.json'), 'utf8')) as Versioned;
    const changelog = readFileSync(join(cloneRoot, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(/^## \[Unreleased\]$/m);
    expect(notesOf(changelog, version)).toMatch(/^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/m);
    const versions = versionsIn(cloneRoot);
    expect(versions.length).toBeGreaterThan(40);
    expect(versions.filter(([, one]) => one !== version)).toEqual([]);
  });
});

describe('the bill of materials', () => {
  const component = (name: string, licence?: string, more: Partial<Component> = {}): Component => ({
    'bom-ref': `${name}@1.0.0`,
    ...(licence !== undefined && { licenses: [{ license: { id: licence } }] }),
    ...more,
  });
  const own = component('gateway', undefined, {
    properties: [{ name: 'cdx:npm:package:private', value: 'true' }],
  });

  it('rejects copyleft licences, and packages without a licence', () => {
    const sbom: Sbom = {
      components: [
        own,
        component('good', 'MIT'),
        component('either', undefined, { licenses: [{ expression: '(AGPL-3.0-only OR MIT)' }] }),
        component('both', undefined, { licenses: [{ expression: 'MIT AND GPL-3.0-only' }] }),
        component('strong', 'AGPL-3.0-only'),
        component('unsaid'),
      ],
    };
    expect(licenceFaults(sbom)).toEqual([
      'both@1.0.0: MIT AND GPL-3.0-only',
      'strong@1.0.0: AGPL-3.0-only',
      'unsaid@1.0.0: no licence',
    ]);
  });

  it('contains the licence text of each package, but not our own packages', () => {
    const root = mkdtempSync(join(tmpdir(), 'karaar-bill-'));
    mkdirSync(join(root, 'node_modules', '@one', 'good'), { recursive: true });
    writeFileSync(join(root, 'node_modules', '@one', 'good', 'LICENSE.md'), 'Permission is hereby granted\n');
    const sbom: Sbom = { components: [own, component('@one/good', 'MIT')] };
    expect(licencesText(sbom, root)).toBe('@one/good@1.0.0 (MIT)\n\nPermission is hereby granted');
    rmSync(root, { recursive: true });
  });
});

/** A fake builder that records its arguments and answers as podman or docker does. */
function fakeBuilder(folder: string, name: string, more = ''): Builder {
  const program = join(folder, name);
  const script = [
    '#!/bin/sh',
    'echo "$*" >>"$0.words"',
    '[ "$2" != --digestfile ] || printf "sha256:pushed\\n" >"$3"',
    '[ "$1" != image ] || echo \'["other@sha256:x","registry/karaar/wallet@sha256:kept"]\'',
    more,
  ];
  writeFileSync(program, `${script.join('\n')}\n`, { mode: 0o755 });
  return { program, env: process.env, log: join(folder, 'log'), args: ['--network=host'] };
}

describe('an image', () => {
  it.each([
    ['podman', 'sha256:pushed', true],
    ['docker', 'sha256:kept', false],
  ])("built by %s keeps its health check and has the registry's digest", async (name, digest, formats) => {
    const folder = mkdtempSync(join(tmpdir(), 'karaar-builder-'));
    const pushed = await buildAndPush(
      fakeBuilder(folder, name),
      '/tree',
      'registry/karaar',
      'wallet',
      '1.0.0',
    );
    expect(pushed).toEqual({
      image: 'registry/karaar/wallet:1.0.0',
      digest: `registry/karaar/wallet@${digest}`,
    });
    const [build = ''] = readFileSync(join(folder, `${name}.words`), 'utf8').split('\n');
    expect(build.startsWith('build ')).toBe(true);
    expect(build.includes(' --format docker ')).toBe(formats);
    expect(build).toContain(' --network=host ');
    rmSync(folder, { recursive: true });
  });
});

describe('the digests of a release', () => {
  const digests = releasedImages.map((name) => `registry.test:5000/karaar/${name}@sha256:${name}`);
  const file = join(cloneRoot, 'infra', 'docker', 'production', 'compose.yaml');
  const { compose, kustomize } = pins(readFileSync(file, 'utf8'), digests, '1.2.3');

  it('pin each service of ours on one machine', () => {
    const { services } = parse(compose) as { services: Record<string, { image: string }> };
    const used = new Set(Object.values(services).map(({ image }) => image));
    expect([...used].sort()).toEqual(digests.toSorted());
    for (const [service, name] of [
      ['backup', 'ops'],
      ['witness-3', 'witness'],
      ['auth', 'auth'],
    ])
      expect(services[service ?? '']?.image).toBe(`registry.test:5000/karaar/${name}@sha256:${name}`);
  });

  it('keep the version next to the digest in Kubernetes', () => {
    const { images } = parse(kustomize) as { images: object[] };
    expect(images).toHaveLength(releasedImages.length);
    expect(images).toContainEqual({
      name: 'registry.test:5000/karaar/wallet',
      newTag: '1.2.3',
      digest: 'sha256:wallet',
    });
  });
});

describe('a release of a clone', () => {
  let folder: string;
  let clone: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: clone });
  const write = (path: string, text: string) => writeFileSync(join(clone, path), text);
  const described = () => join(clone, '.karaar', 'release', '1.0.0');
  /** Builds the wallet's image by a builder that runs `more` in the clone. */
  const built = (more = '') =>
    build(
      clone,
      'registry/karaar',
      ['wallet'],
      fakeBuilder(folder, 'docker', `cd '${clone}'; ${more}`),
      () => {},
    );

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'karaar-clone-'));
    clone = join(folder, 'clone');
    const overlays = ['production', 'staging'].map((name) => `infra/k8s/overlays/${name}`);
    for (const path of ['one', 'docs', 'infra/docker/production', ...overlays])
      mkdirSync(join(clone, path), { recursive: true });
    write('package.json', '{ "name": "all", "version": "1.0.0", "private": true, "workspaces": ["one"] }');
    write('one/package.json', '{ "name": "one", "version": "1.0.0", "private": true }');
    write('CHANGELOG.md', '## [Unreleased]\n\n- New.\n\n## [1.0.0] - 2026-01-31\n\n- First.\n');
    for (const path of overlays) write(`${path}/values.yaml`, 'version: 1.0.0\n');
    write('docs/self-hosting.md', 'git clone --branch v1.0.0\n');
    write('.gitignore', 'node_modules\n.karaar\n');
    const image = '${KARAAR_REGISTRY:?}/wallet:${KARAAR_VERSION:?}';
    write('infra/docker/production/compose.yaml', `services: { wallet: { image: '${image}' } }\n`);
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: clone });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Begin');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has one version in all packages and in the lock file', async () => {
    await prepare(clone, '1.1.0');
    const versions = versionsIn(clone);
    expect(versions).toHaveLength(5);
    expect(versions.filter(([, version]) => version !== '1.1.0')).toEqual([]);
    expect(notesOf(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'), '1.1.0')).toBe('- New.');
    for (const path of ['docs/self-hosting.md', 'infra/k8s/overlays/production/values.yaml'])
      expect(readFileSync(join(clone, path), 'utf8')).toContain('1.1.0');
  });

  it('names the digests of the images of its commit', async () => {
    const digest = 'registry/karaar/wallet@sha256:kept';
    expect(await built()).toEqual({ folder: described(), digests: [digest] });
    expect(readFileSync(join(described(), 'images.txt'), 'utf8')).toBe(`${digest}\n`);
  });

  it.each([
    ['a changed file', 'echo "$1" >>one/package.json', /\(M one\/package\.json\)\. Do not use/],
    ['a new file', 'echo "$1" >new', /\(\?\? new\)\. Do not use/],
    [
      'another commit',
      'git -c user.name=t -c user.email=t@example.com commit -q --allow-empty -m "$1"',
      /now at [0-9a-f]{40}/,
    ],
  ])('names no digest after %s during the build', async (_, change, words) => {
    await expect(built(change)).rejects.toThrow(words);
    expect(existsSync(join(described(), 'images.txt'))).toBe(false);
  });

  it('is not built from a clone with changes', async () => {
    write('new', 'x');
    await expect(built()).rejects.toThrow('Commit or remove your changes first');
  });
});
