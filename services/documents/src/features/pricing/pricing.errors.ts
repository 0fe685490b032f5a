import { conflict, forbidden, notFound } from '@karaar/base/errors';

export const pricingNotSet = () =>
  notFound('pricing_not_set', 'No daily rate is set yet; documents are charged ₹1 per day.');
export const userEditingOff = () =>
  forbidden('pricing_editing_off', 'The daily rate can be changed by administrators only at the moment.');
/** The same 404 as {@link pricingNotSet}, for a caller who cannot set the rate. */
export const pricingNotSetByAdmins = () =>
  notFound(
    'pricing_not_set_by_admins',
    'Administrators have set no daily rate yet; documents are charged ₹1 per day.',
  );
export const priceIsAdmins = () =>
  conflict('price_set_by_admins', 'In this installation administrators alone set the daily rate.');
