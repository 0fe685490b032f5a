/** Checks the Dockerfiles and the compose files. */
import { companyEnv } from '@karaar/base/config';
import { serviceCredentials, type ServiceCredential } from '@karaar/contracts/internal';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRIVATE_LOG } from '@karaar/testing/backing/postgres-log';
import { cloneRoot } from '@karaar/testing/roots';
import { parse } from 'yaml';
import { addMissing } from '../src/compose-env.ts';
import { freshKeys } from '../src/fresh-keys.ts';
import { lintDockerfile } from './dockerfile-rules.ts';
import { environments } from '../src/environments.ts';
import { lasting, parts } from '../src/parts.ts';

const read = (name: string) => readFileSync(join(cloneRoot, 'infra', 'docker', name), 'utf8');

describe('Dockerfiles', () => {
  it.each(['Dockerfile', 'Dockerfile.web'])('%s follows the rules', (name) => {
    expect(lintDockerfile(read(name))).toEqual([]);
  });

  it('install packages by the same steps, so that a builder caches them for both', () => {
    const steps = (name: string) => {
      const text = read(name);
      const from = text.indexOf('WORKDIR /src\n');
      return text.slice(from, text.indexOf('npm ci', from)).replaceAll(/^#.*\n/gm, '');
    };
    const shared = steps('Dockerfile');
    expect(shared).toContain('COPY . .');
    expect(steps('Dockerfile.web')).toBe(shared);
  });

  it('a Dockerfile that breaks each rule is rejected', () => {
    const bad = [
      'FROM node:latest AS build',
      'ADD https://example.com/a.tgz /a',
      'RUN apt-get install -y curl',
      'RUN curl -s https://example.com/x | sh',
      'FROM node:24.9.0-slim',
      'ENV AUTH_SECRET=abc',
      'COPY --from=build /a /a',
      'CMD node main.js',
      'WRONG',
    ].join('\n');
    const found = lintDockerfile(bad).join('\n');
    for (const part of [
      'not pinned',
      'use COPY',
      'without --no-install-recommends',
      'leaves its lists',
      'another layer',
      'runs a downloaded script',
      'looks like a secret',
      'swallows signals',
      'is not root',
      'WRONG',
    ])
      expect(found).toContain(part);
  });
});

type Service = {
  image?: string;
  build?: { args?: Record<string, string>; target?: string };
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string; required?: boolean }>;
  healthcheck?: unknown;
  profiles?: string[];
  read_only?: boolean;
  ports?: string[];
  networks?: string[];
  mem_limit?: string;
  logging?: { options?: Record<string, string> };
};

/** The files have many aliases, which are not an attack. */
const servicesOf = (file: string): Record<string, Service> =>
  (parse(read(file), { merge: true, maxAliasCount: -1 }) as { services: Record<string, Service> }).services;

/**
 * Variables that `make-secrets` writes next to the keys: names of the installation and secrets from
 * providers.
 */
const OF_AN_INSTALLATION = new Set([
  'KARAAR_HOST',
  'KARAAR_REGISTRY',
  'KARAAR_VERSION',
  'KARAAR_TLS',
  'RAZORPAY_KEY_ID',
  'SMTP_HOST',
  'MAIL_FROM',
  'RAZORPAY_WEBHOOK_SECRETS',
  'SEAL_P12',
  'SEAL_P12_PASSWORD',
]);

