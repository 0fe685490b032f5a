/**
 * The cms service's HTTP contract: static pages for readers, their versions and drafts for editors (spec §7
 * CMS).
 */
import { Type, type Static } from 'typebox';
import { defineRoute, EDITORS, IdParams, IsoDateTime, nullable } from '../kit.ts';
import { LANGUAGES, PAGE_CONTENT_MAX, PAGE_TITLE_MAX } from '../limits.ts';
import { ArticleBlock } from './article.ts';

export const CmsPage = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  content: Type.String({ description: 'Markdown as it was written; show `body` instead' }),
  body: Type.Array(ArticleBlock, { description: 'The content, cleaned, as blocks to show' }),
  /** The language of title and content: the requested one if the page has it. */
  language: Type.Enum([...LANGUAGES]),
  version: Type.Integer(),
  updated_at: IsoDateTime,
});
export type CmsPage = Static<typeof CmsPage>;

const Title = Type.String({ pattern: '\\S', maxLength: PAGE_TITLE_MAX });
const Content = Type.String({ pattern: '\\S', maxLength: PAGE_CONTENT_MAX, description: 'Markdown' });

const PageText = Type.Object({
  title: Title,
  content: Content,
  note: Type.Optional(Type.String({ maxLength: 200, description: 'What changed, kept with the version' })),
});

export const CmsVersion = Type.Object({
  version: Type.Integer(),
  title: Type.String(),
  note: Type.String(),
  author: Type.String({
    description: "The admin's user name; empty for the text that came with the product",
  }),
  created_at: IsoDateTime,
});
export type CmsVersion = Static<typeof CmsVersion>;

export const CmsDraft = Type.Object({
  title: Type.String(),
  content: Type.String(),
  /** The published version on which the draft is based. */
  base_version: Type.Integer(),
  revision: Type.Integer(),
  author: Type.String(),
  updated_at: IsoDateTime,
});
export type CmsDraft = Static<typeof CmsDraft>;

export const CmsEditorPage = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  content: Type.String(),
  version: Type.Integer(),
  author: Type.String(),
  updated_at: IsoDateTime,
  etag: Type.String({ description: 'What `If-Match` takes when this version is replaced' }),
  draft: nullable(CmsDraft),
});
export type CmsEditorPage = Static<typeof CmsEditorPage>;

const Reading = Type.Object({ language: Type.Optional(Type.Enum([...LANGUAGES])) });

const VersionParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  // Versions are 32-bit in the database.
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

/** Routes for readers. Responses carry an ETag; a matching `If-None-Match` gets 304. */
export const cmsRoutes = {
  listPages: defineRoute({
    method: 'GET',
    path: '/cms/pages',
    access: 'user',
    summary: 'All static pages',
    response: { 200: Type.Array(CmsPage) },
  }),
  getPage: defineRoute({
    method: 'GET',
    path: '/cms/pages/:id',
    access: 'user',
    summary: 'One static page by its slug',
    params: IdParams,
    query: Reading,
    response: { 200: CmsPage },
  }),
  getPublicPage: defineRoute({
    method: 'GET',
    path: '/cms/public/:id',
    access: 'public',
    summary: 'The same for anybody: the public pages, and before an account exists',
    params: IdParams,
    query: Reading,
    response: { 200: CmsPage },
  }),
} as const;

export const cmsEditorRoutes = {
  createPage: defineRoute({
    method: 'POST',
    path: '/cms/pages',
    access: 'admin',
    roles: EDITORS,
    summary: 'Publish a new page; 409 when the slug is taken',
    body: Type.Object({
      slug: Type.String({ pattern: '^[a-z0-9](-?[a-z0-9]){0,63}$', maxLength: 64 }),
      title: Title,
      content: Content,
    }),
    response: { 201: CmsEditorPage },
  }),
  savePage: defineRoute({
    method: 'PUT',
    path: '/cms/pages/:id',
    access: 'admin',
    roles: EDITORS,
    summary:
      'Publish a new version and drop the draft; `If-Match` with an ETag that is no longer current is answered 412',
    params: IdParams,
    body: PageText,
    response: { 200: CmsEditorPage },
  }),
  listVersions: defineRoute({
    method: 'GET',
    path: '/cms/pages/:id/versions',
    access: 'admin',
    roles: EDITORS,
    summary: 'Every version of a page, newest first, without their texts',
    params: IdParams,
    response: { 200: Type.Array(CmsVersion) },
  }),
  getVersion: defineRoute({
    method: 'GET',
    path: '/cms/pages/:id/versions/:version',
    access: 'admin',
    roles: EDITORS,
    summary: 'One version with its text',
    params: VersionParams,
    response: { 200: Type.Object({ ...CmsVersion.properties, content: Type.String() }) },
  }),
  editorPages: defineRoute({
    method: 'GET',
    path: '/admin/cms/pages',
    access: 'admin',
    roles: EDITORS,
    summary: 'All pages with their drafts',
    response: { 200: Type.Array(CmsEditorPage) },
  }),
  editorPage: defineRoute({
    method: 'GET',
    path: '/admin/cms/pages/:id',
    access: 'admin',
    roles: EDITORS,
    summary: 'One page with its draft',
    params: IdParams,
    response: { 200: CmsEditorPage },
  }),
  saveDraft: defineRoute({
    method: 'PUT',
    path: '/admin/cms/pages/:id/draft',
    access: 'admin',
    roles: EDITORS,
    summary: 'Keep a text that readers do not see yet; 412 when `revision` is no longer the current one',
    params: IdParams,
    body: Type.Object({
      title: Type.String({ maxLength: PAGE_TITLE_MAX }),
      content: Type.String({ maxLength: PAGE_CONTENT_MAX }),
      revision: Type.Integer({
        minimum: 0,
        maximum: 2_147_483_646,
        description: 'Of the draft that this one replaces; 0 for none',
      }),
    }),
    response: { 200: CmsEditorPage },
  }),
  dropDraft: defineRoute({
    method: 'DELETE',
    path: '/admin/cms/pages/:id/draft',
    access: 'admin',
    roles: EDITORS,
    summary: 'Throw the draft away',
    params: IdParams,
    response: { 200: CmsEditorPage },
  }),
  preview: defineRoute({
    method: 'POST',
    path: '/admin/cms/preview',
    access: 'admin',
    roles: EDITORS,
    summary: 'What readers would see of a text',
    body: Type.Object({ content: Type.String({ maxLength: PAGE_CONTENT_MAX }) }),
    response: { 200: Type.Object({ body: Type.Array(ArticleBlock) }) },
  }),
} as const;
