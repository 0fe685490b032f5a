/**
 * `npm run graph` prints the rooms (top folders). `npm run lint` rejects circular imports, and imports that
 * USES does not list.
 */
const ROOMS = ['libs', 'services', 'gateway', 'apps', 'infra', 'bench', 'e2e', 'tools'];

/** The rooms that each room may import. */
const USES = {
  libs: [],
  services: ['libs'],
  gateway: ['libs'],
  apps: ['libs'],
  infra: ['libs', 'services', 'gateway'],
  e2e: ['libs', 'infra'],
  bench: ['libs', 'services', 'gateway', 'infra', 'e2e'],
  tools: ['libs'],
};

export const options = {
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '/(dist|coverage|node_modules)/|\\.(css|json)$' },
  includeOnly: `^(${ROOMS.join('|')})/`,
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.base.json' },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['import', 'types', 'default'],
    extensions: ['.ts', '.tsx', '.mjs', '.js'],
  },
};

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...ROOMS.map((room) => ({
      name: `${room}-uses`,
      severity: 'error',
      from: { path: `^${room}/` },
      to: { path: `^(${ROOMS.filter((other) => other !== room && !USES[room].includes(other)).join('|')})/` },
    })),
  ],
  options,
};
