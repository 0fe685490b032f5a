/** One file, values.yaml, makes the production overlay that of another installation. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { faultsOf } from '../src/check.ts';
import { ofKind, variablesOf, workloads, type KubeObject, type Values } from '../src/objects.ts';
import { k8sFolder, render } from '../src/render.ts';

const folder = mkdtempSync(join(tmpdir(), 'karaar-values-'));
const overlay = join(folder, 'overlays', 'production');
const file = join(overlay, 'values.yaml');
beforeAll(() => {
  for (const name of ['base', 'components', 'overlays'])
    cpSync(join(k8sFolder, name), join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Templated = { target: { template: { data: Values } } };
type ValuesFile = { data: Record<string, string> };

/** Renders the overlay with other values and with parts of its kustomization replaced. */
async function installed(values: Values, parts: Values = {}): Promise<KubeObject[]> {
  const source = join(k8sFolder, 'overlays', 'production');
  const object = parse(readFileSync(join(source, 'values.yaml'), 'utf8')) as ValuesFile;
  expect(Object.keys(object.data)).toEqual(expect.arrayContaining(Object.keys(values)));
  writeFileSync(file, stringify({ ...object, data: { ...object.data, ...values } }));
  let text = readFileSync(join(source, 'kustomization.yaml'), 'utf8');
  for (const [part, other] of Object.entries(parts)) text = text.replace(part, other);
  writeFileSync(join(overlay, 'kustomization.yaml'), text);
  return render(overlay);
}

const variables = (objects: KubeObject[], name: string): Record<string, string | undefined> => {
  const container = workloads(objects).find((one) => one.name === name)?.pod.containers[0];
  if (!container) throw new Error(`The overlay lacks ${name}`);
  return Object.fromEntries([...variablesOf(container, objects)].map(([key, { text }]) => [key, text]));
};

it('host, registry with a port, version, providers, company and sizes', async () => {
  const objects = await installed({
    host: 'deeds.test',
    registry: 'images.test:5000/team/karaar',
    version: '1.2.3',
    smsProvider: 'msg91',
    smsFrom: 'DEEDS',
    smtpHost: 'mail.deeds.test',
    smtpPort: '2525',
    mailFrom: 'Deeds <post@deeds.test>',
    companyName: 'Deeds Private Limited',
    filesBucket: 'deeds-files',
    filesRole: 'arn:aws:iam::111111111111:role/deeds',
    secretsRole: 'arn:aws:iam::111111111111:role/deeds-secrets',
    secretsPrefix: 'deeds/',
    postgresBackups: 's3://deeds-postgres/',
    storageClass: 'fast',
    postgresSpace: '500Gi',
    natsSpace: '30Gi',
    backupSpace: '900Gi',
  });
  expect(await faultsOf(objects)).toEqual([]);
  const all = JSON.stringify(objects);
  const left = /karaar\.example|registry\.example|000000000000|karaar-production|gp3/g;
  expect(all.match(left)).toBeNull();
  const images = workloads(objects).flatMap(({ pod }) =>
    [...(pod.initContainers ?? []), ...pod.containers].map(({ image }) => image),
  );
  const ours = images.filter((image) => image.startsWith('images.test:5000/team/karaar/'));
  expect(ours.filter((image) => !/\/karaar\/[a-z-]+:1\.2\.3$/.test(image))).toEqual([]);
  expect(images.filter((image) => !ours.includes(image) && image.includes('karaar'))).toEqual([]);
  for (const { metadata } of ofKind(objects, 'Job'))
    expect(metadata.name).toMatch(/^[a-z]+-migrate-1\.2\.3$/);
  expect(variables(objects, 'notifications')).toMatchObject({
    PUBLIC_URL: 'https://deeds.test',
    SMS_PROVIDER: 'msg91',
    SMS_FROM: 'DEEDS',
    SMTP_HOST: 'mail.deeds.test',
    SMTP_PORT: '2525',
    MAIL_FROM: 'Deeds <post@deeds.test>',
  });
  expect(variables(objects, 'ops')).toMatchObject({
    PUBLIC_URL: 'https://deeds.test',
    SMS_PROVIDER: 'msg91',
    SMTP_HOST: 'mail.deeds.test',
    SMTP_PORT: '2525',
  });
  expect(variables(objects, 'documents')).toMatchObject({
    LOG_ORIGIN: 'deeds.test/log',
    BLOB_S3_BUCKET: 'deeds-files',
  });
  expect(variables(objects, 'wallet')).toMatchObject({ COMPANY_NAME: 'Deeds Private Limited' });
  for (const size of ['500Gi', '30Gi', '900Gi']) expect(all).toContain(`"${size}"`);
  expect(ofKind(objects, 'ConfigMap').map(({ metadata }) => metadata.name)).not.toContain('values');
});

