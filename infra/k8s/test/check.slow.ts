/** The overlays pass the check, and the check finds each guard that is removed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_NAMES, WITH_FILES } from '@karaar/contracts/names';
import { cloneRoot } from '@karaar/testing/roots';
import { environments } from '@karaar/images/environments';
import { faultsOf, ruleFaults } from '../src/check.ts';
import { variablesOf, workloads, type Container, type KubeObject, type Workload } from '../src/objects.ts';
import { k8sFolder, overlays, render } from '../src/render.ts';

const { version } = JSON.parse(readFileSync(join(cloneRoot, 'package.json'), 'utf8')) as { version: string };
const rendered = new Map<string, KubeObject[]>();

beforeAll(async () => {
  for (const overlay of overlays) rendered.set(overlay, await render(join(k8sFolder, 'overlays', overlay)));
});

const production = (): KubeObject[] => structuredClone(rendered.get('production') ?? []);

function one(objects: KubeObject[], kind: string, name: RegExp): KubeObject {
  const found = objects.find((object) => object.kind === kind && name.test(object.metadata.name));
  if (!found) throw new Error(`${kind} ${name} is not in the overlay`);
  return found;
}

function workload(objects: KubeObject[], name: string): Workload & { container: Container } {
  const found = workloads(objects).find((each) => each.name === name);
  const [container] = found?.pod.containers ?? [];
  if (!found || !container) throw new Error(`${name} is not in the overlay`);
  return { ...found, container };
}

const without = (objects: KubeObject[], kind: string, name: string) =>
  objects.filter((object) => object.kind !== kind || object.metadata.name !== name);

it.each(overlays)('%s has no fault', async (overlay) => {
  const objects = rendered.get(overlay) ?? [];
  expect(workloads(objects).length).toBeGreaterThan(15);
  expect(await faultsOf(objects)).toEqual([]);
});

describe('a guard of every workload', () => {
  const names = Object.keys(environments);

  it.each([...names, 'nats', 'valkey', 'clamav'])('%s: missing probes and limits are found', (name) => {
    for (const probe of ['livenessProbe', 'readinessProbe'] as const) {
      const objects = production();
      const { container } = workload(objects, name);
      container[probe] = undefined;
      expect(ruleFaults(objects)).toEqual([`${name}/${container.name}: no ${probe}`]);
    }
    for (const resource of ['cpu', 'memory']) {
      const objects = production();
      const { container } = workload(objects, name);
      const { limits = {} } = container.resources ?? {};
      const left = Object.entries(limits).filter(([name]) => name !== resource);
      container.resources = { ...container.resources, limits: Object.fromEntries(left) };
      expect(ruleFaults(objects)).toEqual([`${name}/${container.name}: no limit of ${resource}`]);
    }
  });

  it.each([...names, 'nats', 'valkey', 'clamav'])('%s: a missing policy and budget are found', (name) => {
    const unguarded = ruleFaults(without(production(), 'NetworkPolicy', name));
    expect(unguarded).toContain(`${name}: no NetworkPolicy of its own for Ingress`);
    expect(ruleFaults(without(production(), 'PodDisruptionBudget', name))).toEqual([
      `${name}: no PodDisruptionBudget`,
    ]);
  });

  it.each(names)('%s: a missing and an unknown variable are found', (name) => {
    const objects = production();
    const map = one(objects, 'ConfigMap', new RegExp(`^${name}-[a-z0-9]{10}$`));
    delete map.data?.['SERVICE_NAME'];
    map.data = { ...map.data, SERVICE_NAMME: name };
    expect(ruleFaults(objects)).toEqual([
      `${name}/${name}: SERVICE_NAMME is not known to ${name}`,
      `${name}/${name}: SERVICE_NAME is required`,
    ]);
  });
});

describe('the check finds', () => {
  it('an invalid value of a variable', () => {
    const objects = production();
    const map = one(objects, 'ConfigMap', /^gateway-/);
    map.data = { ...map.data, PUBLIC_URL: 'karaar.example' };
    expect(ruleFaults(objects).join()).toContain('PUBLIC_URL');
  });

  it('a missing secret, and a missing key in one', () => {
    expect(ruleFaults(without(production(), 'ExternalSecret', 'wallet')).join()).toContain(
      'nothing makes the secret wallet',
    );
    const objects = production();
    const spec = one(objects, 'ExternalSecret', /^wallet$/).spec as {
      target: { template: { data: Record<string, string> } };
    };
    delete spec.target.template.data['DATABASE_URL'];
    const faults = ruleFaults(objects);
    expect(faults).toContain('ledger-check: DATABASE_URL: the secret wallet has no DATABASE_URL');
    expect(faults).toContain('wallet/wallet: DATABASE_URL is required');
  });

  it('a database URL without a certificate check, a missing CA file, and a mounted private key', () => {
    const broken = (mend: (objects: KubeObject[]) => void): string[] => {
      const objects = production();
      mend(objects);
      return ruleFaults(objects);
    };
    const unchecked = broken((objects) => {
      const { spec } = one(objects, 'ExternalSecret', /^wallet$/);
      const { data } = (spec as { target: { template: { data: Record<string, string> } } }).target.template;
      data['DATABASE_URL'] = 'postgres://karaar_wallet@postgres-rw:5432/karaar_wallet?sslmode=require';
    });
    expect(unchecked).toEqual(
      ['wallet/wallet', 'ledger-check/check'].map(
        (name) => `${name}: does not check the certificate of PostgreSQL`,
      ),
    );
    const unmounted = broken((objects) => void workload(objects, 'auth').container.volumeMounts?.pop());
    expect(unmounted).toEqual([
      "auth/auth: /etc/postgres-ca/ca.crt is not the certificate of the cluster's authority",
    ]);
    const withKey = broken((objects) => {
      delete workload(objects, 'cms').pod.volumes?.find(({ name }) => name === 'postgres-ca')?.secret?.items;
    });
    expect(withKey).toEqual(["cms/cms: has more of the cluster's authority than its certificate"]);
  });

  it("the tables' owner outside a migration, and a migration without it", () => {
    const objects = production();
    workload(objects, 'wallet').container.envFrom?.push({ secretRef: { name: 'wallet-owner' } });
    const [job] =
      workload(objects, `cms-migrate-${version}`).container.env?.filter(
        ({ name }) => name === 'MIGRATION_DATABASE_URL',
      ) ?? [];
    if (job) Object.assign(job, { name: 'DATABASE_URL' });
    expect(ruleFaults(objects)).toEqual(
      expect.arrayContaining([
        'wallet/wallet: has the address of the owner of the tables',
        `cms-migrate-${version}/migrate: does not migrate as the owner of the tables`,
      ]),
    );
  });

  it('a fixed number of copies next to an autoscaler, and neither of them', () => {
    const objects = production();
    const { object } = workload(objects, 'payments');
    object.spec = { ...object.spec, replicas: 2 };
    const faults = ['payments: has not either its own number of copies or an autoscaler'];
    expect(ruleFaults(objects)).toEqual(faults);
    expect(ruleFaults(without(production(), 'HorizontalPodAutoscaler', 'payments'))).toEqual(faults);
  });

  it('too few connections for all copies', () => {
    const objects = production();
    const scaler = one(objects, 'HorizontalPodAutoscaler', /^documents$/);
    scaler.spec = { ...scaler.spec, maxReplicas: 60 };
    expect(ruleFaults(objects)).toEqual([
      'postgres: karaar_documents_app may open 305 connections of 200',
      expect.stringMatching(/^postgres: all roles may open \d+ connections of 400$/),
    ]);
  });

  it('a Job whose name lacks the release', () => {
    const objects = production();
    one(objects, 'Job', /^cms-migrate/).metadata.name = 'cms-migrate';
    expect(ruleFaults(objects)).toEqual(['cms-migrate: is not named by its release']);
  });

  it('a missing policy for the ACME solver', () => {
    expect(ruleFaults(without(production(), 'NetworkPolicy', 'certificates'))).toEqual([
      'Ingress karaar: nothing lets cert-manager answer for its certificate',
    ]);
  });

  it('ports that do not match', () => {
    const objects = production();
    const [port] = workload(objects, 'cms').container.ports ?? [];
    if (port) port.containerPort = 8081;
    const faults = ruleFaults(objects);
    expect(faults).toContain('cms/cms: does not open its PORT');
    const service = one(production(), 'Service', /^cms$/);
    (service.spec as { ports: { port: number; targetPort: string }[] }).ports[0] = {
      port: 8080,
      targetPort: 'web',
    };
    expect(ruleFaults([...without(production(), 'Service', 'cms'), service]).join()).toContain(
      'Service cms:8080: its pods have no such port',
    );
    const wide = production();
    const { spec } = one(wide, 'Service', /^cms$/);
    Object.assign(spec ?? {}, { selector: { 'app.kubernetes.io/part-of': 'karaar' } });
    expect(ruleFaults(wide)).toContain(
      'Service cms:8080: the service does not select the pods of one workload',
    );
    const mistyped = production();
    const policy = one(mistyped, 'NetworkPolicy', /^gateway$/).spec as { ingress: { ports: object[] }[] };
    policy.ingress[0]?.ports.push({ port: 'web' });
    one(mistyped, 'Service', /^gateway$/).metadata.labels = {};
    expect(ruleFaults(mistyped)).toEqual([
      'gateway: has no port web, which its policy names',
      'ServiceMonitor gateway: it selects no service',
    ]);
  });

  it('a missing policy for a connection that a service needs', () => {
    const objects = production();
    const spec = one(objects, 'NetworkPolicy', /^documents$/).spec as { egress: unknown[] };
    spec.egress.splice(1, 1);
    expect(ruleFaults(objects)).toEqual([
      'documents: VISION_INTERNAL_URL leads to vision:9090, but no policy lets it out',
    ]);
    const unscanned = ruleFaults(without(production(), 'NetworkPolicy', 'scanned'));
    expect(unscanned).toEqual(
      WITH_FILES.map((name) => `${name}: CLAMD_ADDRESS leads to clamav:3310, but no policy lets it out`),
    );
    expect(ruleFaults(without(production(), 'NetworkPolicy', 'deny-all'))).toEqual([
      'no NetworkPolicy denies all traffic',
    ]);
  });

  it.each([
    ['wallet', 'DATABASE_URL', 'postgres-rw:5432', 5432],
    ['wallet', 'NATS_URL', 'nats:4222', 4222],
    ['gateway', 'REDIS_URL', 'valkey:6379', 6379],
    ['gateway', 'REDIS_URL', 'valkey:26379', 26_379],
  ] as const)('a missing policy for the connection of %s by %s to %s', (name, variable, address, port) => {
    type Rules = { egress: { ports?: { port: number | string }[] }[] };
    const closed = production();
    const spec = one(closed, 'NetworkPolicy', new RegExp(`^${name}$`)).spec as Rules;
    spec.egress = spec.egress
      .map((rule) => ({ ...rule, ports: rule.ports?.filter((one) => one.port !== port) }))
      .filter((rule) => rule.ports?.length);
    expect(ruleFaults(closed)).toContain(
      `${name}: ${variable} leads to ${address}, but no policy lets it out`,
    );
  });

  it.each([
    ['postgres', 'postgres-rw:5432', 'DATABASE_URL'],
    ['nats', 'nats:4222', 'NATS_URL'],
    ['valkey', 'valkey:6379', 'REDIS_URL'],
  ])('a missing policy that lets services in at %s', (policy, address, variable) => {
    const faults = ruleFaults(without(production(), 'NetworkPolicy', policy));
    expect(faults).toContain(`wallet: ${variable} leads to ${address}, but no policy lets it in`);
  });

  it('an unknown address of the database, broker or cache', () => {
    type Target = { target: { template: { data: Record<string, string> } } };
    const objects = production();
    const { target } = one(objects, 'ExternalSecret', /^wallet$/).spec as Target;
    const { data } = target.template;
    for (const [name, text] of Object.entries(data))
      data[name] = text.replace('"postgres-rw:', '"postgres:').replace('"nats:4222', '"nats:4223');
    expect(ruleFaults(objects)).toEqual(
      expect.arrayContaining([
        'wallet: DATABASE_URL leads to postgres:5432, but there is no such service',
        'wallet: NATS_URL leads to nats:4223, but the service has no such port',
      ]),
    );
  });

  describe('at the internal ports', () => {
    type Policy = { ingress: { from?: unknown[]; ports?: unknown[] }[]; egress: { ports: unknown[] }[] };
    const policyOf = (objects: KubeObject[], name: string) =>
      one(objects, 'NetworkPolicy', new RegExp(`^${name}$`)).spec as Policy;
    const pods = (name: string) => ({ podSelector: { matchLabels: { 'app.kubernetes.io/name': name } } });
    const inner = [...SERVICE_NAMES, 'witness', 'broker-admin', 'converter'];

    it.each(inner)('%s: a missing port, missing metrics, and other callers', (name) => {
      const closed = production();
      const { container } = workload(closed, name);
      container.ports = container.ports?.filter(({ name: port }) => port !== 'inner') ?? [];
      expect(ruleFaults(closed)).toContain(`${name}/${container.name}: does not open its INTERNAL_PORT`);
      expect(ruleFaults(without(production(), 'ServiceMonitor', name))).toEqual([
        `${name}: no ServiceMonitor reads the metrics at its internal port`,
      ]);
      const probed = production();
      const { livenessProbe } = workload(probed, name).container;
      if (livenessProbe?.httpGet) livenessProbe.httpGet.port = 'inner';
      expect(ruleFaults(probed)).toEqual([`${name}: a probe asks the internal port`]);

      const opened = production();
      policyOf(opened, name).ingress.push({ from: [pods('gateway')], ports: [{ port: 'inner' }] });
      expect(ruleFaults(opened)).toEqual([
        `gateway is let in at the internal port of ${name} and does not get its URL`,
      ]);
      const monitoring = { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } };
      const port = { ports: [{ port: 9090 }] };
      // Kubernetes reads an empty list as all callers, or all ports.
      for (const rule of [
        { from: [{ namespaceSelector: monitoring }], ...port },
        { from: [], ...port },
        { from: [{ namespaceSelector: monitoring }], ports: [] },
      ]) {
        const toAll = production();
        policyOf(toAll, name).ingress.push(rule);
        expect(ruleFaults(toAll)).toContain(`${name}: its internal port is open to more than named pods`);
      }
    });

    it('a policy that lets the gateway out to them', () => {
      const objects = production();
      policyOf(objects, 'gateway').egress[0]?.ports.push({ port: 9090 });
      expect(ruleFaults(objects)).toEqual(
        expect.arrayContaining([
          'gateway is let out to the internal port of auth and does not get its URL',
          'gateway is let out to the internal port of documents and does not get its URL',
        ]),
      );
    });

    it('a service credential that is missing, shared or from another entry', () => {
      type Secret = { data: { secretKey: string; remoteRef: { key: string; property: string } }[] };
      const dataOf = (objects: KubeObject[], name: string) =>
        (one(objects, 'ExternalSecret', new RegExp(`^${name}$`)).spec as Secret).data;
      const variable = 'WALLET_TO_DOCUMENTS_SECRETS';
      const taken = production();
      const [at = -1] = [...dataOf(taken, 'wallet').keys()].filter(
        (index) => dataOf(taken, 'wallet')[index]?.secretKey === variable,
      );
      const [entry] = dataOf(taken, 'wallet').splice(at, 1);
      expect(ruleFaults(taken)).toEqual([`${variable}: wallet does not have it`]);
      const shared = production();
      if (entry) dataOf(shared, 'payments').push(entry);
      expect(ruleFaults(shared)).toEqual([
        `${variable}: payments has it and is not an end of this service credential`,
      ]);
      const apart = production();
      const [other] = dataOf(apart, 'wallet').filter(({ secretKey }) => secretKey === variable);
      if (other) other.remoteRef.key = 'wallet';
      expect(ruleFaults(apart)).toEqual([`${variable}: its ends take it from different entries`]);
    });
  });

  describe('at the converter', () => {
    type Rules = { podSelector: object; ingress: object[]; egress: object[] };
    const policyOf = (objects: KubeObject[], name: string) =>
      one(objects, 'NetworkPolicy', new RegExp(`^${name}$`)).spec as Rules;

    it('a secret, by reference, name or value', () => {
      const given = production();
      workload(given, 'converter').container.envFrom?.push({ secretRef: { name: 'documents' } });
      expect(ruleFaults(given)).toContain('converter: it gets the secret documents');
      for (const [name, value] of [
        ['BLOB_KEK', 'x'],
        ['ANYTHING', 'postgres://a:b@postgres/x'],
      ] as const) {
        const objects = production();
        (workload(objects, 'converter').container.env ??= []).push({ name, value });
        expect(ruleFaults(objects)).toContain(`converter: it gets ${name}, which is or looks like a secret`);
      }
    });

    it('the user id of another workload', () => {
      const objects = production();
      const { pod } = workload(objects, 'converter');
      if (pod.securityContext) pod.securityContext.runAsUser = 10001;
      expect(ruleFaults(objects)).toContain('converter: it shares its user id with documents');
    });

    it('a token of the cluster', () => {
      const objects = production();
      delete workload(objects, 'converter').pod.automountServiceAccountToken;
      expect(ruleFaults(objects)).toEqual(['converter: it gets a token of the cluster']);
    });

    it('egress, by its own policy or by one for all', () => {
      const own = production();
      policyOf(own, 'converter').egress.push({ ports: [{ port: 443 }] });
      expect(ruleFaults(own)).toContain('converter: the policy converter lets it out');
      const forAll = production();
      policyOf(forAll, 'names').podSelector = {};
      expect(ruleFaults(forAll)).toEqual(['converter: the policy names lets it out']);
    });

    it('other callers, and documents without access', () => {
      const opened = production();
      policyOf(opened, 'converter').ingress.push({
        from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } }],
        ports: [{ port: 'http' }],
      });
      expect(ruleFaults(opened)).toEqual(['converter: gateway can reach it']);
      const shut = production();
      policyOf(shut, 'converter').ingress.shift();
      expect(ruleFaults(shut)).toContain('converter: documents cannot reach it');
    });
  });

  it('a missing restricted profile', () => {
    const objects = production();
    const { pod, container } = workload(objects, 'auth');
    delete pod.securityContext;
    delete container.securityContext;
    expect(ruleFaults(objects)).toEqual([
      'auth/auth: may gain privileges',
      'auth/auth: may write to its root',
      'auth/auth: keeps capabilities',
      'auth: may run as root',
      'auth: has no seccomp profile',
    ]);
  });

  it('invalid and unknown fields, of every family of kinds', async () => {
    const broken: [
      kind: string,
      name: RegExp,
      change: (spec: Record<string, unknown>) => void,
      says: string,
    ][] = [
      ['Deployment', /^auth$/, (spec) => (spec['replicas'] = 'two'), 'replicas must be integer'],
      ['Deployment', /^auth$/, (spec) => (spec['replica'] = 2), '/spec/replica is not a field'],
      ['Cluster', /^postgres$/, (spec) => (spec['instance'] = 3), '/spec/instance is not a field'],
      ['ExternalSecret', /^auth$/, (spec) => (spec['refresh'] = '1h'), '/spec/refresh is not a field'],
      ['ServiceMonitor', /^auth$/, (spec) => (spec['endpoint'] = []), '/spec/endpoint is not a field'],
      ['NetworkPolicy', /^auth$/, (spec) => (spec['ingres'] = []), '/spec/ingres is not a field'],
      ['ObjectStore', /./, (spec) => (spec['retention'] = '30d'), '/spec/retention is not a field'],
    ];
    for (const [kind, name, change, says] of broken) {
      const objects = production();
      change(one(objects, kind, name).spec ?? {});
      expect((await faultsOf(objects)).join('\n')).toContain(says);
    }
  });
});

it.each(overlays)('%s: the gateway watches the certificate that the ingress serves', (overlay) => {
  const objects = rendered.get(overlay) ?? [];
  const { tls } = one(objects, 'Ingress', /^karaar$/).spec as { tls: { secretName: string }[] };
  const { pod, container } = workload(objects, 'gateway');
  const { volumes } = pod as { volumes?: { name: string; secret?: { secretName: string } }[] };
  const { volumeMounts } = container as { volumeMounts?: { name: string; mountPath: string }[] };
  const file = variablesOf(container, objects).get('TLS_CERTIFICATE_FILE')?.text ?? '';
  const mount = volumeMounts?.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
  const watched = volumes?.find(({ name }) => name === mount?.name)?.secret?.secretName;
  expect(tls.map(({ secretName }) => secretName)).toEqual([watched]);
});
