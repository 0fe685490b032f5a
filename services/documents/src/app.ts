import { rm } from 'node:fs/promises';
import type { Principal } from '@karaar/http/auth';
import { blobConfigFromEnv, createBlobStore, registerFileRoutes, startJanitor } from '@karaar/storage/blobs';
import { createDirectory } from '@karaar/bus/directory';
import type { HttpApp } from '@karaar/http';
import { openScratch } from '@karaar/http/scratch';
import { startService } from '@karaar/service';
import { createSmsSender, smsOptionsFromEnv } from '@karaar/sms';
import { startFolding } from '@karaar/db/counters';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { appendOnlyTables } from './db/append-only-tables.ts';
import { migrations } from './db/migrations/index.ts';
import type { Database } from './db/schema.ts';
import { mayOpenFile } from './features/agreements/agreements.service.ts';
import { accountSheetsRoutes } from './features/account-sheets/account-sheets.routes.ts';
import { adminRoutes } from './features/admin/admin.routes.ts';
import { courtPackRoutes } from './features/court-pack/court-pack.routes.ts';
import { historyRoutes } from './features/history/history.routes.ts';
import { archiveRoutes } from './features/archive/archive.routes.ts';
import { labelsRoutes } from './features/agreements/labels/labels.routes.ts';
import { sealedFileRpc } from './features/sealed-file/sealed-file.service.ts';
import { sealedZipRoutes } from './features/sealed-zip/sealed-zip.routes.ts';
import { agreementsRoutes } from './features/agreements/agreements.routes.ts';
import { chargeRoutes } from './features/agreements/charge/charge.routes.ts';
import { agreementsRpc } from './features/agreements/agreements.rpc.ts';
import { paymentsConsumers } from './features/agreements/charge/payments.consumers.ts';
import { startExpiringWorker } from './features/expiring/expiring.worker.ts';
import { finalizationRoutes } from './features/finalization/finalization.routes.ts';
import { createJobLook } from './features/finalization/job-look.ts';
import { startFinalizationWorker } from './features/finalization/finalization.worker.ts';
import { showQueues } from './features/finalization/queue-depth.ts';
import { watchSealExpiry } from './features/finalization/seal-expiry.ts';
import { sealKeySource } from './features/finalization/seal-key.ts';
import { signingKeysRoutes } from './features/signing-keys/signing-keys.routes.ts';
import { sealRoutes } from './features/finalization/seal.routes.ts';
import { openLogIdentity, parseWitness, quorumOf } from './features/transparency-log/log-identity.ts';
import { logRoutes } from './features/transparency-log/log.routes.ts';
import { startLogWorker } from './features/transparency-log/log.worker.ts';
import { invitationsRoutes } from './features/invitations/invitations.routes.ts';
import { invitationsRpc } from './features/invitations/invitations.rpc.ts';
import { invitationTemplates } from './features/invitations/invitations.texts.ts';
import { startInvitationsWorker } from './features/invitations/invitations.worker.ts';
import { textMessagesRoutes } from './features/text-messages/text-messages.routes.ts';
import { textMessageTemplates } from './features/text-messages/text-messages.texts.ts';
import { startTextMessagesWorker } from './features/text-messages/text-messages.worker.ts';
import { partiesRoutes } from './features/parties/parties.routes.ts';
import { startLapsingWorker } from './features/parties/lapsing.worker.ts';
import { startRhythmWorker } from './features/parties/rhythm.worker.ts';
import { renamesConsumers } from './features/parties/renames.consumers.ts';
import { personalDataConsumers } from './features/personal-data/personal-data.consumers.ts';
import { isNamedInAgreements } from './features/personal-data/personal-data.repository.ts';
import { personalDataRpc } from './features/personal-data/personal-data.rpc.ts';
import { pricingRoutes } from './features/pricing/pricing.routes.ts';
import { receiptRoutes } from './features/receipt/receipt.routes.ts';
import { namedPaths } from './features/stored-files/stored-files.repository.ts';
import { createGrantKey } from './features/step-up/step-up.service.ts';
import { stepUpRoutes } from './features/step-up/step-up.routes.ts';
import { stepUpRpc } from './features/step-up/step-up.rpc.ts';
import { uploadsRoutes } from './features/uploads/uploads.routes.ts';
import { startUploadsWorker } from './features/uploads/uploads.worker.ts';
import { rememberCertificate } from './features/public-verification/seal-certificates.repository.ts';
import { pemCertificates } from './features/public-verification/trust.ts';
import { createVerifyLimit } from './features/public-verification/verify-limit.ts';
import { verifyRoutes } from './features/public-verification/verify.routes.ts';
import { workRoutes } from './features/work/work.routes.ts';
import { startOrphanedImagesWorker } from './features/identity-verification/orphaned-images.worker.ts';
import { capturesRoutes } from './features/agreements/captures.routes.ts';
import { createPhotoCheck } from './features/identity-verification/photo-check.ts';
import { noteSmsReport, smsReportRoutes } from './sms-reports.ts';
import { createConverter } from '@karaar/converting';
import { createSealer } from '@karaar/sealing';

