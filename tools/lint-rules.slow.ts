/** The lint rules reject these snippets and explain what to do instead. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './testing/source-files.ts';

type Snippet = { what: string; path: string; code: string; says: RegExp };

const feature = 'services/wallet/src/features/ledger';
const snippets: Snippet[] = [
  {
    what: 'a route that reaches the database',
    path: `${feature}/bad.routes.ts`,
    code: "import { balanceOf } from './ledger.repository.ts';\nexport const bad = balanceOf;\n",
    says: /no-restricted-imports: .*A route or consumer does not reach the database\. Call the feature's service/s,
  },
  {
    what: 'a consumer that uses kysely',
    path: `${feature}/bad.consumers.ts`,
    code: "import { sql } from 'kysely';\nexport const bad = sql;\n",
    says: /A route or consumer does not reach the database/,
  },
  {
    what: 'an RPC handler that reaches the database',
    path: `${feature}/bad.rpc.ts`,
    code: "import { balanceOf } from './ledger.repository.ts';\nexport const bad = balanceOf;\n",
    says: /A route or consumer does not reach the database/,
  },
  {
    what: 'a service that imports its routes',
    path: `${feature}/bad.service.ts`,
    code: "import { ledgerRoutes } from './ledger.routes.ts';\nexport const bad = ledgerRoutes;\n",
    says: /A service knows nothing of its routes and consumers\. Take plain values/,
  },
  {
    what: 'a service that uses HTTP',
    path: `${feature}/bad.service.ts`,
    code: "import type { FastifyReply } from 'fastify';\nexport type Bad = FastifyReply;\n",
    says: /A service knows nothing of its routes and consumers/,
  },
  {
    what: 'a repository that calls the service',
    path: `${feature}/bad.repository.ts`,
    code: "import { getBalance } from './ledger.service.ts';\nexport const bad = getBalance;\n",
    says: /Repositories and presenters are leaves\. Move the decision into the service/,
  },
  {
    what: 'a presenter that calls the service',
    path: `${feature}/bad.presenter.ts`,
    code: "import { getBalance } from './ledger.service.ts';\nexport const bad = getBalance;\n",
    says: /Repositories and presenters are leaves/,
  },
  {
    what: 'a screen that imports the component library',
    path: 'apps/user-mfe/src/features/wallet/Bad.tsx',
    code: "import { Button } from '@mantine/core';\nexport const bad = Button;\n",
    says: /Only libs\/ui imports the component library\. Import the part from @karaar\/ui/,
  },
  {
    what: 'an entry of the design system that bundles a second copy of the core',
    path: 'libs/ui/src/tables/Bad.tsx',
    code: "import { Icon } from '../icons/Icon.tsx';\nexport const bad = Icon;\n",
    says: /Take core parts from '@karaar\/ui', the copy that the shell shares/,
  },
  {
    what: 'a service that imports another one by its path',
    path: 'services/payments/src/features/charges/bad.service.ts',
    code: "import { createApp } from '../../../../wallet/src/app.ts';\nexport const bad = createApp;\n",
    says: /no-restricted-imports: .*No service imports another\. Ask it, or follow its events, by its contracts/s,
  },
  {
    what: 'a service that imports another one by its name',
    path: 'services/payments/src/bad.ts',
    code: "import { createApp } from '@karaar/service-wallet/src/app.ts';\nexport const bad = createApp;\n",
    says: /No service imports another/,
  },
  {
    what: 'the operator’s tool that imports the inside of a service',
    path: 'infra/ops/src/bad.ts',
    code: "import { checkLedger } from '@karaar/service-wallet/features/ledger/ledger-check';\nexport const bad = checkLedger;\n",
    says: /Take it from the entry `ops` of the service/,
  },
  {
    what: 'a service that re-exports another one',
    path: 'services/payments/src/bad.ts',
    code: "export * from '../../wallet/src/app.ts';\n",
    says: /@nx\/enforce-module-boundaries: /,
  },
  {
    what: 'a browser app that imports what runs on Node',
    path: 'apps/user-mfe/src/bad.ts',
    code: "import { createDb } from '@karaar/db';\nexport const bad = createDb;\n",
    says: /@nx\/enforce-module-boundaries: .*"runtime:browser"/s,
  },
  {
    what: 'rendering that imports the platform',
    path: 'libs/rendering/src/bad.ts',
    code: "import { createBlobStore } from '@karaar/storage/blobs';\nexport const bad = createBlobStore;\n",
    says: /@nx\/enforce-module-boundaries: .*"layer:engine"/s,
  },
  {
    what: 'sealing that uses a database',
    path: 'libs/sealing/src/bad.ts',
    code: "import { sql } from 'kysely';\nexport const bad = sql;\n",
    says: /@nx\/enforce-module-boundaries: .*"kysely"/s,
  },
  {
    what: 'sealing that reads a service configuration',
    path: 'libs/sealing/src/bad.ts',
    code: "import { loadConfig } from '@karaar/base/config';\nexport const bad = loadConfig;\n",
    says: /@nx\/enforce-module-boundaries: .*"layer:engine"/s,
  },
  {
    what: 'a text between tags',
    path: 'apps/user-mfe/src/features/wallet/Bad.tsx',
    code: 'export const Bad = () => <p>₹1 a day</p>;\n',
    says: /karaar\/no-bare-text: A person reads “₹1 a day”: put it into the texts of this feature in all languages/,
  },
  {
    what: 'a bare text after a conditional part',
    path: 'apps/user-mfe/src/features/wallet/Wallet.tsx',
    code: 'export const Bad = ({ on, text }: { on: boolean; text: string }) => (\n  <p>\n    {on && <b />}\n    {text}\n  </p>\n);\n',
    says: /karaar\/no-loose-text: Put this text into an element of its own/,
  },
  {
    what: 'a bare text before a conditional part, and a conditional text',
    path: 'apps/admin-mfe/src/features/payments/Payments.tsx',
    code: 'export const Bad = ({ on, n }: { on: boolean; n: number }) => (\n  <>\n    {n} {on ? String(n) : <b />}\n  </>\n);\n',
    says: /(karaar\/no-loose-text.*){2}/s,
  },
  {
    what: 'a bare text next to a conditional part in the design system',
    path: 'libs/ui/src/tables/FilterChips.tsx',
    code: "import type { ReactNode } from 'react';\nexport const Bad = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (\n  <button>\n    {icon}\n    {children}\n  </button>\n);\n",
    says: /karaar\/no-loose-text/,
  },
  ...Object.entries({
    'a changing text next to another text':
      "export const Bad = ({ n, t }: { n: number; t: (k: string) => string }) => <p>{n} {t('items')}</p>;\n",
    'a text in a fragment':
      'export const Bad = ({ on, text }: { on: boolean; text: string }) => <>{on ? text : <b />}</>;\n',
    'a text that a component returns':
      'export function Bad({ on, text }: { on: boolean; text: string }) {\n  return on ? text : <b />;\n}\n',
    'a list of texts':
      'export const Bad = ({ list }: { list: string[] }) => <p>{list.map((each) => each)}</p>;\n',
    'a text next to a component that may show nothing':
      'const Maybe = ({ on }: { on: boolean }) => (on ? <b /> : null);\nexport const Bad = ({ on }: { on: boolean }) => <p><Maybe on={on} /> ·</p>;\n',
    'a text next to an element that its key replaces':
      'export const Bad = ({ n }: { n: number }) => <p><b key={n} /> ·</p>;\n',
    'a text next to one of two elements':
      'export const Bad = ({ on }: { on: boolean }) => <p>{on ? <b /> : <i />} ·</p>;\n',
  }).map(([what, code]) => ({
    what,
    path: 'apps/user-mfe/src/features/wallet/Wallet.tsx',
    code,
    says: /karaar\/no-loose-text/,
  })),
  {
    what: 'a text in an expression between tags',
    path: 'apps/shell/src/layout/Bad.tsx',
    code: "export const Bad = ({ on }: { on: boolean }) => <p>{on ? 'On' : null}</p>;\n",
    says: /A person reads “'On'”/,
  },
  {
    what: 'a name for screen readers',
    path: 'apps/admin-mfe/src/Bad.tsx',
    code: 'export const Bad = () => <nav aria-label="Main" />;\n',
    says: /A person reads “"Main"”/,
  },
  {
    what: 'a property with a visible text, also in the design system',
    path: 'libs/ui/src/layout/Bad.tsx',
    code: "export const Bad = ({ n }: { n: number }) => <img alt={`${n} pages`} title={n + ' pages'} />;\n",
    says: /A person reads “`\$\{n\} pages`”.*A person reads “' pages'”/s,
  },
  {
    what: 'a toast in one language',
    path: 'apps/user-mfe/src/features/wallet/bad.ts',
    code: "import { toast } from '@karaar/ui';\nexport const bad = () => toast.error('No money');\n",
    says: /A person reads “'No money'”/,
  },
  {
    what: 'a question in one language',
    path: 'apps/user-mfe/src/features/wallet/bad.ts',
    code: "export const bad = (ask: (q: object) => void) => ask({ title: 'Really?', reject: true });\n",
    says: /A person reads “'Really\?'”/,
  },
  {
    what: 'a page title in one language',
    path: 'apps/shell/src/bad.ts',
    code: "document.title = 'Wallet';\n",
    says: /A person reads “'Wallet'”/,
  },
  {
    what: 'a contract that needs Node',
    path: 'libs/contracts/bad.ts',
    code: "import { createDb } from '@karaar/db';\nexport const bad = createDb;\n",
    says: /@nx\/enforce-module-boundaries: .*("runtime:any"|[Cc]ircular)/s,
  },
  {
    what: 'a conditional hook',
    path: 'apps/user-mfe/src/features/wallet/useBad.ts',
    code: "import { useState } from 'react';\nexport const useBad = (on: boolean) => (on ? useState(0) : null);\n",
    says: /react-hooks\/rules-of-hooks: /,
  },
  {
    what: 'an effect with stale values',
    path: 'libs/ui/src/layout/useBad.ts',
    code: "import { useEffect } from 'react';\nexport const useBad = (text: string) =>\n  useEffect(() => {\n    document.title = text;\n  }, []);\n",
    says: /react-hooks\/exhaustive-deps: .*'text'/,
  },
  {
    what: 'a floating promise of another package',
    path: `${feature}/ledger.service.ts`,
    code: "import { redisReady } from '@karaar/storage/redis';\nexport const bad = (redis: Parameters<typeof redisReady>[0]) => {\n  redisReady(redis);\n};\n",
    says: /no-floating-promises\): /,
  },
  {
    what: 'a promise as a condition',
    path: `${feature}/ledger.service.ts`,
    code: "const paid = (): Promise<boolean> => Promise.resolve(false);\nexport const bad = () => (paid() ? 'paid' : 'open');\n",
    says: /no-misused-promises\): /,
  },
  {
    what: 'an async event handler',
    path: 'apps/user-mfe/src/features/wallet/Wallet.tsx',
    code: "import { Button } from '@karaar/ui';\nexport const Bad = () => <Button onClick={async () => Promise.reject(new Error())}>{1}</Button>;\n",
    says: /no-misused-promises\): /,
  },
  {
    what: 'a switch without all states, even with a default',
    path: `${feature}/ledger.service.ts`,
    code: "import type { DocumentStatus } from '@karaar/contracts/documents/http';\nexport function bad(status: DocumentStatus): number {\n  switch (status) {\n    case 'draft':\n      return 1;\n    default:\n      return 2;\n  }\n}\n",
    says: /switch-exhaustiveness-check\): .*"finalized"/,
  },
  {
    what: 'a test that is switched off',
    path: 'tools/bad.test.ts',
    code: "describe.skip.each([1])('%i', () => undefined);\nxit('x', () => undefined);\n",
    says: /(Each test runs, and none runs alone.*){2}/s,
  },
  {
    what: 'a test that runs on some machines only',
    path: 'tools/bad.test.ts',
    code: "if (process.env['CI']) it.each([1])('%i', () => undefined);\nconst group = process.env['CI'] ? describe : describe.skip;\ngroup('x', () => undefined);\n",
    says: /A test runs on every machine.*Each test runs/s,
  },
  {
    what: 'a setting that is read outside the configuration',
    path: `${feature}/bad.service.ts`,
    code: "export const bad = process.env['LIMIT'];\n",
    says: /Read settings in config\.ts/,
  },
  {
    what: 'a comment with “somebody”',
    path: `${feature}/bad.ts`,
    code: '/**\n * Waits until\n * somebody pays.\n */\nexport const bad = 1;\n',
    says: /karaar\/plain-comments: The comment says “somebody”: name the person/,
  },
  {
    what: 'a comment with “is no” over two lines',
    path: `${feature}/bad.ts`,
    code: '// The text that was typed is\n// no amount.\nexport const bad = 1;\n',
    says: /karaar\/plain-comments: The comment says “is no”: say "is not a …"/,
  },
  {
    what: 'a comment with “there is none”',
    path: `${feature}/bad.ts`,
    code: '/** Returns the price; null if there is none. */\nexport const bad = 1;\n',
    says: /karaar\/plain-comments: The comment says “is none”: name what it is not/,
  },
];

