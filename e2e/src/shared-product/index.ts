/** The product that all journeys share (setup.mjs starts it). Its people and documents are each journey's own. */
function fromSetup(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: this file belongs below e2e/journeys/`);
  return value;
}

export const sharedProduct = {
  /** Address of the gateway. */
  url: fromSetup('JOURNEY_URL'),
  /** The cluster's administrator, for looking at what was recorded. */
  postgresUrl: fromSetup('JOURNEY_POSTGRES_URL'),
  /** Its data, secrets and logs. */
  stateDir: fromSetup('JOURNEY_STATE_DIR'),
  /** Each process by name, past the gateway. */
  services: JSON.parse(fromSetup('JOURNEY_SERVICES')) as Record<string, string>,
  /** The internal ports, of the processes that have one. */
  inner: JSON.parse(fromSetup('JOURNEY_INNER')) as Record<string, string>,
  /** Where all recorded spans are read as JSON. */
  traces: fromSetup('JOURNEY_TRACES'),
  /** The gateway's metrics, which are not on its public port. */
  gatewayMetrics: fromSetup('JOURNEY_GATEWAY_METRICS'),
};
