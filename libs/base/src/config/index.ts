/**
 * Configuration: the environment, read once at start through one schema. A process with an invalid
 * environment does not start and lists all errors at once.
 */
export { loadConfig, ConfigError, type ConfigFault } from './load.ts';
export { refuseInProduction, anyOf, type ProductionRule } from './production.ts';
export { refuseExposed, type ExposedRule } from './exposed.ts';
export { backingEnv, baseEnv, innerEnv } from './common.ts';
export { companyEnv, issuerFacts, type Company } from './company.ts';
