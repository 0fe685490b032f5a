import { logRoutes as routes } from '@karaar/contracts/documents/log';
import { mountRoute, type HttpApp } from '@karaar/http';
import { toBase64 } from '@karaar/proof/bytes';
import type { Context } from '../../context.ts';
import { presentProof } from './log.presenter.ts';
import {
  checkpointText,
  logKeys,
  newestCheckpointText,
  policyText,
  proofFileForUser,
  proofForUser,
  proveConsistency,
  proveInclusion,
  readTileFile,
} from './log.service.ts';

/** A tile never changes, and neither does a partial tile: the next part has another address. */
const FOR_EVER = 'public, max-age=31536000, immutable';

const plain = (text: string) => ({
  body: Buffer.from(text),
  mime: 'text/plain; charset=utf-8',
  headers: { 'cache-control': 'no-cache' },
});

export function logRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.logCheckpoint, async () => plain(await checkpointText(ctx)));

  mountRoute(app, routes.logNewestCheckpoint, async () => plain(await newestCheckpointText(ctx)));

  mountRoute(app, routes.logPolicy, async () => plain(policyText(ctx)));

  mountRoute(app, routes.logKeys, async () => logKeys(ctx));

  mountRoute(app, routes.logInclusion, async ({ query: { index, size } }) => {
    const { leaf, hashes } = await proveInclusion(ctx, index, size);
    return {
      leaf_index: index,
      tree_size: size,
      leaf_hash: toBase64(leaf),
      hashes: hashes.map(toBase64),
    };
  });

  mountRoute(app, routes.logConsistency, async ({ query: { first, second } }) => {
    return { first, second, hashes: (await proveConsistency(ctx, first, second)).map(toBase64) };
  });

  mountRoute(app, routes.logProof, async ({ principal, params }) =>
    presentProof(await proofForUser(ctx, principal.userId, params.id), await logKeys(ctx)),
  );

  mountRoute(app, routes.proofFile, async ({ principal, params }) => {
    const { text, code } = await proofFileForUser(ctx, principal.userId, params.id);
    return { ...plain(text), filename: `${code}.tlog-proof`, download: true };
  });

  // The path of a tile has as many parts as the size of the log needs, so a contract cannot describe it.
  app.get<{ Params: { '*': string } }>('/log/tile/*', async (req, reply) => {
    const bytes = await readTileFile(ctx, req.params['*']);
    return reply.headers({ 'cache-control': FOR_EVER }).type('application/octet-stream').send(bytes);
  });
}
