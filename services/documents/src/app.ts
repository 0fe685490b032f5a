/** The composition root of the documents service. */
import { rm } from 'node:fs/promises';
import type { Principal } from '@karaar/platform/auth';
import { blobConfigFromEnv, createBlobStore, registerFileRoutes, startJanitor } from '@karaar/platform/blobs';
import { createDirectory } from '@karaar/platform/directory';
import { openScratch } from '@karaar/platform/scratch';
import { startService } from '@karaar/platform/service';
import { createSmsSender, smsOptionsFromEnv } from '@karaar/platform/sms';
import { startFolding } from '@karaar/platform/tally';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { keptTables } from './db/kept-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { mayOpenFile } from './features/agreements/agreements.service.ts';
import { accountSheetsRoutes } from './features/account-sheets/account-sheets.routes.ts';
import { adminRoutes } from './features/admin/admin.routes.ts';
import { agreementsRoutes } from './features/agreements/agreements.routes.ts';
import { agreementsRpc } from './features/agreements/agreements.rpc.ts';
import { paymentsConsumers } from './features/agreements/payments.consumers.ts';
import { finalizationRoutes } from './features/finalization/finalization.routes.ts';
import { startFinalizationWorker } from './features/finalization/finalization.worker.ts';
import { showQueues } from './features/finalization/queue-depth.ts';
import { watchSealExpiry } from './features/finalization/seal-expiry.ts';
import { sealKeySource } from './features/finalization/seal-key.ts';
import { sealRoutes } from './features/finalization/seal.routes.ts';
import { openLogIdentity, parseWitness } from './features/log/log-identity.ts';
import { logRoutes } from './features/log/log.routes.ts';
import { startLogWorker } from './features/log/log.worker.ts';
import { noticesRoutes } from './features/notices/notices.routes.ts';
import { noticeTemplates } from './features/notices/notices.texts.ts';
import { startNoticesWorker } from './features/notices/notices.worker.ts';
import { partiesRoutes } from './features/parties/parties.routes.ts';
import { startPreviewsWorker } from './features/previews/previews.worker.ts';
import { personalDataConsumers } from './features/personal-data/personal-data.consumers.ts';
import { isNamedInAgreements } from './features/personal-data/personal-data.repository.ts';
import { personalDataRpc } from './features/personal-data/personal-data.rpc.ts';
import { pricingRoutes } from './features/pricing/pricing.routes.ts';
import { receiptRoutes } from './features/receipt/receipt.routes.ts';
import { namedPaths } from './features/stored-files/stored-files.repository.ts';
import { uploadsRoutes } from './features/uploads/uploads.routes.ts';
import { startUploadsWorker } from './features/uploads/uploads.worker.ts';
import { rememberCertificate } from './features/verify/seal-certificates.repository.ts';
import { pemCertificates } from './features/verify/trust.ts';
import { createTurns } from './features/verify/turns.ts';
import { verifyRoutes } from './features/verify/verify.routes.ts';
import { startForsakenWorker } from './features/verification/forsaken.worker.ts';
import { capturesRoutes } from './features/verification/captures.routes.ts';
import { createPhotoCheck } from './features/verification/photo-check.ts';
import { createConverter } from '@karaar/converting';
import { createSealer } from '@karaar/sealing';

