/** The parts that become images: every process, and the sandbox for compose. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneRoot } from '@karaar/testing/roots';

export type Part = {
  name: string;
  dir: string;
  /** Files below `src` that are started by name: the process, its migrations, its workers. */
  entries: readonly string[];
  /** Library files that are started by name, relative to the repository. */
  helpers?: readonly string[];
  /** Files below `src` that the code reads, and their paths in the bundle. */
  assets?: Readonly<Record<string, string>>;
  /** Packages that are copied instead of bundled, because they contain native code or data files. */
  packages?: readonly string[];
};

const withDatabase = ['main.ts', 'migrate.ts'];

const rendering = readFileSync(join(cloneRoot, 'libs/rendering/package.json'), 'utf8');
const { dependencies } = JSON.parse(rendering) as { dependencies: Record<string, string> };
const FONTS = Object.keys(dependencies).filter((name) => name.startsWith('@fontsource/'));

export const parts: readonly Part[] = [
  { name: 'gateway', dir: 'gateway', entries: ['main.ts'] },
  {
    name: 'auth',
    dir: 'services/auth',
    entries: [...withDatabase, 'cli.ts'],
    packages: ['sharp', '@node-rs/argon2'],
  },
  {
    name: 'documents',
    dir: 'services/documents',
    entries: withDatabase,
    assets: { 'features/receipt/generated/checker.js': 'generated/checker.js' },
    packages: ['sharp', ...FONTS],
  },
  { name: 'ops', dir: 'infra/ops', entries: ['cli.ts'], packages: ['sharp', '@node-rs/argon2'] },
  { name: 'payments', dir: 'services/payments', entries: withDatabase },
  { name: 'wallet', dir: 'services/wallet', entries: [...withDatabase, 'check-ledger.ts'] },
  { name: 'messaging', dir: 'services/messaging', entries: withDatabase },
  {
    name: 'vision',
    dir: 'services/vision',
    entries: ['main.ts', 'inference/worker.ts'],
    packages: ['sharp', 'onnxruntime-node'],
  },
  { name: 'cms', dir: 'services/cms', entries: withDatabase },
  { name: 'notifications', dir: 'services/notifications', entries: withDatabase },
  {
    name: 'sandbox',
    dir: 'libs/testing',
    entries: ['sandboxes/main.ts'],
    assets: { 'sandboxes/razorpay/checkout.browser.js': 'checkout.browser.js' },
  },
  {
    name: 'converter',
    dir: 'services/converter',
    entries: ['main.ts'],
    helpers: ['libs/rendering/src/pdf-engine/pdf-process.ts'],
    packages: ['sharp', '@embedpdf/pdfium', 'puppeteer-core', ...FONTS],
  },
  { name: 'broker-admin', dir: 'services/broker-admin', entries: ['main.ts'] },
  { name: 'witness', dir: 'services/witness', entries: ['main.ts'] },
];

/** @throws Error that lists the parts if the name is unknown */
export function partNamed(name: string): Part {
  const part = parts.find((one) => one.name === name);
  if (!part) throw new Error(`${name} is not a part. Parts: ${parts.map((one) => one.name).join(', ')}`);
  return part;
}

/** The long-running parts; the others are command-line tools. */
export const lasting = parts.filter(({ entries }) => entries.some((entry) => entry.endsWith('main.ts')));

/** Every part except the stand-ins for providers, and the front end. */
export const releasedImages: readonly string[] = [
  ...parts.map(({ name }) => name).filter((name) => name !== 'sandbox'),
  'web',
];

/** Returns the Dockerfile of an image in infra/docker, and the arguments that select the image in it. */
export function recipeOf(name: string): { file: string; args: string[] } {
  if (name === 'web') return { file: 'Dockerfile.web', args: [] };
  const target = name === 'converter' || name === 'vision' ? name : 'service';
  return { file: 'Dockerfile', args: ['--target', target, '--build-arg', `PART=${name}`] };
}