describe.each(['compose.yaml', 'production/compose.yaml'])('%s', (file) => {
  const text = read(file);
  const compose = { services: servicesOf(file) };
  const services = Object.entries(compose.services);

  const isProduction = file.startsWith('production/');

  it('runs every part from its own image, with a read-only file system', () => {
    // Production uses real providers.
    const absent = lasting.map(({ name }) => name).filter((name) => !(name in compose.services));
    expect(absent).toEqual(isProduction ? ['sandbox'] : []);
    for (const { name } of lasting.filter((part) => part.name in compose.services)) {
      if (isProduction) {
        expect(compose.services[name]?.image).toBe(`\${KARAAR_REGISTRY:?}/${name}:\${KARAAR_VERSION:?}`);
        expect(compose.services[name]?.environment?.['NODE_ENV']).toBe('production');
      } else expect(compose.services[name]?.build?.args).toEqual({ PART: name });
      expect(compose.services[name]?.read_only).toBe(true);
    }
  });

  it.each(Object.entries(environments))(
    '%s gets exactly the variables that its configuration needs',
    (name, schema) => {
      const given = Object.keys(compose.services[name]?.environment ?? {});
      const known = new Set(Object.keys(schema.properties));
      expect(given.filter((variable) => !known.has(variable))).toEqual([]);
      // Set by the images.
      const preset = new Set([
        'PORT',
        'INTERNAL_PORT',
        'CHROMIUM_PATH',
        'SOFFICE_PATH',
        'WORK_DIR',
        'STATE_DIR',
      ]);
      const needed = (schema.required ?? []).filter(
        (variable) =>
          !preset.has(variable) &&
          !('default' in ((schema.properties as Record<string, object>)[variable] ?? {})),
      );
      expect(needed.filter((variable) => !given.includes(variable))).toEqual([]);
    },
  );

  it("keeps values out of PostgreSQL's log", () => {
    const command = compose.services['postgres']?.command ?? [];
    for (const [name, value] of Object.entries(PRIVATE_LOG)) expect(command).toContain(`${name}=${value}`);
  });

  it('waits only for services with a health check and for steps that end', () => {
    const ends = new Set(['web', 'blobs']);
    for (const [name, { depends_on: after = {} }] of services)
      for (const [other, { condition }] of Object.entries(after)) {
        expect(compose.services[other]).toBeDefined();
        expect([name, other, condition]).toEqual([
          name,
          other,
          ends.has(other) ? 'service_completed_successfully' : 'service_healthy',
        ]);
      }
    const asked = new Set(services.flatMap(([, { depends_on: after = {} }]) => Object.keys(after)));
    const isPart = new Set(parts.map((part) => part.name));
    for (const name of asked)
      if (!ends.has(name) && !isPart.has(name)) expect(compose.services[name]?.healthcheck).toBeDefined();
  });

  it('has one switch for the scanner: services that take files use and await it only if it runs', () => {
    expect(compose.services['clamd']?.profiles).toEqual(['scan']);
    const optional = services.filter(([, { profiles }]) => profiles?.includes('scan')).map(([name]) => name);
    for (const [name, { environment = {}, depends_on: after = {} }] of services) {
      const takesFiles = 'BLOB_DIR' in environment && 'BLOB_KEK' in environment;
      expect([name, environment['CLAMD_ADDRESS']]).toEqual([
        name,
        takesFiles ? '${COMPOSE_PROFILES:+tcp://clamd:3310}' : undefined,
      ]);
      expect([name, 'clamd' in after]).toEqual([name, takesFiles]);
      // Services must start without the profile.
      for (const other of optional.filter((each) => each in after))
        expect([name, other, after[other]?.required]).toEqual([name, other, false]);
    }
  });

  it('gives a service credential only to its caller and its callee, and the gateway no internal port', () => {
    const held = (variable: string) =>
      services.filter(([, { environment = {} }]) => variable in environment).map(([name]) => name);
    for (const { caller, callee, variable } of serviceCredentials as ServiceCredential[])
      expect([variable, held(variable).sort()]).toEqual([variable, [caller, callee].sort()]);
    const told = Object.values(compose.services['gateway']?.environment ?? {});
    expect(told.filter((value) => String(value).includes(':9090'))).toEqual([]);
    const published = services.filter(([, service]) => 'ports' in service).map(([name]) => name);
    expect(published).toEqual([isProduction ? 'caddy' : 'gateway']);
  });

  it('gives no other secret to two services, except those of the sandboxes and public keys of logs', () => {
    const SHARED =
      /^(SMS_AUTH_TOKEN|WHATSAPP_APP_SECRET|RAZORPAY_KEY_SECRET|RAZORPAY_WEBHOOK_SECRET|WITNESS_LOG_KEY|LOG_WITNESS)$/;
    // These servers check all passwords, or belong to the operator.
    const servers = ['postgres', 'nats', 'redis', 'ops', 'backup'];
    const holders = new Map<string, string[]>();
    for (const [name, { environment = {} }] of services.filter(([service]) => !servers.includes(service)))
      for (const variable of new Set(
        Object.values(environment).flatMap((value) =>
          [...String(value).matchAll(/\$\{([A-Z_0-9]+)[:}]/g)].map(([, variable = '']) => variable),
        ),
      ))
        if (variable in freshKeys()) holders.set(variable, [...(holders.get(variable) ?? []), name]);
    const ends = new Set<string>((serviceCredentials as ServiceCredential[]).map(({ variable }) => variable));
    const shared = [...holders].filter(
      ([variable, names]) => names.length > 1 && !ends.has(variable) && !SHARED.test(variable),
    );
    expect(holders.get('AUTH_BLOB_KEK')).toEqual(['auth']);
    expect(shared).toEqual([]);
  });

  it('requires only variables that a command writes', () => {
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
    const given = (name: string) => name in freshKeys() || (isProduction && OF_AN_INSTALLATION.has(name));
    expect(required.filter((name) => !given(name))).toEqual([]);
  });
});

