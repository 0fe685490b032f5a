import { baseEnv, ConfigError, innerEnv, loadConfig } from '@karaar/base/config';
import { Type, type Static } from 'typebox';
import { secretsIn } from '@karaar/converting/environment';

const { NODE_ENV, SERVICE_NAME, HOST, PORT, LOG_LEVEL, DRAIN_WAIT_MS } = baseEnv;

export const Config = Type.Object({
  ...{ NODE_ENV, SERVICE_NAME, HOST, PORT, LOG_LEVEL, DRAIN_WAIT_MS },
  ...innerEnv,
  CHROMIUM_PATH: Type.String({ minLength: 1 }),
  /** false in a container that may not create namespaces; see docs/operations.md. */
  CHROMIUM_SANDBOX: Type.Boolean({ default: true }),
  SOFFICE_PATH: Type.String({ minLength: 1 }),
  /**
   * Keeps a started LibreOffice in reserve, so that an Office file waits for its conversion only. False saves
   * 100 MB of memory.
   */
  OFFICE_SPARE: Type.Boolean({ default: true }),
  /**
   * qpdf repairs uploaded PDFs; Poppler's pdftoppm renders their pages for comparison. Both are found on the
   * PATH by default.
   */
  QPDF_PATH: Type.String({ minLength: 1, default: 'qpdf' }),
  PDFTOPPM_PATH: Type.String({ minLength: 1, default: 'pdftoppm' }),
  /** Temporary files; every job removes its own. The converter takes ownership of the folder (mode 0700). */
  WORK_DIR: Type.String({ minLength: 1 }),
  /**
   * `deployment`: the deployment provides the account and blocks outgoing connections, because the kernel
   * refuses namespaces. The converter checks both at its start.
   */
  CONVERTER_ISOLATION: Type.Optional(Type.Literal('deployment')),
});
export type Config = Readonly<Static<typeof Config>>;

/**
 * Reads the configuration from the environment.
 *
 * @throws ConfigError with all invalid variables; also if a variable looks like a secret, with its name and
 * not its value
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const secrets = secretsIn(env);
  if (secrets.length > 0)
    throw new ConfigError(
      secrets.map((name) => ({ name, problem: 'looks like a secret, and the converter must have none' })),
    );
  return loadConfig(Config, env);
}
