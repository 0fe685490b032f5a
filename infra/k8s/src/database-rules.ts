/** Connections to PostgreSQL: they verify its certificate, are of the right role, and not too many. */
import { dirname } from 'node:path';
import {
  ofKind,
  perContainer,
  secretsOf,
  variablesOf,
  workloads,
  type Container,
  type Objects,
  type PodSpec,
  type ScalerSpec,
} from './objects.ts';

const CERTIFICATE = 'ca.crt';
/** The secret with the certificate of an installation's own server. */
const OWN_AUTHORITY = 'postgres-ca';
/** The database's URL with the role that owns the tables, for migrations only. */
const OWNERS_ADDRESS = 'MIGRATION_DATABASE_URL';

/**
 * `pg` treats `sslmode=require` as `verify-full` with Node's own authorities, which do not include the
 * operator's. So the URL must name the CA's file, and the pod must mount that file without the private key.
 */
export const databaseFaults = (objects: Objects): string[] =>
  perContainer(objects, (container, { pod }) => {
    const variables = variablesOf(container, objects);
    const addresses = ['DATABASE_URL', OWNERS_ADDRESS].flatMap((name) => variables.get(name)?.text ?? []);
    return addresses.flatMap((address) => wayFaults(address, container, pod, objects));
  });

function wayFaults(address: string, { volumeMounts }: Container, pod: PodSpec, objects: Objects): string[] {
  // The password is a template, so the text is not a valid URL.
  const options = new URLSearchParams(address.split('?')[1]);
  const file = options.get('sslrootcert');
  if (options.get('sslmode') !== 'verify-full' || file === null)
    return ['does not check the certificate of PostgreSQL'];
  const mount = volumeMounts?.find(({ mountPath }) => mountPath === dirname(file));
  const secret = pod.volumes?.find(({ name }) => name === mount?.name)?.secret;
  // The PostgreSQL operator keeps a cluster's CA in this secret, together with its private key.
  const authorities = ofKind(objects, 'Cluster').map(({ metadata }) => `${metadata.name}-ca`);
  const isAuthority = (authorities.length > 0 ? authorities : [OWN_AUTHORITY]).includes(
    secret?.secretName ?? '',
  );
  if (!isAuthority || file !== `${mount?.mountPath}/${CERTIFICATE}`)
    return [`${file} is not the certificate of the cluster's authority`];
  return secret?.items?.map(({ key }) => key).join() === CERTIFICATE
    ? []
    : ["has more of the cluster's authority than its certificate"];
}

/** The owner of the tables can change append-only rows, so only migration Jobs get its URL. */
export const ownerFaults = (objects: Objects): string[] =>
  perContainer(objects, (container, { kind }) => {
    const variables = variablesOf(container, objects);
    const isOwner = variables.has(OWNERS_ADDRESS);
    if (kind === 'Job' && container.args?.[0] === 'migrate.js')
      return isOwner && !variables.has('DATABASE_URL') ? [] : ['does not migrate as the owner of the tables'];
    const has = isOwner || secretsOf(container).some((secret) => secret.endsWith('-owner'));
    return has ? ['has the address of the owner of the tables'] : [];
  });

type RolloutSpec = { replicas?: number; strategy?: { rollingUpdate?: { maxSurge?: number } } };
type ClusterSpec = {
  postgresql: { parameters: Record<string, string> };
  managed: { roles: { name: string; connectionLimit: number }[] };
};

/** The default of `DATABASE_POOL` in libs/service/src/service. */
const POOL = 10;
/** The wallet's ledger check has its own connection. */
const BESIDE = 1;
/** The migration runs while copies of the earlier release are still connected. */
const MIGRATION = 1;
/** For superusers, the PostgreSQL operator, the exporter, and an operator's shell. */
const RESERVED = 12;

const ALL = 'all roles';

/** Returns the faults of the connection limits: in total, and per role. */
export const connectionFaults = (objects: Objects): string[] =>
  ofKind<ClusterSpec>(objects, 'Cluster').flatMap(({ metadata, spec: { postgresql, managed } }) => {
    const limits = new Map(managed.roles.map(({ name, connectionLimit }) => [name, connectionLimit]));
    limits.set(ALL, Number(postgresql.parameters['max_connections']));
    return [...needsOf(objects)]
      .filter(([name, need]) => need > (limits.get(name) ?? need))
      .map(([name, need]) => `${metadata.name}: ${name} may open ${need} connections of ${limits.get(name)}`);
  });

/** Returns the maximum number of connections of each role, and of all. */
function needsOf(objects: Objects): Map<string, number> {
  const scalers = ofKind<ScalerSpec>(objects, 'HorizontalPodAutoscaler');
  const needs = new Map<string, number>();
  for (const { kind, name, pod, object } of workloads(objects)) {
    const variables = new Map(pod.containers.flatMap((container) => [...variablesOf(container, objects)]));
    if (kind !== 'Deployment' || !variables.has('DATABASE_URL')) continue;
    const { replicas = 1, strategy } = object.spec as RolloutSpec;
    const scaler = scalers.find(({ spec }) => spec.scaleTargetRef.name === name);
    const copies = (scaler?.spec.maxReplicas ?? replicas) + (strategy?.rollingUpdate?.maxSurge ?? 0);
    const pool = Number(variables.get('DATABASE_POOL')?.text ?? POOL) + (name === 'wallet' ? BESIDE : 0);
    needs.set(`karaar_${name}_app`, copies * pool);
    needs.set(`karaar_${name}`, MIGRATION);
  }
  return needs.set(
    ALL,
    [...needs.values()].reduce((sum, need) => sum + need, RESERVED),
  );
}
