import { join } from 'node:path';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import hooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import ts from 'typescript-eslint';
import { noBareText } from './tools/eslint/no-bare-text.mjs';
import { noLooseText } from './tools/eslint/no-loose-text.mjs';
import { plainComments } from './tools/eslint/plain-comments.mjs';
import { writePrograms } from './tools/ts-programs.ts';

/** Inside a service, imports run one way: routes and consumers → service → {domain, repository, errors}. */
const direction = (files, group, message) => ({
  files: files.map((f) => `services/*/src/features/**/${f}`),
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
});

const boundaries = {
  enforceBuildableLibDependency: false,
  allow: [
    // The first step of every command runs before npm has linked a package.
    '/libs/testing/src/machine/\\w+\\.mjs$',
  ],
  depConstraints: [
    { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:lib'] },
    { sourceTag: 'type:service', onlyDependOnLibsWithTags: ['type:lib'] },
    { sourceTag: 'type:gateway', onlyDependOnLibsWithTags: ['type:lib'] },
    { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:lib'] },
    { sourceTag: 'runtime:browser', onlyDependOnLibsWithTags: ['runtime:browser', 'runtime:any'] },
    { sourceTag: 'runtime:node', onlyDependOnLibsWithTags: ['runtime:node', 'runtime:any'] },
    { sourceTag: 'runtime:any', onlyDependOnLibsWithTags: ['runtime:any'] },
    // Engines get everything from the services that call them: no database, bus, route or configuration.
    {
      sourceTag: 'layer:engine',
      onlyDependOnLibsWithTags: ['layer:engine', 'layer:testing', 'runtime:any'],
      bannedExternalImports: ['kysely', 'pg', 'fastify', '@fastify/*', '@nats-io/*', 'ioredis', 'typebox'],
    },
  ],
};

const karaar = {
  rules: { 'no-bare-text': noBareText, 'no-loose-text': noLooseText, 'plain-comments': plainComments },
};

const refusedSyntax = [
  {
    selector:
      'MemberExpression[object.name="process"][property.name="env"]:not([parent.property.value="PATH"])',
    message: 'Read settings in config.ts and hand them on.',
  },
  {
    // The outcome of a failed commit is unknown, and the files of a committed change must stay.
    selector:
      ':matches(CatchClause, CallExpression[callee.property.name="catch"]) CallExpression:matches([callee.property.name="eraseOwner"], [callee.property.name="delete"]:matches([callee.object.name="blobs"], [callee.object.property.name="blobs"]))',
    message: 'Use takeBack of @karaar/storage/blobs, which keeps files that a row names.',
  },
];

export default [
  {
    ignores: [
      '**/node_modules/**',
      '**/dist/**',
      '.karaar/**',
      '.nx/**',
      'services/documents/src/features/receipt/generated/**',
      '**/@mf-types/**',
    ],
  },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    languageOptions: { globals: { ...globals.node } },
    plugins: { '@nx': nx },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowWithDecorator: true, allowConstructorOnly: false },
      ],
      'no-console': 'error',
      eqeqeq: 'error',
      '@nx/enforce-module-boundaries': ['error', boundaries],
    },
  },
  {
    // `karaar/no-loose-text` reads the types of screens. `.oxlintrc.json` has the other rules that read types.
    files: ['**/*.tsx'],
    languageOptions: {
      parserOptions: {
        project: writePrograms(join(import.meta.dirname, '.karaar/cache/lint'), 'tsconfig.browser.json'),
      },
    },
  },
  {
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['apps/**/*.{ts,tsx}', 'libs/ui/**/*.{ts,tsx}', 'libs/api-client/**/*.ts'],
    languageOptions: { globals: { ...globals.browser } },
  },
  {
    files: ['apps/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@mantine/*'],
              message:
                'Only libs/ui imports the component library. Import the part from @karaar/ui, or add it there.',
            },
          ],
        },
      ],
    },
  },
  {
    // The gallery imports the components as apps do.
    files: ['libs/ui/gallery/**'],
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          ...boundaries,
          allow: [...boundaries.allow, '/apps/webpack\\.base\\.mjs$'],
          allowCircularSelfDependency: true,
        },
      ],
    },
  },
  {
    // These entries are built into the apps. A relative path would bundle a second copy of the core.
    files: ['libs/ui/src/{fields,tables,navigation,pictures,skeletons,files,charts,chat}/**/*.{ts,tsx}'],
    rules: {
      '@nx/enforce-module-boundaries': ['error', { ...boundaries, allowCircularSelfDependency: true }],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex:
                '^\\.\\./(brand|capture|controls|data|feedback|icons|layout|library|overlays|UiProvider)',
              message: "Take core parts from '@karaar/ui', the copy that the shell shares.",
            },
            {
              group: ['@mantine/*'],
              message:
                "The component library's provider is in the shared core: wrap the part in src/overlays, lazily.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.{ts,tsx}', 'libs/ui/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/*.{e2e,slow}.ts'],
    plugins: { karaar },
    rules: { 'karaar/no-bare-text': 'error', 'karaar/no-loose-text': 'error' },
  },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    plugins: { karaar },
    rules: { 'karaar/plain-comments': 'error' },
  },
  direction(
    ['*.routes.ts', '*.rpc.ts', '*.consumers.ts'],
    ['**/*.repository.ts', 'kysely'],
    "A route or consumer does not reach the database. Call the feature's service, which authorises, decides and saves.",
  ),
  direction(
    ['*.service.ts'],
    ['**/*.routes.ts', '**/*.rpc.ts', '**/*.consumers.ts', 'fastify'],
    'A service knows nothing of its routes and consumers. Take plain values and return rows or domain objects.',
  ),
  direction(
    ['*.repository.ts', '*.presenter.ts'],
    ['**/*.service.ts', '**/*.routes.ts', '**/*.rpc.ts', '**/*.consumers.ts'],
    'Repositories and presenters are leaves. Move the decision into the service.',
  ),
  {
    // The TypeScript version of the rule adds to the import directions above instead of replacing them.
    files: ['services/**', 'gateway/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^@karaar/service-|^(\\.\\./)+(services/)?[a-z0-9-]+/src/',
              message:
                'No service imports another. Ask it, or follow its events, by its contracts: @karaar/contracts/<service>/{rpc,inner,events}.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['infra/ops/src/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^@karaar/service-[a-z-]+/(?!ops$)',
              message: 'Take it from the entry `ops` of the service.',
            },
          ],
        },
      ],
    },
  },
  {
    // A setting read elsewhere is not checked at the start and is missing from the README of its service.
    files: ['{apps,gateway,libs,services}/**/*.{ts,tsx}'],
    ignores: [
      '**/*.test.{ts,tsx}',
      '**/*.slow.ts',
      '**/{test,testing,scripts}/**',
      '**/{config,main,cli}.ts',
      'libs/testing/**',
      'libs/base/src/config/**',
      'libs/http/src/http-kit/apps/serve.ts', // passes it to the service that reads its configuration
      'libs/service/src/service/index.ts', // migration jobs have no configuration
      'libs/http/src/http-kit/input/spool-dir.ts', // the folder of uploads, needed before a service exists
      'libs/bus/src/bus/bus.ts', // the default of an option that services may set
    ],
    rules: {
      'no-restricted-syntax': ['error', ...refusedSyntax],
    },
  },
  {
    // A device's clock may be wrong by days.
    files: ['apps/{user,admin}-mfe/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...refusedSyntax,
        {
          selector:
            ':matches(NewExpression[callee.name="Date"][arguments.length=0], MemberExpression[object.name="Date"][property.name="now"])',
          message: 'Use serverClock of @karaar/api-client; performance.now() for how long something takes.',
        },
      ],
    },
  },
  {
    files: [
      'infra/dev/**',
      'tools/**',
      'bench/**',
      'services/*/scripts/**',
      'libs/testing/src/{sandboxes/main,test-backing/host}.ts',
    ],
    // Commands print their results.
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/*.{e2e,slow}.ts'],
    languageOptions: { globals: { ...globals.jest } },
    rules: {
      // A missing value makes the test fail at once.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|only|todo|failing)$/], CallExpression[callee.name=/^(xit|fit|xtest|xdescribe|fdescribe)$/])',
          message: 'Each test runs, and none runs alone. Repair the test or delete it.',
        },
        {
          selector:
            ':matches(IfStatement, SwitchStatement, ConditionalExpression, LogicalExpression) CallExpression:matches([callee.name=/^(it|test|describe)$/], [callee.callee.object.name=/^(it|test|describe)$/])',
          message: 'A test runs on every machine. Let it fail where what it needs is missing.',
        },
      ],
    },
  },
  prettier,
];