const allowed = [
  {
    path: 'tools/good.test.ts',
    code: 'for (const x of [1])\n  it(`${x}`, () => {\n    if (/1/.test(`${x}`)) expect(x).toBe(1);\n  });\n',
  },
  {
    path: 'libs/rendering/src/good.ts',
    code: "export const good = { PATH: process.env['PATH'] ?? '' };\n",
  },
  {
    path: `${feature}/good.ts`,
    code: "/** There is no balance yet: a new user's is 0. */\nexport const good = 'somebody is no user';\n",
  },
  {
    path: `${feature}/good.routes.ts`,
    code: "import { getBalance } from './ledger.service.ts';\nexport const good = getBalance;\n",
  },
  {
    path: `${feature}/good.service.ts`,
    code: "import { balanceOf } from './ledger.repository.ts';\nexport const good = balanceOf;\n",
  },
  {
    path: `${feature}/good.repository.ts`,
    code: "import { sql } from 'kysely';\nexport const good = sql;\n",
  },
  {
    path: 'libs/ui/src/good.tsx',
    code: "import { Button } from '@mantine/core';\nexport const good = Button;\n",
  },
  {
    path: 'apps/user-mfe/src/features/wallet/Good.tsx',
    code: "export const Good = ({ t, ...props }: { t: (key: string) => string; on: boolean }) => (\n  <p className=\"k-muted\" title={t('sum')} aria-label=\"Karaar\">\n    {`${t('sum')}: ₹1 · ${props.on ? t('paid') : '–'}`}\n  </p>\n);\n",
  },
  {
    path: 'apps/user-mfe/src/features/wallet/Wallet.tsx',
    code: 'export const Good = ({ on, text }: { on: boolean; text: string }) => (\n  <div>\n    {on && <b />}\n    <span>{text}</span>\n    <p>\n      <span>{`${text}: `}</span>\n      <i>{on ? text : <b />}</i>\n    </p>\n  </div>\n);\n',
  },
  {
    path: 'services/payments/src/good.ts',
    code: "import { walletInternalRpc } from '@karaar/contracts/wallet/inner';\nexport const good = walletInternalRpc;\n",
  },
];

describe('the linter', () => {
  let answers: string[][] = [];

  beforeAll(() => {
    const env = { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false' };
    // Without the project graph, the boundary rule is skipped silently.
    execFileSync(process.execPath, [join(root, 'node_modules/.bin/nx'), 'show', 'projects'], {
      cwd: root,
      env,
    });
    const script = join(import.meta.dirname, 'testing/lint-snippets.ts');
    const input = JSON.stringify([...snippets, ...allowed].map(({ path, code }) => ({ path, code })));
    answers = JSON.parse(
      execFileSync(process.execPath, [script], { cwd: root, env, input, encoding: 'utf8' }),
    ) as string[][];
  }, 120_000);

  it.each(snippets.map((snippet, i) => [snippet.what, snippet, i] as const))(
    'refuses %s',
    (_what, { says }, i) => {
      expect(answers[i]?.join('\n')).toMatch(says);
    },
  );

  it.each(allowed.map(({ path }, i) => [path, i] as const))('accepts %s', (_path, i) => {
    expect(answers[snippets.length + i]).toEqual([]);
  });
});
