/** What becomes an image: each process of the product, and for compose the stand-ins of providers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneRoot } from '@karaar/testing/roots';

export type Part = {
  /** Name of the image and of the process. */
  name: string;
  /** Its folder below the repository's root. */
  dir: string;
  /** Files below `src` that are started by their own name: the process, its migrations, its workers. */
  entries: readonly string[];
  /** Files of libraries that are started by their own name, from the repository's root. */
  helpers?: readonly string[];
  /** Files that are read beside the code, below `src`, and where they are in the bundle. */
  assets?: Readonly<Record<string, string>>;
  /** Packages that stay packages: they hold native code or files of their own. */
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

/** @throws Error that lists the parts when there is none of this name */
export function partNamed(name: string): Part {
  const part = parts.find((one) => one.name === name);
  if (!part) throw new Error(`There is no part ${name}. Parts: ${parts.map((one) => one.name).join(', ')}`);
  return part;
}

/** Those that run as long as they are let; the others are tools. */
export const lasting = parts.filter(({ entries }) => entries.some((entry) => entry.endsWith('main.ts')));
