import { createHttpApp, listenOnPorts, type Service } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { gauge } from '@karaar/observability/telemetry';
import { startWorker } from '@karaar/base/worker';
import { formatKey, parseKey } from '@karaar/proof/log/note';
import { auditLog } from './audit.ts';
import type { Config } from './config.ts';
import { openState } from './state.ts';
import { createWitness, type Witness } from './witness.ts';

const MAX_REQUEST_BYTES = 64 * 1024;

const faulty = gauge({
  name: 'witness_log_faulty',
  help: '1 while the last audit found that the log is not what was cosigned',
});

/** Starts the witness and its periodic audit; `audit` runs one audit now. */
export async function createApp(
  config: Config,
): Promise<Service & { url: string; witness: Witness; audit: () => Promise<string | undefined> }> {
  const logger = createLogger({ name: config.SERVICE_NAME, level: config.LOG_LEVEL });
  const state = await openState(config.STATE_DIR);
  const logKey = parseKey(config.WITNESS_LOG_KEY);
  const witness = createWitness({
    name: config.WITNESS_NAME,
    secret: config.WITNESS_KEY,
    mlDsaSeed: config.WITNESS_ML_DSA_SEED,
    logKey,
    state,
  });
  const app = createHttpApp({ name: config.SERVICE_NAME, logger, bodyLimit: MAX_REQUEST_BYTES });
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_req, body, done) => done(null, body));
  app.post('/add-checkpoint', async (req, reply) => {
    const answer = await witness.addCheckpoint(typeof req.body === 'string' ? req.body : '');
    if (answer.status !== 200) logger.warn({ status: answer.status }, 'a checkpoint was not cosigned');
    const isSize = answer.status === 409;
    return reply
      .code(answer.status)
      .type(isSize ? 'text/x.tlog.size' : 'text/plain; charset=utf-8')
      .send(answer.text);
  });
  app.get('/checkpoint', async (_req, reply) => {
    const note = state.read().cosigned?.note;
    // Monitors compare this with the checkpoint that the log shows them; a cached copy would hide a fork.
    const answer = reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8');
    return note === undefined ? answer.code(404).send('nothing is cosigned yet\n') : answer.send(note);
  });
  app.get('/status', async () => {
    const { cosigned, faults } = state.read();
    return {
      key: formatKey(witness.key),
      ml_dsa_key: witness.mlDsaKey ? formatKey(witness.mlDsaKey) : null,
      log: logKey.name,
      cosigned: cosigned && { size: cosigned.size, root: cosigned.root },
      fault: witness.fault() ?? null,
      faults,
    };
  });

  async function audit(): Promise<string | undefined> {
    const found = await auditLog({
      url: config.WITNESS_LOG_URL,
      logKey,
      cosigned: () => state.read().cosigned,
    });
    if (found !== undefined) logger.error({ fault: found }, 'the log was tampered with');
    faulty.set(found === undefined ? 0 : 1);
    await witness.setFault(found);
    return found;
  }
  const { url, innerUrl } = await listenOnPorts(app, config);
  const worker = startWorker({
    restMs: config.WITNESS_AUDIT_S * 1000,
    restsFirst: true,
    turn: async () => void (await audit()),
    onError: (err) => logger.warn({ err }, 'the log could not be audited'),
  });
  logger.info({ url, innerUrl, key: formatKey(witness.key) }, 'ready');
  return {
    app,
    url,
    witness,
    audit,
    close: () => worker.stop(),
  };
}