/** Starts the service; `overrides` replace parts of the context in tests. */
export async function createApp(config: Config, overrides: Partial<Context> = {}) {
  const timestampRoots = pemCertificates(config.TSA_ROOTS);
  const sealer = await createSealer({
    key: await sealKeySource(config),
    tsaUrls: config.TSA_URLS,
    tsa: { roots: timestampRoots },
  });
  const identity = openLogIdentity({
    origin: config.LOG_ORIGIN,
    secret: config.LOG_KEY,
    stateDir: config.STATE_DIR,
  });
  const witnesses = config.LOG_WITNESSES.map(parseWitness);
  return startService<Database>(config, {
    migrations,
    keptTables,
    callers: {
      payments: config.PAYMENTS_TO_DOCUMENTS_SECRETS,
      wallet: config.WALLET_TO_DOCUMENTS_SECRETS,
    },
    build: async (foundation, app) => {
      const blobs = createBlobStore(blobConfigFromEnv(config));
      // Faces are in it while a PDF is made: a process that is killed there leaves them to its successor to remove.
      const workDir = await openScratch(config.WORK_DIR, 'work', foundation.logger);
      const parts = {
        ...foundation,
        config: { ...config, WORK_DIR: workDir },
        blobs,
        directory: createDirectory(foundation.db, foundation.bus, {
          keepsName: isNamedInAgreements,
        }),
        renderer: createConverter({ url: config.CONVERTER_URL }),
        sealer,
        timestampRoots,
        verifyTurns: createTurns(),
        photoCheck: createPhotoCheck(config.VISION_INTERNAL_URL, config.DOCUMENTS_TO_VISION_SECRETS),
        sms: createSmsSender(smsOptionsFromEnv(config, noticeTemplates), foundation.logger),
        signFor: ({ userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>) => {
          const viewer = { viewerId: userId, sessionId, ttlS: config.FILE_LINK_TTL_S };
          return (path: string, filename?: string) =>
            blobs.signPath(path, { ...viewer, ...(filename ? { filename } : {}) });
        },
        ...overrides,
      };
      const ctx: Context = {
        ...parts,
        finalization: { poke: () => worker.poke() },
        uploads: { poke: () => uploads.poke() },
        previews: { poke: () => previews.poke() },
        notices: { poke: () => notices.poke() },
        log: { identity, witnesses, poke: () => logWorker.poke() },
      };
      await rememberCertificate(ctx.db, sealer.identity.certFingerprint, sealer.identity.chain);
      showQueues(ctx.db);
      const stopExpiryWatch = watchSealExpiry(sealer.identity, ctx.logger);
      const logWorker = startLogWorker(ctx);
      const worker = startFinalizationWorker(ctx);
      const uploads = startUploadsWorker(ctx);
      const previews = startPreviewsWorker(ctx);
      const notices = startNoticesWorker(ctx);
      const forsaken = startForsakenWorker(ctx);
      const named = (paths: readonly string[]) => namedPaths(ctx.db, paths);
      const janitor = startJanitor({ blobs: ctx.blobs, named, logger: ctx.logger }, config);
      const folding = startFolding(ctx, ['documents']);
      pricingRoutes(app, ctx);
      adminRoutes(app, ctx);
      agreementsRoutes(app, ctx);
      uploadsRoutes(app, ctx);
      capturesRoutes(app, ctx);
      partiesRoutes(app, ctx);
      finalizationRoutes(app, ctx);
      sealRoutes(app, ctx);
      accountSheetsRoutes(app.inner, ctx);
      logRoutes(app, ctx);
      noticesRoutes(app, ctx);
      verifyRoutes(app, ctx);
      receiptRoutes(app, ctx);
      registerFileRoutes(app, blobs, {
        sessionLives: foundation.verifier.sessionLives,
        authorize: ({ viewerId, path }) => mayOpenFile(ctx, viewerId, path),
      });
      await agreementsRpc(ctx);
      await ctx.directory.follow();
      await paymentsConsumers(ctx);
      await personalDataRpc(ctx);
      await personalDataConsumers(ctx);
      return {
        close: async () => {
          stopExpiryWatch();
          await Promise.all([
            worker.stop(),
            logWorker.stop(),
            uploads.stop(),
            previews.stop(),
            notices.stop(),
            forsaken.stop(),
            janitor?.stop(),
            folding.stop(),
          ]);
          await parts.renderer.close();
          await parts.sms.close();
          await rm(workDir, { recursive: true, force: true, maxRetries: 5 });
        },
      };
    },
  });
}