/** Starts the service. Tests replace parts of the context with `overrides`. */
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
  const quorum = quorumOf(witnesses, config.LOG_QUORUM);
  return startService<Database>(config, {
    migrations,
    appendOnlyTables,
    callers: {
      payments: config.PAYMENTS_TO_DOCUMENTS_SECRETS,
      wallet: config.WALLET_TO_DOCUMENTS_SECRETS,
    },
    build: async (foundation, app) => {
      const blobs = createBlobStore(blobConfigFromEnv(config));
      // The folder holds face photos while a PDF is made. The next start removes what a killed process left.
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
        contactsKey: identity.secretFor('contacts'),
        verifyLimit: createVerifyLimit(),
        grantKey: createGrantKey(),
        photoCheck: createPhotoCheck(config.VISION_INTERNAL_URL, config.DOCUMENTS_TO_VISION_SECRETS),
        sms: createSmsSender(
          smsOptionsFromEnv(config, [...textMessageTemplates, ...invitationTemplates]),
          foundation.logger,
          { note: noteSmsReport(foundation) },
        ),
        signFor: ({ userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>) => {
          const viewer = { viewerId: userId, sessionId, ttlS: config.FILE_LINK_TTL_S };
          return (path: string, filename?: string) =>
            blobs.signPath(path, { ...viewer, ...(filename ? { filename } : {}) });
        },
        ...overrides,
      };
      const ctx: Context = {
        ...parts,
        finalization: { wake: () => workers.finalization.wake(), look: createJobLook(parts.db) },
        uploads: { wake: () => workers.uploads.wake() },
        textMessages: { wake: () => workers.textMessages.wake() },
        invitations: { wake: () => workers.invitations.wake() },
        log: { identity, witnesses, quorum, wake: () => workers.log.wake() },
      };
      await rememberCertificate(ctx.db, sealer.identity.certFingerprint, sealer.identity.chain);
      showQueues(ctx.db);
      const stopExpiryWatch = watchSealExpiry(sealer.identity, ctx.logger);
      const workers = startWorkers(ctx, config);
      registerRoutes(app, ctx);
      registerFileRoutes(app, blobs, {
        sessionLives: foundation.verifier.sessionLives,
        authorize: ({ viewerId, path }) => mayOpenFile(ctx, viewerId, path),
      });
      await startConsumers(ctx);
      return {
        close: async () => {
          stopExpiryWatch();
          await Promise.all(Object.values(workers).map((worker) => worker?.stop()));
          await parts.renderer.close();
          await parts.sms.close();
          await rm(workDir, { recursive: true, force: true, maxRetries: 5 });
        },
      };
    },
  });
}

/** Starts the background workers. The caller stops all of them before the service ends. */
function startWorkers(ctx: Context, config: Config) {
  const named = (paths: readonly string[]) => namedPaths(ctx.db, paths);
  return {
    log: startLogWorker(ctx),
    finalization: startFinalizationWorker(ctx),
    uploads: startUploadsWorker(ctx),
    textMessages: startTextMessagesWorker(ctx),
    invitations: startInvitationsWorker(ctx),
    rhythm: startRhythmWorker(ctx),
    lapsing: startLapsingWorker(ctx),
    expiring: startExpiringWorker(ctx),
    orphanedImages: startOrphanedImagesWorker(ctx),
    janitor: startJanitor({ blobs: ctx.blobs, named, logger: ctx.logger }, config),
    folding: startFolding(ctx, ['documents']),
  };
}

async function startConsumers(ctx: Context): Promise<void> {
  await ctx.directory.follow();
  await paymentsConsumers(ctx);
  await agreementsRpc(ctx);
  await sealedFileRpc(ctx);
  await invitationsRpc(ctx);
  await stepUpRpc(ctx);
  await personalDataRpc(ctx);
  await personalDataConsumers(ctx);
  await renamesConsumers(ctx);
}

function registerRoutes(app: HttpApp, ctx: Context): void {
  pricingRoutes(app, ctx);
  adminRoutes(app, ctx);
  agreementsRoutes(app, ctx);
  workRoutes(app, ctx);
  uploadsRoutes(app, ctx);
  capturesRoutes(app, ctx);
  partiesRoutes(app, ctx);
  signingKeysRoutes(app, ctx);
  stepUpRoutes(app, ctx);
  finalizationRoutes(app, ctx);
  sealRoutes(app, ctx);
  accountSheetsRoutes(app.inner, ctx);
  chargeRoutes(app.inner, ctx);
  logRoutes(app, ctx);
  textMessagesRoutes(app, ctx);
  smsReportRoutes(app, ctx);
  invitationsRoutes(app, ctx);
  verifyRoutes(app, ctx);
  receiptRoutes(app, ctx);
  courtPackRoutes(app, ctx);
  historyRoutes(app, ctx);
  sealedZipRoutes(app, ctx);
  archiveRoutes(app, ctx);
  labelsRoutes(app, ctx);
}
