/** The secrets that the overlays fetch from the store. */
import { join } from 'node:path';
import { WITH_FILES } from '@karaar/contracts/names';
import { makeEntries, sandboxValues, type Entries } from '@karaar/ops/secrets/entries';
import { blobConfigFromEnv } from '@karaar/storage/blobs';
import { mayCall, policiesOf } from '../src/network-rules.ts';
import { ruleFaults } from '../src/check.ts';
import { variablesOf, workloads, type KubeObject } from '../src/objects.ts';
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

type Remote = { data: { remoteRef: { key: string; property: string } }[] };
/** Returns the entries that an overlay's ExternalSecrets fetch, as `entry/property`. */
const asked = (overlay: string): string[] => [
  ...new Set(
    (rendered.get(overlay) ?? [])
      .filter(({ kind }) => kind === 'ExternalSecret')
      .flatMap(({ spec }) =>
        (spec as Remote).data.map(({ remoteRef: { key, property } }) => `${key}/${property}`),
      ),
  ),
];
const held = (entries: Entries): string[] =>
  Object.entries(entries).flatMap(([entry, properties]) =>
    Object.keys(properties).map((property) => `${entry}/${property}`),
  );

it('production fetches exactly the secrets that are made, and those that others issue', () => {
  const { entries, missing } = makeEntries('karaar.example', {}, 'production');
  expect([...held(entries), ...missing].sort()).toEqual(asked('production').sort());
  expect(missing).toEqual([
    'sms/SMS_ACCOUNT_SID',
    'sms/SMS_AUTH_TOKEN',
    'notifications/SMTP_USER',
    'notifications/SMTP_PASSWORD',
    'wallet/RAZORPAY_KEY_ID',
    'wallet/RAZORPAY_KEY_SECRET',
    'wallet/RAZORPAY_WEBHOOK_SECRETS',
    'documents/SEAL_P12',
    'documents/SEAL_P12_PASSWORD',
  ]);
});

it('production accepts every key that is made for it, and refuses development keys', () => {
  const ofDevelopment = (entries: Entries) =>
    Object.entries({ ...entries['blobs'], ...entries['service-credentials'] })
      .filter(([, value]) => value.startsWith('dev'))
      .map(([name]) => name);
  const { entries } = makeEntries('karaar.example', {}, 'production');
  expect(ofDevelopment(entries)).toEqual([]);
  for (const name of WITH_FILES) {
    const BLOB_KEK = entries['blobs']?.[`${name.toUpperCase()}_BLOB_KEK`] ?? '';
    const env = { NODE_ENV: 'production', SERVICE_NAME: name, BLOB_DIR: '/blobs', BLOB_KEK };
    expect(blobConfigFromEnv(env as Parameters<typeof blobConfigFromEnv>[0]).service).toBe(name);
  }
  const local = makeEntries('karaar.localhost', sandboxValues(), 'development').entries;
  expect(ofDevelopment(local).length).toBe(
    Object.keys({ ...local['blobs'], ...local['service-credentials'] }).length,
  );
});

it('a local cluster gets all secrets, with sandboxes instead of providers', () => {
  const { entries, missing } = makeEntries('karaar.localhost', sandboxValues(), 'development');
  expect(missing).toEqual([]);
  expect(asked('local').filter((one) => !held(entries).includes(one))).toEqual([]);
});

it('the log and its witness are named after the host', () => {
  const { entries } = makeEntries('karaar.example', {}, 'production');
  expect(entries['witness']?.['WITNESS_LOG_KEY']).toMatch(/^karaar\.example\/log\+/);
  expect(entries['documents']?.['LOG_WITNESSES']).toMatch(
    /^(karaar\.example\/witness\+\S+ ){2}http:\/\/witness:8080$/,
  );
});

describe("the operator's pod", () => {
  const pod = (overlay = 'production') => {
    const objects = rendered.get(overlay) ?? [];
    const all = workloads(objects);
    const named = (name: string) => {
      const found = all.find((one) => one.name === name);
      if (!found) throw new Error(`${name} is missing`);
      return found;
    };
    const ops = named('ops');
    const variables = new Map(ops.pod.containers.flatMap((one) => [...variablesOf(one, objects)]));
    const mayReach = (name: string, port: number) => mayCall(objects, ops, named(name), port);
    return { objects, ops, variables, mayReach };
  };

  it("has the variables of the tool's commands, and can reach witness and broker", () => {
    const { variables, mayReach } = pod();
    const services = ['AUTH', 'DOCUMENTS', 'PAYMENTS', 'WALLET', 'MESSAGING', 'CMS'];
    const keys = ['AUTH', 'DOCUMENTS', 'MESSAGING'];
    expect([...variables.keys()]).toEqual(
      expect.arrayContaining([
        'NATS_URL',
        ...['AUTH_SECRET', 'LOG_ORIGIN', 'LOG_KEY', 'LOG_WITNESSES', 'BLOB_S3_BUCKET'],
        ...services.map((service) => `${service}_DATABASE_URL`),
        ...keys.map((service) => `${service}_BLOB_KEK`),
      ]),
    );
    expect(mayReach('witness', 8080)).toEqual({ out: true, in: true });
    expect(mayReach('nats', 4222)).toEqual({ out: true, in: true });
  });

  it('has the accounts that `doctor` tries, from the secrets of their services, and a way to the providers', () => {
    const { objects, ops, variables } = pod();
    expect(Object.fromEntries([...variables].map(([name, { text }]) => [name, text]))).toMatchObject({
      PUBLIC_URL: 'https://karaar.example',
      SMS_PROVIDER: 'twilio',
      SMTP_HOST: 'smtp.karaar.example',
      SMTP_PORT: '587',
      ...Object.fromEntries(
        ['SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN', 'SMTP_USER', 'SMTP_PASSWORD', 'WHATSAPP_PHONE_NUMBER_ID']
          .concat('WHATSAPP_ACCESS_TOKEN', 'RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET')
          .map((name) => [name, `{{ .${name} }}`]),
      ),
    });
    const own = policiesOf(objects, ops.labels).flatMap(({ egress = [] }) => egress);
    const outside = own.filter(({ to = [] }) => to.some((peer) => 'ipBlock' in peer));
    expect(outside.flatMap(({ ports = [] }) => ports.map(({ port }) => port))).toEqual([80, 443, 465, 587]);
  });

  it('tries the stand-ins of a local cluster, and can reach them', () => {
    const { variables, mayReach } = pod('local');
    const settings = ['SMS_API_URL', 'RAZORPAY_API_URL', 'SMTP_HOST', 'SMTP_PORT', 'SMTP_TLS'];
    const url = 'http://sandbox:8080';
    expect(settings.map((name) => variables.get(name)?.text)).toEqual([url, url, 'sandbox', '2525', 'none']);
    for (const port of [8080, 2525]) expect(mayReach('sandbox', port)).toEqual({ out: true, in: true });
  });

  it('has neither the secrets of webhooks nor the sealing key', () => {
    const { variables } = pod();
    const refused = [...variables.keys()].filter((name) =>
      /WEBHOOK|APP_SECRET|VERIFY_TOKEN|^SEAL/.test(name),
    );
    expect(refused).toEqual([]);
  });
});
