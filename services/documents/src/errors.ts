import { invalid } from '@karaar/platform/errors';

/** A fault of one field, in the shape of a validation answer. */
export const fieldFault = (loc: string, msg: string) => invalid([{ loc, msg }]);
