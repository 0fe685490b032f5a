import { forbidden, notFound } from '@karaar/platform/errors';

export const pricingNotSet = () =>
  notFound('pricing_not_set', 'No daily rate is set yet; documents are charged ₹1 per day.');
export const userEditingOff = () =>
  forbidden('pricing_editing_off', 'The daily rate can be changed by administrators only at the moment.');
