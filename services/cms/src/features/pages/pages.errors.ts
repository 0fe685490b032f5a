import { AppError, conflict, notFound } from '@karaar/base/errors';

export const pageNotFound = () => notFound('page_not_found', 'This page does not exist.');
export const versionNotFound = () => notFound('version_not_found', 'This page has no such version.');
export const slugTaken = () => conflict('slug_taken', 'A page of this name exists already.');
/** RFC 9110 §13.1.1: the version that `If-Match` names is no longer the current one. */
export const pageChanged = () =>
  new AppError(
    412,
    'page_changed',
    'Someone else changed this page in the meantime. Load it again before you save.',
  );
