/** Where the remotes are: decided where the product is served, not when it is built. */
export type RemoteAddress = {
  /** Of its `mf-manifest.json`. */
  url: string;
  /** Hash of that; none where builds change under a running page. */
  integrity?: string;
};
export type RuntimeConfig = {
  remotes: Readonly<Record<string, RemoteAddress>>;
  /** Foreign origins that scripts may come from: remotes elsewhere. */
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

/** Reads /config.json. Throws when it is missing or has another shape. */
export async function loadConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  const config: unknown = await response.json();
  if (!isConfig(config)) throw new Error('/config.json is not what it should be');
  return config;
}
