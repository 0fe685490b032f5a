/** The cms service's HTTP contract: reading the static pages (spec §7 CMS). */
import { Type } from 'typebox';
import { defineRoute, IdParams, IsoDateTime } from '../kit.ts';

export const CmsPage = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  content: Type.String({ description: 'Markdown' }),
  updated_at: IsoDateTime,
});

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
    response: { 200: CmsPage },
  }),
  getPublicPage: defineRoute({
    method: 'GET',
    path: '/cms/public/:id',
    access: 'public',
    summary: 'Terms and privacy, readable before an account exists',
    params: IdParams,
    response: { 200: CmsPage },
  }),
} as const;
