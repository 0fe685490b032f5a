import { invalid } from '@karaar/base/errors';

/** A 422 for one field, in the format of a validation error. */
export const fieldFault = (loc: string, msg: string) => invalid([{ loc, msg }]);
