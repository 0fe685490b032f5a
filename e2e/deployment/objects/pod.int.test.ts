import { join } from 'node:path';
import { workloads, type KubeObject, type Values } from '@karaar/k8s/objects';
import { k8sFolder, render } from '@karaar/k8s/render';
import { makeEntries, sandboxValues } from '@karaar/ops/secrets/entries';
import { copiesOf } from '../cluster/podman-cluster.ts';
import { podOf, type Sources } from './pod.ts';
import { secretsOf } from './secrets.ts';

let objects: KubeObject[];
let secrets: Map<string, Values>;
const store = makeEntries('karaar.localhost', sandboxValues(), 'development').entries;
beforeAll(async () => {
  objects = await render(join(k8sFolder, 'overlays', 'local'));
  secrets = secretsOf(objects, store);
});

const files: Record<string, Values> = {};
const sources: Sources = {
  configMap: (name) =>
    objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data,
  secret: (name) => (name === 'postgres-ca' ? { 'ca.crt': 'CA' } : secrets.get(name)),
  files: (pod, volume, given) => {
    files[volume] = given;
    return `/files/${pod}/${volume}`;
  },
  writable: (owner, volume, group) => `/writable/${owner}/${volume}/${group}`,
  image: (name) => `localhost/${name}`,
};
const named = (kind: string, name: string) => {
  const found = workloads(objects).find((one) => one.kind === kind && one.name === name);
  if (!found) throw new Error(`The ${kind} ${name} was not found`);
  return found;
};

it('a pod gets the values of its ConfigMaps and secrets, with the passwords of the store in its addresses', () => {
  const { spec } = podOf(named('Deployment', 'wallet').pod, 'wallet-1', { nats: '10.0.0.9' }, sources).main;
  const env = Object.fromEntries((spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));
  const password = store['postgres']?.['karaar_wallet_app'] ?? 'none';
  expect(env['DATABASE_URL']).toContain(`karaar_wallet_app:${password}@postgres-rw:5432/karaar_wallet`);
  expect(env).toMatchObject({ SERVICE_NAME: 'wallet', DATABASE_MIGRATIONS: 'await', INTERNAL_PORT: '9090' });
  expect(Object.values(env).filter((value) => value.includes('{{'))).toEqual([]);
  expect(spec.hostAliases).toEqual([{ ip: '10.0.0.9', hostnames: ['nats'] }]);
});

it('services get both passwords of a rotation for PostgreSQL and NATS; what takes one gets the first', () => {
  const both = (name: string): Values =>
    Object.fromEntries(Object.keys(store[name] ?? {}).map((property) => [property, 'old,new']));
  const rotated = secretsOf(objects, {
    ...store,
    ...Object.fromEntries(['postgres', 'nats', 'valkey'].map((name) => [name, both(name)])),
  });
  const values = (name: string, ...keys: string[]) => keys.map((key) => rotated.get(name)?.[key]);
  const passwords = values('wallet', 'DATABASE_URL', 'NATS_URL', 'REDIS_URL').map(
    (url) => /\/\/.*?:(.*?)@/.exec(url ?? '')?.[1],
  );
  expect(passwords).toEqual(['old,new', 'old,new', 'old']);
  expect(values('wallet-owner', 'MIGRATION_DATABASE_URL')[0]).toContain(':old@');
  expect(values('postgres-wallet-app', 'password')).toEqual(['old']);
  expect(values('nats', 'NATS_WALLET_PASSWORD')).toEqual(['"old"']);
  expect(values('valkey', 'password', 'passwords')).toEqual(['old', 'old,new']);
  expect(values('valkey-users', 'VALKEY_WALLET_PASSWORD')).toEqual(['old,new']);
});

it('a pod keeps its account, its grace period and its volumes: files of secrets, and writable folders', () => {
  const { spec } = podOf(named('Deployment', 'wallet').pod, 'wallet-1', {}, sources).main;
  expect(spec.securityContext.runAsUser).toBe(10001);
  expect(spec.terminationGracePeriodSeconds).toBe(45);
  expect(files['postgres-ca']).toEqual({ 'ca.crt': 'CA' });
  const paths = Object.fromEntries(spec.volumes.map(({ name, hostPath }) => [name, hostPath.path]));
  expect(paths).toEqual({
    'postgres-ca': '/files/wallet-1/postgres-ca',
    tmp: '/writable/pod-wallet-1/tmp/10001',
  });
});

it('a pod has its name as a variable, its init containers before it, and no container without an image', () => {
  const template = named('StatefulSet', 'valkey').pod;
  const { before, main } = podOf(template, 'valkey-2', {}, sources, { left: ['metrics'] });
  expect(before[0]?.spec.containers[0]?.env).toContainEqual({ name: 'POD_NAME', value: 'valkey-2' });
  expect(main.spec.containers.map(({ image }) => image)).toEqual([
    'localhost/valkey/valkey:9.0.0-alpine',
    'localhost/valkey/valkey:9.0.0-alpine',
  ]);
});

it('a pod without one of its secrets is an error', () => {
  const without: Sources = {
    ...sources,
    secret: (name) => (name === 'postgres-ca' ? { 'ca.crt': 'CA' } : undefined),
  };
  expect(() => podOf(named('Deployment', 'wallet').pod, 'w', {}, without)).toThrow(
    'the secret wallet was not found',
  );
});

it('a missing entry of the store is an error with its name', () => {
  const poor = { ...store, sms: { SMS_ACCOUNT_SID: 'AC' } };
  expect(() => secretsOf(objects, poor)).toThrow('sms/SMS_AUTH_TOKEN');
});

it('the number of copies is the minimum of the autoscaler, or without one that of the object', () => {
  expect(copiesOf(named('Deployment', 'wallet').object, objects)).toBe(1);
  expect(copiesOf(named('StatefulSet', 'nats').object, objects)).toBe(3);
});
