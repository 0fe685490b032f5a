/** The secrets that the overlays ask the store for. */
import { join } from 'node:path';
import { ruleFaults } from '../src/check.ts';
import { localSecrets } from '../src/local-secrets.ts';
import type { KubeObject } from '../src/objects.ts';
import { k8sFolder, render } from '../src/render.ts';

const rendered = new Map<string, KubeObject[]>();

beforeAll(async () => {
  for (const overlay of ['local', 'production'])
    rendered.set(overlay, await render(join(k8sFolder, 'overlays', overlay)));
});

it('finds two services with the same secret', () => {
  const objects = structuredClone(rendered.get('production') ?? []);
  const secret = objects.find(
    ({ kind, metadata }) => kind === 'ExternalSecret' && metadata.name === 'messaging',
  );
  const { data } = secret?.spec as { data: { secretKey: string; remoteRef: { property: string } }[] };
  for (const entry of data) if (entry.secretKey === 'BLOB_KEK') entry.remoteRef.property = 'AUTH_BLOB_KEK';
  expect(ruleFaults(objects)).toEqual([
    'auth and messaging have the same secret: blobs/AUTH_BLOB_KEK of the store',
  ]);
});

it('the local secrets hold every entry that the local overlay asks its store for', () => {
  type Remote = { data: { remoteRef: { key: string; property: string } }[] };
  const held = new Map(
    localSecrets().map((object) => {
      const { metadata, stringData = {} } = object as {
        metadata: { name: string };
        stringData?: Record<string, string>;
      };
      return [metadata.name, stringData];
    }),
  );
  const asked = (rendered.get('local') ?? [])
    .filter(({ kind }) => kind === 'ExternalSecret')
    .flatMap(({ spec }) => (spec as Remote).data.map(({ remoteRef }) => remoteRef));
  expect(asked.filter(({ key, property }) => !(property in (held.get(key) ?? {})))).toEqual([]);
});
