import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneRoot } from '@karaar/testing/roots';
import { licenceFaults, licencesText, type Component, type Sbom } from '../src/release/bill.ts';
import { buildAndPush, pins } from '../src/release/images.ts';
import { parse } from 'yaml';
import { releasedImages } from '../src/parts.ts';
import { checkNext, closeChangelog, notesOf } from '../src/release/version.ts';

type Versioned = { version: string };

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

  it('has a section, by Keep a Changelog, for the version of the images', () => {
    const { version } = JSON.parse(readFileSync(join(cloneRoot, 'package.json'), 'utf8')) as Versioned;
    const lock = JSON.parse(readFileSync(join(cloneRoot, 'package-lock.json'), 'utf8')) as Versioned;
    expect(lock.version).toBe(version);
    const changelog = readFileSync(join(cloneRoot, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(/^## \[Unreleased\]$/m);
    expect(notesOf(changelog, version)).toMatch(/^### (Added|Changed|Deprecated|Removed|Fixed|Security)$/m);
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

describe('an image', () => {
  /** A fake builder that records its arguments and answers as podman or docker does. */
  const builder = (folder: string, name: string) => {
    const program = join(folder, name);
    const script = [
      '#!/bin/sh',
      'echo "$*" >>"$0.words"',
      '[ "$2" != --digestfile ] || printf "sha256:pushed\\n" >"$3"',
      '[ "$1" != image ] || echo \'["other@sha256:x","registry/karaar/wallet@sha256:kept"]\'',
    ];
    writeFileSync(program, `${script.join('\n')}\n`, { mode: 0o755 });
    return { program, env: process.env, log: join(folder, 'log'), args: ['--network=host'] };
  };

  it.each([
    ['podman', 'sha256:pushed', true],
    ['docker', 'sha256:kept', false],
  ])("built by %s keeps its health check and has the registry's digest", async (name, digest, formats) => {
    const folder = mkdtempSync(join(tmpdir(), 'karaar-builder-'));
    const pushed = await buildAndPush(builder(folder, name), '/tree', 'registry/karaar', 'wallet', '1.0.0');
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
