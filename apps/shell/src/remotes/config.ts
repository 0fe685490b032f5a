/** The addresses of the remotes, configured where the product is served, not at build time. */
export type RemoteAddress = {
  url: string;
  /** The hash of the manifest; absent if builds change while the page runs. */
  integrity?: string;
};
export type RuntimeConfig = {
  remotes: Readonly<Record<string, RemoteAddress>>;
  /** Other allowed script origins, for remotes on other hosts. */
  scriptOrigins: readonly string[];
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function isAddress(value: unknown): value is RemoteAddress {
  if (!isRecord(value) || typeof value['url'] !== 'string') return false;
  return value['integrity'] === undefined || typeof value['integrity'] === 'string';
}

function isConfig(value: unknown): value is RuntimeConfig {
  if (!isRecord(value) || !isRecord(value['remotes']) || !Array.isArray(value['scriptOrigins'])) return false;
  return Object.values(value['remotes']).every(isAddress);
}

/**
 * Reads /config.json.
 * @throws Error if it is missing or invalid
 */
export async function loadConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  const config: unknown = await response.json();
  if (!isConfig(config)) throw new Error('/config.json is not what it should be');
  return config;
}
