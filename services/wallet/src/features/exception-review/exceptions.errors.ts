import { conflict, invalid, notFound } from '@karaar/base/errors';

export const exceptionNotFound = () => notFound('exception_not_found', 'This exception does not exist.');
export const exceptionChanged = () =>
  conflict('exception_changed', 'This exception has changed since you opened it. Please read it again.');
export const exceptionNotOpen = () =>
  conflict('exception_resolved', 'This exception has already been resolved.');
export const nothingProposed = () =>
  conflict('exception_not_proposed', 'Nobody has proposed how to resolve this exception yet.');
export const sameAdmin = () =>
  conflict('second_admin_needed', 'Another admin must confirm what you have proposed.');
export const resolutionUnfit = () =>
  conflict('resolution_unfit', 'This exception cannot be resolved in this way.');
export const noSuchUser = () => invalid([{ loc: 'user_id', msg: 'Please name a user who has an account' }]);