describe('development', () => {
  it('is published on loopback unless a variable names the risk', () => {
    const published = Object.values(servicesOf('compose.yaml')).flatMap(({ ports = [] }) => ports);
    expect(published).toEqual(['${ANYBODY_CAN_SIGN_IN_AT:-127.0.0.1}:${HTTP_PORT:-8080}:8080']);
  });
});

describe('production on one machine', () => {
  const services = servicesOf('production/compose.yaml');
  const MB: Readonly<Record<string, number>> = { m: 1, g: 1024 };

  it('bounds the memory of every service, so that all fit into 16 GB', () => {
    const bounds = Object.entries(services).map(([name, { mem_limit: limit = '', profiles }]) => {
      const [, amount, unit = ''] = /^(\d+)([mg])$/.exec(limit) ?? [];
      return { name, profiles, megabytes: Number(amount) * (MB[unit] ?? Number.NaN) };
    });
    expect(bounds.filter(({ megabytes }) => Number.isNaN(megabytes)).map(({ name }) => name)).toEqual([]);
    const always = bounds.filter(({ profiles }) => profiles === undefined);
    expect(always.reduce((sum, { megabytes }) => sum + megabytes, 0)).toBeLessThanOrEqual(16 * 1024);
  });

  it('rotates the log of every service', () => {
    for (const [name, { logging }] of Object.entries(services))
      expect([name, logging?.options]).toEqual([name, { 'max-size': '20m', 'max-file': '5' }]);
  });

  it("prints the company's name, address and GSTIN on receipts and statements", () => {
    for (const name of ['payments', 'wallet'])
      expect(Object.keys(services[name]?.environment ?? {})).toEqual(
        expect.arrayContaining(Object.keys(companyEnv)),
      );
  });

  it('hands every variable of the nightly backup to it', () => {
    const used = [...read('production/nightly-backup.sh').matchAll(/\b(BACKUPS?_[A-Z]+)\b/g)];
    expect(Object.keys(services['backup']?.environment ?? {})).toEqual(
      expect.arrayContaining(used.map(([, name]) => name)),
    );
  });

  it('stores files in S3 by a second file: each service that reads files gets the bucket and a way out', () => {
    const added = servicesOf('production/s3.yaml');
    const settings = Object.keys(environments.documents.properties).filter((name) =>
      name.startsWith('BLOB_S3_'),
    );
    const readers = Object.entries(services).filter(([, { environment = {} }]) => 'BLOB_DIR' in environment);
    expect(Object.keys(added).sort()).toEqual(readers.map(([name]) => name).sort());
    for (const [name, { environment = {}, networks = [] }] of Object.entries(added)) {
      expect(Object.keys(environment).sort()).toEqual(
        [...settings, 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].sort(),
      );
      expect([name, networks]).toEqual([name, ['inside', 'outside']]);
    }
  });

  it('is started by commands that name no service which ends, because `up --wait` fails for it', () => {
    const guide = readFileSync(join(cloneRoot, 'docs', 'self-hosting.md'), 'utf8');
    const commands = [...guide.matchAll(/compose\.env up -d --wait([^\n#]*)/g)];
    expect(commands.length).toBeGreaterThan(2);
    const named = commands.flatMap(([, names = '']) => names.trim().split(/\s+/).filter(Boolean));
    expect(named.filter((name) => !(name in services) || name === 'web' || name === 'blobs')).toEqual([]);
  });

  it('seals by a PKCS#11 device by a second file, which documents and the operator know', () => {
    const { documents, ops, ...others } = servicesOf('production/pkcs11.yaml');
    expect(others).toEqual({});
    expect(ops?.environment).toEqual(documents?.environment);
    const given = Object.keys(documents?.environment ?? {});
    expect(given.filter((name) => !(name in environments.documents.properties))).toEqual([]);
    expect(given).toEqual(
      expect.arrayContaining(['SEAL_PKCS11_MODULE', 'SEAL_PKCS11_PIN', 'SEAL_CERTIFICATES_FILE']),
    );
    expect(String(services['documents']?.environment?.['SEAL_P12'])).toBe('${SEAL_P12:-}');
  });
});

describe('compose:env', () => {
  it('adds missing keys and keeps the existing ones', () => {
    const folder = mkdtempSync(join(tmpdir(), 'karaar-env-'));
    const file = join(folder, '.env');
    writeFileSync(file, "AUTH_BLOB_KEK='mine'\n");
    expect(addMissing(file)).toEqual(Object.keys(freshKeys()).filter((name) => name !== 'AUTH_BLOB_KEK'));
    const kept = readFileSync(file, 'utf8');
    expect(kept).toMatch(/^AUTH_BLOB_KEK='mine'\n[^]*^DOCUMENTS_TO_VISION_SECRETS='dev-[0-9a-f]{64}'$/m);
    expect(addMissing(file)).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(kept);
    rmSync(file);
    addMissing(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });
});