it("an installation's own PostgreSQL, NATS, Redis and S3", async () => {
  const objects = await installed(
    {
      postgres: 'db.deeds.test:6432',
      nats: 'nats.deeds.test:4222',
      redisScheme: 'rediss',
      redis: 'redis.deeds.test:6379',
      filesEndpoint: 'https://s3.deeds.test',
      filesPathStyle: 'true',
    },
    { '../../components/state': '../../components/own-state\n  - ../../components/own-files' },
  );
  expect(await faultsOf(objects)).toEqual([]);
  const secret = ofKind<Templated>(objects, 'ExternalSecret').find(
    ({ metadata }) => metadata.name === 'documents',
  );
  expect(secret?.spec.target.template.data['DATABASE_URL']).toContain(
    '@{{ "db.deeds.test:6432" }}/karaar_documents?',
  );
  expect(
    JSON.stringify(objects).match(/postgres-rw|"nats:4222|valkey-0|karaar-state|cnpg\.io\/v1/g),
  ).toBeNull();
  expect(variables(objects, 'documents')).toMatchObject({
    NATS_URL: 'nats://documents:{{ .nats_password }}@nats.deeds.test:4222',
    REDIS_URL: 'rediss://documents:{{ .valkey_password }}@redis.deeds.test:6379',
    BLOB_S3_ENDPOINT: 'https://s3.deeds.test',
    BLOB_S3_PATH_STYLE: 'true',
  });
});

it('the sealing key on a device, which documents and the operator know', async () => {
  const last = '../../components/installed';
  const device = '../../components/sealing-device';
  const own = ['documents', 'ops'].map(
    (name) => `  - { name: registry.example/karaar/${name}, newName: images.test/${name} }`,
  );
  const objects = await installed(
    { version: '1.2.3' },
    { [last]: [last, `  - ${device}`, 'images:', ...own].join('\n') },
  );
  expect(await faultsOf(objects)).toEqual([]);
  const settings = ['MODULE', 'TOKEN', 'KEY_ID', 'PIN', 'ENV'].map((name) => `SEAL_PKCS11_${name}`);
  for (const name of ['documents', 'ops']) {
    expect(Object.keys(variables(objects, name))).toEqual(
      expect.arrayContaining([...settings, 'SEAL_CERTIFICATES_FILE']),
    );
    const pod = workloads(objects).find((one) => one.name === name)?.pod;
    expect(pod?.containers[0]?.image).toBe(`images.test/${name}:1.2.3`);
  }
});

it("images by a release's digests", async () => {
  const digests = join(folder, 'components', 'digests');
  mkdirSync(digests);
  const image = {
    name: 'registry.example/karaar/wallet',
    newTag: '1.2.3',
    digest: `sha256:${'a'.repeat(64)}`,
  };
  const component = { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', images: [image] };
  writeFileSync(join(digests, 'kustomization.yaml'), stringify(component));
  const last = '../../components/installed';
  const objects = await installed({ version: '1.2.3' }, { [last]: `${last}\n  - ../../components/digests` });
  expect(await faultsOf(objects)).toEqual([]);
  const wallets = workloads(objects).filter(({ name }) => name.startsWith('wallet'));
  for (const { pod } of wallets) expect(pod.containers[0]?.image).toBe(`${image.name}:1.2.3@${image.digest}`);
  expect(wallets).toHaveLength(2);
});
