import { cmsEditorRoutes as routes } from '@karaar/contracts/cms/http';
import { ifMatch, mountRoute, type HttpApp } from '@karaar/http';
import { readLine } from '@karaar/base/schema';
import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { readArticle } from '../article/read-article.ts';
import { pageEtag } from '../pages/page-etag.ts';
import { presentEditorPage, presentVersion } from './editing.presenter.ts';
import {
  createPage,
  dropDraft,
  editorPage,
  editorPages,
  saveDraft,
  savePage,
  versionOf,
  versionsOf,
  type EditorPage,
} from './editing.service.ts';

function answer(reply: FastifyReply, found: EditorPage) {
  reply.header('etag', pageEtag(found.page));
  return presentEditorPage(found);
}

export function editingRoutes(app: HttpApp, ctx: Context): void {
  mountRoute(app, routes.createPage, async ({ principal, body, reply }) =>
    answer(reply, await createPage(ctx, principal.userId, { ...body, title: readLine('title', body.title) })),
  );
  mountRoute(app, routes.savePage, async ({ principal, params, body, req, reply }) =>
    answer(
      reply,
      await savePage(ctx, principal.userId, {
        slug: params.id,
        title: readLine('title', body.title),
        content: body.content,
        note: body.note?.trim() ?? '',
        isCurrent: (version) => ifMatch(req, pageEtag({ slug: params.id, version })) !== 'stale',
      }),
    ),
  );
  mountRoute(app, routes.listVersions, async ({ params }) =>
    (await versionsOf(ctx, params.id)).map(presentVersion),
  );
  mountRoute(app, routes.getVersion, async ({ params }) => {
    const row = await versionOf(ctx, params.id, params.version);
    return { ...presentVersion(row), content: row.content };
  });
  mountRoute(app, routes.editorPages, async () => (await editorPages(ctx)).map(presentEditorPage));
  mountRoute(app, routes.editorPage, async ({ params, reply }) =>
    answer(reply, await editorPage(ctx, params.id)),
  );
  mountRoute(app, routes.saveDraft, async ({ principal, params, body, reply }) =>
    answer(reply, await saveDraft(ctx, principal.userId, { slug: params.id, ...body })),
  );
  mountRoute(app, routes.dropDraft, async ({ params, reply }) =>
    answer(reply, await dropDraft(ctx, params.id)),
  );
  mountRoute(app, routes.preview, async ({ body }) => ({ body: readArticle(body.content) }));
}
