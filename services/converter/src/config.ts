import { baseEnv, ConfigError, innerEnv, loadConfig } from '@karaar/platform/config';
import { Type, type Static } from 'typebox';
import { secretsIn } from '@karaar/converting/environment';

const { NODE_ENV, SERVICE_NAME, HOST, PORT, LOG_LEVEL, DRAIN_WAIT_MS } = baseEnv;

export const Config = Type.Object({
  ...{ NODE_ENV, SERVICE_NAME, HOST, PORT, LOG_LEVEL, DRAIN_WAIT_MS },
  ...innerEnv,
  CHROMIUM_PATH: Type.String({ minLength: 1 }),
  /** false in a container that may not make namespaces; see docs/operations.md. */
  CHROMIUM_SANDBOX: Type.Boolean({ default: true }),
  SOFFICE_PATH: Type.String({ minLength: 1 }),
  /** Keeps one LibreOffice started ahead: an Office file then waits for its conversion only. Without, 100 MB less are held. */
  OFFICE_SPARE: Type.Boolean({ default: true }),
  /** qpdf repairs uploaded PDFs, Poppler's pdftoppm is the second eye on their pages; found on the PATH. */
  QPDF_PATH: Type.String({ minLength: 1, default: 'qpdf' }),
  PDFTOPPM_PATH: Type.String({ minLength: 1, default: 'pdftoppm' }),
  /** Temporary files; every job removes its own. Taken over by the worker's own account, 0700. */
  WORK_DIR: Type.String({ minLength: 1 }),
  /**
   * `deployment`: an account of its own and no way out are given by what runs the worker, where the kernel refuses it
   * namespaces. The worker tries whether that is true.
   */
  CONVERTER_ISOLATION: Type.Optional(Type.Literal('deployment')),
});
export type Config = Readonly<Static<typeof Config>>;

/**
 * Reads the environment once; lists every fault.
 *
 * @throws ConfigError, for a secret in the environment too: by its name, never by its content
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const secrets = secretsIn(env);
  if (secrets.length > 0)
    throw new ConfigError(
      secrets.map((name) => ({ name, problem: 'looks like a secret, and the converter must have none' })),
    );
  return loadConfig(Config, env);
}
