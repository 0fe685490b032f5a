/** The structure that `npm run graph` holds and prints: no circles, and no arrow from a lower room to a higher one. */
const ROOMS = ['libs', 'services', 'gateway', 'apps', 'infra', 'bench', 'e2e', 'tools'];

/** A room uses only the rooms that are named here. */
const USES = {
  libs: [],
  services: ['libs'],
  gateway: ['libs'],
  apps: ['libs'],
  infra: ['libs', 'services', 'gateway'],
  e2e: ['libs', 'infra'],
  bench: ['libs', 'services', 'gateway', 'infra', 'e2e'],
  tools: ['libs', 'services', 'infra'],
};

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circular-features',
      comment: 'The features of a service or an app import each other in one direction.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(services|apps)/[^/]+/src/features/[^/]+$|^libs/[^/]+/src/[^/]+$|^gateway/src/[^/]+$' },
      to: { circular: true },
    },
    ...ROOMS.map((room) => ({
      name: `${room}-uses`,
      severity: 'error',
      from: { path: `^${room}/` },
      to: { path: `^(${ROOMS.filter((other) => other !== room && !USES[room].includes(other)).join('|')})/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|coverage|node_modules)/' },
    includeOnly: `^(${ROOMS.join('|')})/`,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
    reporterOptions: { text: { highlightFocused: true } },
  },
};
