/** Where the remotes are: decided where the product is served, not when it is built. */
export type RuntimeConfig = { remotes: Readonly<Record<string, string>> };

function isConfig(value: unknown): value is RuntimeConfig {
  const remotes = (value as { remotes?: unknown } | null)?.remotes;
  return (
    typeof remotes === 'object' &&
    remotes !== null &&
    Object.values(remotes).every((url) => typeof url === 'string')
  );
}

/** Reads /config.json. Throws when it is missing or has another shape. */
export async function loadConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  const config: unknown = await response.json();
  if (!isConfig(config)) throw new Error('/config.json has no remotes');
  return config;
}
